// SPDX-License-Identifier: Apache-2.0
// A vector of trivially copyable elements whose first N live inside it.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstring>
#include <initializer_list>
#include <iterator>
#include <new>
#include <span>
#include <type_traits>
#include <utility>

namespace weft {

/// Shapes, coordinates and digits are short nearly always; this keeps them off the heap then.
template <class T, std::size_t N>
class SmallVector {
  static_assert(std::is_trivially_copyable_v<T> && std::is_default_constructible_v<T>);

 public:
  using value_type = T;
  using iterator = T*;
  using const_iterator = const T*;

  SmallVector() noexcept {}
  explicit SmallVector(std::size_t count, const T& value = T{}) { resize(count, value); }
  SmallVector(std::initializer_list<T> values) { append(values.begin(), values.size()); }
  explicit SmallVector(std::span<const T> values) { append(values.data(), values.size()); }
  template <std::input_iterator It>
  SmallVector(It first, It last) {
    if constexpr (std::random_access_iterator<It>) {
      const std::size_t count = static_cast<std::size_t>(last - first);
      if (count > N) grow(count);
      for (; size_ < count; ++size_) data_[size_] = static_cast<T>(first[size_]);
    } else {
      for (; first != last; ++first) push_back(*first);
    }
  }
  SmallVector(const SmallVector& other) { copy(other); }
  SmallVector(SmallVector&& other) noexcept { steal(other); }
  SmallVector& operator=(const SmallVector& other) {
    if (this != &other) {
      size_ = 0;
      copy(other);
    }
    return *this;
  }
  SmallVector& operator=(SmallVector&& other) noexcept {
    if (this != &other) {
      release();
      steal(other);
    }
    return *this;
  }
  ~SmallVector() { release(); }

  std::size_t size() const noexcept { return size_; }
  bool empty() const noexcept { return size_ == 0; }
  T* data() noexcept { return data_; }
  const T* data() const noexcept { return data_; }
  T* begin() noexcept { return data_; }
  T* end() noexcept { return data_ + size_; }
  const T* begin() const noexcept { return data_; }
  const T* end() const noexcept { return data_ + size_; }
  // Debug builds stop where there is no such element.
  T& operator[](std::size_t i) noexcept {
    assert(i < size_);
    return data_[i];
  }
  const T& operator[](std::size_t i) const noexcept {
    assert(i < size_);
    return data_[i];
  }
  T& front() noexcept { return (*this)[0]; }
  const T& front() const noexcept { return (*this)[0]; }
  T& back() noexcept { return (*this)[size_ - 1]; }
  const T& back() const noexcept { return (*this)[size_ - 1]; }

  void clear() noexcept { size_ = 0; }
  /// Keeps the first `count` elements, of at least as many.
  void truncate(std::size_t count) noexcept { size_ = count; }
  void pop_back() noexcept {
    assert(size_ > 0);
    --size_;
  }
  void push_back(const T& value) {
    if (size_ == capacity_) return push_into_more(value);
    data_[size_++] = value;
  }
  void resize(std::size_t count, const T& value = T{}) {
    const T copy = value;
    if (count > capacity_) grow(count);
    if (count > size_) std::fill(data_ + size_, data_ + count, copy);
    size_ = count;
  }
  void erase(const T* position) noexcept {
    T* at = data_ + (position - data_);
    std::copy(at + 1, end(), at);
    --size_;
  }
  void insert(const T* position, const T& value) {
    const std::size_t at = static_cast<std::size_t>(position - data_);
    push_back(value);
    std::rotate(data_ + at, end() - 1, end());
  }

  friend bool operator==(const SmallVector& a, const SmallVector& b) noexcept {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
  }

 private:
  T* inline_data() noexcept { return reinterpret_cast<T*>(inline_); }
  void copy(const SmallVector& other) {
    if (other.size_ > N || data_ != inline_data()) return append(other.data_, other.size_);
    copy_inline(other);
  }
  /// Half of the N elements or all, though fewer may live: a size known at compile time is no call.
  void copy_inline(const SmallVector& other) noexcept {
    size_ = other.size_;
    if (size_ <= N / 2) std::memcpy(inline_, other.data_, N / 2 * sizeof(T));
    else std::memcpy(inline_, other.data_, sizeof(inline_));
  }
  void append(const T* values, std::size_t count) {
    if (size_ + count > capacity_) grow(size_ + count);
    if (count > 0) std::memcpy(static_cast<void*>(data_ + size_), values, count * sizeof(T));
    size_ += count;
  }
  void push_into_more(const T& value) {
    const T copy = value;  // it may live in the block that grow() frees
    grow(size_ + 1);
    data_[size_++] = copy;
  }
  void grow(std::size_t least) {
    const std::size_t capacity = std::max(least, 2 * capacity_);
    T* bigger =
        static_cast<T*>(::operator new (capacity * sizeof(T), std::align_val_t{alignof(T)}));
    if (size_ > 0) std::memcpy(static_cast<void*>(bigger), data_, size_ * sizeof(T));
    release();
    data_ = bigger;
    capacity_ = capacity;
  }
  void release() noexcept {
    if (data_ != inline_data()) ::operator delete (data_, std::align_val_t{alignof(T)});
  }
  void steal(SmallVector& other) noexcept {
    if (other.data_ == other.inline_data()) {
      data_ = inline_data();
      capacity_ = N;
      copy_inline(other);
    } else {
      data_ = std::exchange(other.data_, other.inline_data());
      capacity_ = std::exchange(other.capacity_, N);
      size_ = other.size_;
    }
    other.size_ = 0;
  }

  T* data_ = inline_data();
  std::size_t size_ = 0;
  std::size_t capacity_ = N;
  alignas(T) std::byte inline_[N * sizeof(T)];
};

}  // namespace weft

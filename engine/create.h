// SPDX-License-Identifier: Apache-2.0
// Tensors from what users have: literals, vectors, pointers, ranges of numbers.
#pragma once

#include <complex>
#include <initializer_list>
#include <memory>
#include <vector>

#include <weft/engine/buffer.h>
#include <weft/graph/tensor.h>

namespace weft {

/// Copies `shape` elements of `dtype` from `elements`, row-major. Throws DtypeError, ParameterError
/// (bad_rank), ShapeError, OverflowError, MemoryError.
[[nodiscard]] Tensor copy_from(const void* elements, DType dtype, const Ints& shape);

/// The same for a typed pointer.
template <Element T>
[[nodiscard]] Tensor copy_from(const T* elements, const Ints& shape) {
  return copy_from(static_cast<const void*>(elements), dtype_of<T>, shape);
}

/// Uses the elements where they are, without a copy and without ever writing them; `owner` is kept
/// as long as any tensor needs them (none: the caller sees to that). The memory must not change
/// while a tensor over it lives: values are computed once and kept. It should be aligned for its
/// type; the library reads it at any address, views of it do not.
[[nodiscard]] Tensor borrow(const void* elements, DType dtype, const Ints& shape,
                            std::shared_ptr<const void> owner = nullptr);
template <Element T>
[[nodiscard]] Tensor borrow(const T* elements, const Ints& shape,
                            std::shared_ptr<const void> owner = nullptr) {
  return borrow(static_cast<const void*>(elements), dtype_of<T>, shape, std::move(owner));
}

/// Copies a vector; ShapeError where `shape` holds another number of elements.
template <Element T>
[[nodiscard]] Tensor from_vector(const std::vector<T>& values, const Ints& shape) {
  std::vector<T> kept(values);
  return from_vector(std::move(kept), shape);
}
/// Takes over a vector without a copy.
template <Element T>
[[nodiscard]] Tensor from_vector(std::vector<T>&& values, const Ints& shape);

/// A tensor of rank 0.
template <Element T>
[[nodiscard]] Tensor scalar(const T& value) {
  return copy_from(&value, {});
}

/// start, start + 1, ... in row-major order, as element type T (from std::int64_t by conversion).
template <Element T = std::int64_t>
[[nodiscard]] Tensor iota(const Ints& shape, std::int64_t start = 0);

/// A tensor from nested braces: array({{1, 2}, {3, 4}}). ShapeError where rows differ in length.
template <Element T>
[[nodiscard]] Tensor array(std::initializer_list<T> values);
template <Element T>
[[nodiscard]] Tensor array(std::initializer_list<std::initializer_list<T>> rows);
template <Element T>
[[nodiscard]] Tensor array(
    std::initializer_list<std::initializer_list<std::initializer_list<T>>> planes);

// --- definitions ---

/// Refuses (in the name of `op`) a shape that does not hold `count` elements.
Shape checked_shape(std::string_view op, const Ints& shape, DType dtype);
void check_count(std::string_view op, const Shape& shape, std::size_t count);
[[noreturn]] void throw_ragged();

template <Element T>
Tensor from_vector(std::vector<T>&& values, const Ints& shape) {
  static_assert(!std::is_same_v<T, bool>, "a vector<bool> has no elements to take over");
  const Shape checked = checked_shape("from_vector", shape, dtype_of<T>);
  check_count("from_vector", checked, values.size());
  auto kept = std::make_shared<const std::vector<T>>(std::move(values));
  const auto* bytes = reinterpret_cast<const std::byte*>(kept->data());
  return make_tensor<Stored>(dtype_of<T>, checked, Storage(std::move(kept), bytes));
}

template <Element T>
Tensor iota(const Ints& shape, std::int64_t start) {
  const Shape checked = checked_shape("iota", shape, dtype_of<T>);
  const std::int64_t count = element_count(checked);
  std::shared_ptr<std::byte> buffer =
      allocate(count * static_cast<std::int64_t>(sizeof(T)), "iota", checked);
  T* const elements = reinterpret_cast<T*>(buffer.get());
  for (std::int64_t i = 0; i < count; ++i)
    elements[i] = static_cast<T>(static_cast<std::int64_t>(static_cast<std::uint64_t>(start) +
                                                           static_cast<std::uint64_t>(i)));
  return make_tensor<Stored>(dtype_of<T>, checked, std::move(buffer));
}

template <Element T>
Tensor array(std::initializer_list<T> values) {
  return copy_from(values.begin(), static_cast<std::int64_t>(values.size()));
}

template <Element T>
Tensor array(std::initializer_list<std::initializer_list<T>> rows) {
  const std::size_t width = rows.size() == 0 ? 0 : rows.begin()->size();
  const Shape shape{static_cast<std::int64_t>(rows.size()), static_cast<std::int64_t>(width)};
  std::shared_ptr<std::byte> buffer =
      allocate(static_cast<std::int64_t>(rows.size() * width * sizeof(T)), "array", shape);
  T* to = reinterpret_cast<T*>(buffer.get());
  for (const auto& row : rows) {
    if (row.size() != width) throw_ragged();
    to = std::copy(row.begin(), row.end(), to);
  }
  return make_tensor<Stored>(dtype_of<T>, shape, std::move(buffer));
}

template <Element T>
Tensor array(std::initializer_list<std::initializer_list<std::initializer_list<T>>> planes) {
  const std::size_t height = planes.size() == 0 ? 0 : planes.begin()->size();
  const std::size_t width = height == 0 ? 0 : planes.begin()->begin()->size();
  const Shape shape{static_cast<std::int64_t>(planes.size()), static_cast<std::int64_t>(height),
                    static_cast<std::int64_t>(width)};
  std::shared_ptr<std::byte> buffer = allocate(
      static_cast<std::int64_t>(planes.size() * height * width * sizeof(T)), "array", shape);
  T* to = reinterpret_cast<T*>(buffer.get());
  for (const auto& rows : planes) {
    if (rows.size() != height) throw_ragged();
    for (const auto& row : rows) {
      if (row.size() != width) throw_ragged();
      to = std::copy(row.begin(), row.end(), to);
    }
  }
  return make_tensor<Stored>(dtype_of<T>, shape, std::move(buffer));
}

}  // namespace weft

// SPDX-License-Identifier: Apache-2.0
// Tensors from what users have: literals, vectors, pointers, ranges of numbers.
#pragma once

#include <complex>
#include <concepts>
#include <initializer_list>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <weft/engine/memory/buffer.h>
#include <weft/graph/tensor.h>

namespace weft {

// What the templates below check, and make tensors with.

/// Refuses (in the name of `op`) a shape that does not hold `count` elements.
Shape checked_shape(std::string_view op, const Ints& shape, DType dtype);
void check_count(std::string_view op, const Shape& shape, std::size_t count);
/// Refuses (in the name of `borrow`) strides that leave `count` elements from the first on.
void check_reach(const Ints& shape, const Ints& strides, std::size_t count);
Tensor borrow_owned(const void* elements, DType dtype, const Ints& shape,
                    std::shared_ptr<const void> owner);

/// Copies `shape` elements of `dtype` from `elements`, row-major. Throws DtypeError, ParameterError
/// (bad_rank), ShapeError, OverflowError, MemoryError.
[[nodiscard]] Tensor copy_from(const void* elements, DType dtype, const Ints& shape);

/// The same for a typed pointer.
template <Element T>
[[nodiscard]] Tensor copy_from(const T* elements, const Ints& shape) {
  return copy_from(static_cast<const void*>(elements), dtype_of<T>, shape);
}

/// What keeps borrowed memory alive: a std::shared_ptr of any type, or nullptr. (A template takes
/// it, for a braced list is a shape or strides, never an owner.)
template <class T>
concept Owner = std::convertible_to<T, std::shared_ptr<const void>>;

/// Uses the elements where they are, without a copy and without ever writing them; `owner` is kept
/// as long as any tensor needs them (none: the caller sees to that). The memory must not change
/// while a tensor over it lives: values are computed once and kept. It should be aligned for its
/// type; the library reads it at any address, views of it do not.
[[nodiscard]] Tensor borrow(const void* elements, DType dtype, const Ints& shape);
template <Owner O>
[[nodiscard]] Tensor borrow(const void* elements, DType dtype, const Ints& shape, O owner) {
  return borrow_owned(elements, dtype, shape, std::move(owner));
}
template <Element T>
[[nodiscard]] Tensor borrow(const T* elements, const Ints& shape) {
  return borrow(static_cast<const void*>(elements), dtype_of<T>, shape);
}
template <Element T, Owner O>
[[nodiscard]] Tensor borrow(const T* elements, const Ints& shape, O owner) {
  return borrow_owned(elements, dtype_of<T>, shape, std::move(owner));
}

/// The same of a span, as rank 1 or of a shape; ShapeError where that holds another number of
/// elements.
template <class T, std::size_t Extent>
[[nodiscard]] Tensor borrow(std::span<T, Extent> elements) {
  return borrow(elements.data(), elements.size());
}
template <class T, std::size_t Extent, Owner O>
[[nodiscard]] Tensor borrow(std::span<T, Extent> elements, O owner) {
  return borrow(elements.data(), elements.size(), std::move(owner));
}
template <class T, std::size_t Extent>
[[nodiscard]] Tensor borrow(std::span<T, Extent> elements, const Ints& shape) {
  check_count("borrow", checked_shape("borrow", shape, dtype_of<T>), elements.size());
  return borrow(elements.data(), shape);
}
template <class T, std::size_t Extent, Owner O>
[[nodiscard]] Tensor borrow(std::span<T, Extent> elements, const Ints& shape, O owner) {
  check_count("borrow", checked_shape("borrow", shape, dtype_of<T>), elements.size());
  return borrow(elements.data(), shape, std::move(owner));
}

/// The same with strides: the element at `i` is `elements[dot(i, strides)]`, so a column of a
/// row-major matrix of `n` columns is `borrow(first, {rows}, {n})`. `strides` is a list with an
/// entry for each axis, in elements, of any sign; of a span all of that lies inside it. The memory
/// is read when a value is computed, in one box: until then it must live and not change. Throws
/// what borrow does, ParameterError (length_mismatch), and ShapeError where a span is too short.
[[nodiscard]] Tensor borrow(const void* elements, DType dtype, const Ints& shape,
                            const Ints& strides, std::shared_ptr<const void> owner = nullptr);
template <Element T>
[[nodiscard]] Tensor borrow(const T* elements, const Ints& shape, const Ints& strides,
                            std::shared_ptr<const void> owner = nullptr) {
  return borrow(static_cast<const void*>(elements), dtype_of<T>, shape, strides, std::move(owner));
}
template <class T, std::size_t Extent>
[[nodiscard]] Tensor borrow(std::span<T, Extent> elements, const Ints& shape, const Ints& strides,
                            std::shared_ptr<const void> owner = nullptr) {
  check_reach(shape, strides, elements.size());
  return borrow(elements.data(), shape, strides, std::move(owner));
}

/// Copies a vector; ShapeError where `shape` holds another number of elements.
template <Element T>
[[nodiscard]] Tensor from_vector(const std::vector<T>& values, const Ints& shape) {
  check_count("from_vector", checked_shape("from_vector", shape, dtype_of<T>), values.size());
  return copy_from(values.data(), shape);
}
/// Takes over a vector without a copy; its memory is not weft's own, and never written in place.
/// Nobody else may write to it either.
template <Element T>
[[nodiscard]] Tensor from_vector(std::vector<T>&& values, const Ints& shape);
/// The same as rank 1.
template <Element T>
[[nodiscard]] Tensor from_vector(const std::vector<T>& values) {
  return from_vector(values, values.size());
}
template <Element T>
[[nodiscard]] Tensor from_vector(std::vector<T>&& values) {
  const std::size_t count = values.size();
  return from_vector(std::move(values), count);
}

/// A tensor of rank 0.
template <Element T>
[[nodiscard]] Tensor scalar(const T& value) {
  return copy_from(&value, {});
}

/// start, start + 1, ... in row-major order, as element type T (from std::int64_t by conversion).
template <Element T = std::int64_t>
[[nodiscard]] Tensor iota(const Ints& shape, std::int64_t start = 0);

/// start, start + step, ... below `stop` (above it for step < 0), as element type T, by default
/// that of the arguments: `arange(5)` is i32, `arange(0.0, 1.0, 0.25)` f64, `arange<float>(5)` f32.
/// As numpy.arange: `out[i] = start + i * step`, ceil((stop - start) / step) of them. Throws
/// DtypeError where T is an integer type that cannot hold each, ParameterError (zero_step, and
/// bad_range where the number of elements is not finite), OverflowError, MemoryError.
template <class T = void, Arithmetic Start, Arithmetic Stop,
          Arithmetic Step = std::common_type_t<Start, Stop>>
[[nodiscard]] Tensor arange(Start start, Stop stop, Step step = 1);
template <class T = void, Arithmetic Stop>
[[nodiscard]] Tensor arange(Stop stop) {
  return arange<std::conditional_t<std::is_void_v<T>, Stop, T>>(Stop{0}, stop);
}

/// A tensor from nested braces: array({{1, 2}, {3, 4}}). ShapeError where rows differ in length.
template <Element T>
[[nodiscard]] Tensor array(std::initializer_list<T> values);
template <Element T>
[[nodiscard]] Tensor array(std::initializer_list<std::initializer_list<T>> rows);
template <Element T>
[[nodiscard]] Tensor array(
    std::initializer_list<std::initializer_list<std::initializer_list<T>>> planes);

// --- definitions ---

[[noreturn]] void throw_ragged();
/// How many elements arange has.
std::int64_t arange_count(std::int64_t start, std::int64_t stop, std::int64_t step);
std::int64_t arange_count(double start, double stop, double step);
/// Refuses an end of an arange that is no element of `dtype`.
[[noreturn]] void throw_out_of_range(std::int64_t value, DType dtype);
[[noreturn]] void throw_out_of_range(std::uint64_t value, DType dtype);

template <Element T>
Tensor from_vector(std::vector<T>&& values, const Ints& shape) {
  static_assert(!std::is_same_v<T, bool>, "a vector<bool> has no elements to take over");
  const Shape checked = checked_shape("from_vector", shape, dtype_of<T>);
  check_count("from_vector", checked, values.size());
  auto kept = std::make_shared<const std::vector<T>>(std::move(values));
  const auto* bytes = reinterpret_cast<const std::byte*>(kept->data());
  return make_tensor<Stored>(dtype_of<T>, checked, Storage(bytes, TakenOver{std::move(kept)}));
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

template <class T, Arithmetic Start, Arithmetic Stop, Arithmetic Step>
Tensor arange(Start start, Stop stop, Step step) {
  using Common = std::common_type_t<Start, Stop, Step>;
  using Value = std::conditional_t<std::integral<Common>, std::int64_t, double>;
  using To = std::conditional_t<std::is_void_v<T>, Common, T>;
  static_assert(std::integral<Common> || !std::integral<To>,
                "an arange of integers has integer ends and an integer step");
  const auto whole = [](auto number) {
    if constexpr (std::unsigned_integral<decltype(number)>)
      if (number > static_cast<std::uint64_t>(INT64_MAX))
        throw_out_of_range(static_cast<std::uint64_t>(number), i64);
    return static_cast<Value>(number);
  };
  const Value first = whole(start), by = whole(step);
  const std::int64_t count = arange_count(first, whole(stop), by);
  const auto value = [&](std::int64_t i) {
    if constexpr (std::integral<Value>)  // what is between the ends may be beyond int64
      return static_cast<std::int64_t>(static_cast<std::uint64_t>(first) +
                                       static_cast<std::uint64_t>(i) *
                                           static_cast<std::uint64_t>(by));
    else return first + static_cast<double>(i) * by;
  };
  const Shape shape = checked_shape("arange", count, dtype_of<To>);
  if constexpr (std::integral<To>)
    for (const std::int64_t i : {std::int64_t{0}, count - 1}) {
      const auto element = static_cast<To>(value(i));
      if (count > 0 &&
          (static_cast<std::int64_t>(element) != value(i) || (element < To{}) != (value(i) < 0)))
        throw_out_of_range(value(i), dtype_of<To>);
    }
  std::shared_ptr<std::byte> buffer =
      allocate(count * static_cast<std::int64_t>(sizeof(To)), "arange", shape);
  To* const elements = reinterpret_cast<To*>(buffer.get());
  for (std::int64_t i = 0; i < count; ++i) elements[i] = static_cast<To>(value(i));
  return make_tensor<Stored>(dtype_of<To>, shape, std::move(buffer));
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

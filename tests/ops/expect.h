// SPDX-License-Identifier: Apache-2.0
// What the tests of the ops share: a value seen both ways, an error told whole, any element moved.
#pragma once

#include <doctest/doctest.h>

#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <limits>
#include <source_location>
#include <string>
#include <string_view>
#include <typeinfo>
#include <utility>
#include <vector>

#include <weft/weft.h>

#include "support/drawing.h"
#include <weft/testing/reference.h>

namespace weft::testing {

using Where = std::source_location;

inline constexpr std::int64_t lowest = std::numeric_limits<std::int64_t>::min();
inline constexpr std::int64_t highest = std::numeric_limits<std::int64_t>::max();

/// A list of u64, as the bits that a caller would give.
inline Ints u64s(std::initializer_list<std::uint64_t> values) {
  std::vector<std::int64_t> bits;
  for (const std::uint64_t value : values) bits.push_back(static_cast<std::int64_t>(value));
  return Ints(u64, 1, bits);
}
/// A parameter of another type or rank than it should have.
inline Ints ints_of(DType dtype, int rank, std::initializer_list<std::int64_t> values) {
  return Ints(dtype, rank, {values.begin(), values.size()});
}

inline void report(bool holds, const std::string& what, Where at) {
  if (!holds) ADD_FAIL_CHECK_AT(at.file_name(), static_cast<int>(at.line()), what);
}

/// The reference's bytes first, while there is no value yet; then those of the value.
inline void expect_bytes(const Tensor& got, const std::vector<std::byte>& expected, Where at) {
  report(reference_value(got) == expected, "the reference makes another value", at);
  const Tensor value = got.eval();
  report(value.is_stored() && reference_value(value) == expected,
         "eval makes another value: " + to_string(value), at);
}

template <Element T>
void expect_elements(const Tensor& got, const Shape& shape, const T* values, std::size_t count,
                     Where at) {
  report(got.dtype() == dtype_of<T>, "the type is " + got.dtype().name(), at);
  report(got.shape() == shape, "the shape is " + to_string(got.shape()), at);
  std::vector<std::byte> bytes(count * sizeof(T));
  if (count > 0) std::memcpy(bytes.data(), values, bytes.size());
  expect_bytes(got, bytes, at);
  report(count == 0 || std::memcmp(got.data<T>(), values, bytes.size()) == 0,
         "data shows another value", at);
  report(got.span<T>().size() == count, "span has another size", at);
}

/// Type, shape and every element, through eval and through the reference.
template <Element T>
void expect(const Tensor& got, const Shape& shape, std::initializer_list<T> values,
            Where at = Where::current()) {
  expect_elements(got, shape, values.begin(), values.size(), at);
}
template <Element T>
void expect(const Tensor& got, const Shape& shape, const std::vector<T>& values,
            Where at = Where::current()) {
  expect_elements(got, shape, values.data(), values.size(), at);
}

/// The same as another tensor.
inline void expect_same(const Tensor& got, const Tensor& expected, Where at = Where::current()) {
  report(got.dtype() == expected.dtype(), "the type is " + got.dtype().name(), at);
  report(got.shape() == expected.shape(), "the shape is " + to_string(got.shape()), at);
  expect_bytes(got, reference_value(expected), at);
}

/// The call throws exactly an E, of this category and with this message.
template <class E, class Call>
void refuses(std::string_view category, std::string_view message, Call&& call,
             Where at = Where::current()) {
  try {
    call();
    report(false, "nothing was thrown, expected: " + std::string(message), at);
  } catch (const Error& error) {
    report(typeid(error) == typeid(E), std::string("another class: ") + typeid(error).name(), at);
    report(error.category() == category, "the category is " + std::string(error.category()), at);
    report(error.what() == message, "the message is: " + std::string(error.what()), at);
  }
}

/// Every type of element there is, and structs of 3, 12 and 24 bytes.
inline const std::vector<DType>& all_types() {
  static const std::vector<DType> types = {bool_, i8,  i16,  i32,       i64,        u8,
                                           u16,   u32, u64,  f16,       bf16,       f32,
                                           f64,   c64, c128, opaque(3), opaque(12), opaque(24)};
  return types;
}

/// Bytes of `count` elements: signalling NaNs with payloads and -0.0 among unlike others.
inline std::vector<std::byte> telling_bytes(DType dtype, std::int64_t count) {
  using Kind = DType::Kind;
  const std::size_t size = static_cast<std::size_t>(dtype.size());
  std::vector<std::byte> bytes(static_cast<std::size_t>(count) * size);
  std::uint32_t state = 12345;
  for (std::byte& byte : bytes) {
    state = state * 1664525 + 1013904223;
    byte = static_cast<std::byte>(dtype == bool_ ? state >> 31 : state >> 24);
  }
  const auto put = [&](std::size_t k, auto nan, auto minus_zero) {
    const std::size_t part = sizeof(nan);
    for (std::size_t at = k * size; at < (k + 1) * size; at += part)
      std::memcpy(&bytes[at], k % 2 == 0 ? &nan : &minus_zero, part);
  };
  for (std::size_t k = 0; k < static_cast<std::size_t>(count); ++k) {
    if (k % 4 > 1) continue;
    switch (dtype.kind()) {
      case Kind::f16:
        put(k, std::uint16_t{0x7d01}, std::uint16_t{0x8000});
        break;
      case Kind::bf16:
        put(k, std::uint16_t{0x7f81}, std::uint16_t{0x8000});
        break;
      case Kind::f32:
      case Kind::c64:
        put(k, std::uint32_t{0x7f800123}, std::uint32_t{0x80000000});
        break;
      case Kind::f64:
      case Kind::c128:
        put(k, std::uint64_t{0x7ff0000000000123}, std::uint64_t{0x8000000000000000});
        break;
      default:
        break;
    }
  }
  return bytes;
}

/// An op moves elements of every type as it moves i64: bytes intact, to the same places. Any other
/// operand the op has must come from its argument.
template <class Op>
void moves_any_element(const Shape& shape, Op&& op, Where at = Where::current()) {
  const std::vector<std::int64_t> from = reference_values<std::int64_t>(op(iota(shape)));
  for (const DType dtype : all_types()) {
    const std::vector<std::byte> before = telling_bytes(dtype, element_count(shape));
    std::vector<std::byte> after;
    for (const std::int64_t k : from) {
      const auto element = before.begin() + k * dtype.size();
      after.insert(after.end(), element, element + dtype.size());
    }
    const Tensor x = copy_from(before.data(), dtype, shape);
    const Tensor moved = op(x);
    report(moved.dtype() == dtype, "the type is not kept: " + dtype.name(), at);
    expect_bytes(moved, after, at);
    report(reference_value(x) == before, "the operand was changed", at);
  }
}

/// 0, 1, 2, ... of rank 16: extents of 2 and 1 in turn.
inline Tensor rank_16() { return iota<int>({2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1}); }

/// An input of a program, of which so much is known, and what is known of a shape.
inline Tensor open(PartialShape shape) { return placeholder(f32, std::move(shape)); }
inline Tensor integers(PartialShape shape) { return placeholder(i64, std::move(shape)); }
inline std::string shape_of(const Tensor& tensor) { return to_string(tensor.partial_shape()); }

/// Whether views of a temporary compile; they must not.
template <class X>
concept ViewsTemporaries = requires {
  std::declval<X>().template data<int>();
}
|| requires { std::declval<X>().template span<int>(); };
static_assert(!ViewsTemporaries<Tensor>);
static_assert(ViewsTemporaries<Tensor&> && ViewsTemporaries<const Tensor&>);

}  // namespace weft::testing

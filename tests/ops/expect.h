// SPDX-License-Identifier: Apache-2.0
// What the tests of the ops share: a value seen both ways, an error told whole, any element moved.
#pragma once

#include <doctest/doctest.h>

#include <cstdint>
#include <cstring>
#include <functional>
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

void report(bool holds, const std::string& what, Where at);

/// The reference's bytes first, while there is no value yet; then those of the value.
void expect_bytes(const Tensor& got, const std::vector<std::byte>& expected, Where at);

/// Type, shape and the bytes of every element, through eval and through the reference.
void expect_value(const Tensor& got, DType dtype, const Shape& shape, const void* values,
                  std::size_t count, Where at);

template <Element T>
void expect_elements(const Tensor& got, const Shape& shape, const T* values, std::size_t count,
                     Where at) {
  expect_value(got, dtype_of<T>, shape, values, count, at);
  report(count == 0 || std::memcmp(got.data<T>(), values, count * sizeof(T)) == 0,
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
void expect_same(const Tensor& got, const Tensor& expected, Where at = Where::current());

/// The call throws exactly this error, of this category and with this message.
void expect_refusal(const std::type_info& error, std::string_view category,
                    std::string_view message, const std::function<void()>& call, Where at);

/// The call throws exactly an E, of this category and with this message.
template <class E>
void refuses(std::string_view category, std::string_view message, const std::function<void()>& call,
             Where at = Where::current()) {
  expect_refusal(typeid(E), category, message, call, at);
}

/// Every type of element there is, and structs of 3, 12 and 24 bytes.
const std::vector<DType>& all_types();

/// Bytes of `count` elements: signalling NaNs with payloads and -0.0 among unlike others.
std::vector<std::byte> telling_bytes(DType dtype, std::int64_t count);

/// An op moves elements of every type as it moves i64: bytes intact, to the same places. Any other
/// operand the op has must come from its argument.
void moves_any_element(const Shape& shape, const std::function<Tensor(const Tensor&)>& op,
                       Where at = Where::current());

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

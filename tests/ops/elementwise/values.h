// SPDX-License-Identifier: Apache-2.0
// What tests of elementwise ops share: values at which arithmetic goes wrong first, and ops over
// all pairs of them, on every instruction set, beside plain code.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <tuple>
#include <type_traits>
#include <vector>

#include "ops/expect.h"
#include "support/nests.h"
#include "support/random.h"

namespace weft::testing {

template <class T>
inline constexpr bool is_half = std::is_same_v<T, float16_t> || std::is_same_v<T, bfloat16_t>;
template <class T>
inline constexpr bool is_float = std::is_floating_point_v<T> || is_half<T>;
/// What numbers are computed as: f16 and bf16 as f32.
template <class T>
using Computed = std::conditional_t<is_half<T>, float, T>;

using IntegerTypes = std::tuple<std::int8_t, std::int16_t, std::int32_t, std::int64_t, std::uint8_t,
                                std::uint16_t, std::uint32_t, std::uint64_t>;
using FloatTypes = std::tuple<float16_t, bfloat16_t, float, double>;
using RealTypes = decltype(std::tuple_cat(IntegerTypes(), FloatTypes()));

/// Calls `body` with a value of each type of the list.
template <class Types, class Body>
void for_each_type(const Body& body) {
  std::apply(
      [&](auto... zeros) {
        const auto one = [&](auto zero) {
          INFO(dtype_of<decltype(zero)>.name());
          body(zero);
        };
        (one(zeros), ...);
      },
      Types());
}

/// Zeros, ends of ranges, neighbours of powers of two, what is no number, and random ones.
template <class T>
std::vector<T> telling_values() {
  std::vector<T> values;
  Random random(1);
  if constexpr (is_float<T>) {
    using C = Computed<T>;
    using Limits = std::numeric_limits<C>;
    for (const double x : {0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 0.1, 7.0, 10.25, 88.0, 300.0, 65504.0,
                           1e-3, 16777216.0, 1e30, 0.70710678})
      for (const double sign : {1.0, -1.0})
        values.push_back(T(static_cast<C>(static_cast<C>(sign) * x)));
    for (const C x : {Limits::infinity(), Limits::max(), Limits::min(), Limits::denorm_min(),
                      Limits::epsilon(), static_cast<C>(6e-8)})
      for (const int sign : {1, -1}) values.push_back(T(static_cast<C>(static_cast<C>(sign) * x)));
    values.push_back(T(Limits::quiet_NaN()));
    for (int k = 0; k < 6; ++k)
      values.push_back(T(static_cast<C>(static_cast<double>(random.in(-1000000, 1000000)) / 7919)));
  } else {
    using Limits = std::numeric_limits<T>;
    for (const int x :
         {0, 1, 2, 3, 5, 7, 8, 9, 15, 16, 31, 32, 33, 63, 64, 100, -1, -2, -3, -7, -9})
      values.push_back(static_cast<T>(x));
    for (const int k : {0, 1, 2}) {
      values.push_back(static_cast<T>(Limits::max() - k));
      values.push_back(static_cast<T>(Limits::min() + k));
      values.push_back(static_cast<T>(Limits::max() / 2 + k));
    }
    for (int k = 0; k < 6; ++k) values.push_back(static_cast<T>(random.bits()));
  }
  return values;
}

/// The same bits, or both NaN.
template <class T>
bool is_same(T a, T b) {
  if constexpr (is_float<T>) {
    const auto x = static_cast<Computed<T>>(a), y = static_cast<Computed<T>>(b);
    if (x != x || y != y) return x != x && y != y;
  }
  return std::memcmp(&a, &b, sizeof(T)) == 0;
}
/// The same number, or both NaN: zeros may have either sign.
template <class T>
bool is_same_number(T a, T b) {
  const auto x = static_cast<Computed<T>>(a), y = static_cast<Computed<T>>(b);
  return x == y || (x != x && y != y);
}

/// What an op made is `expected`, element by element, where `holds` says so of the two; by a plan,
/// and by none where it is small.
template <class T, class Holds>
void check_made(const Tensor& made, const std::vector<T>& expected, const Holds& holds) {
  REQUIRE(made.dtype() == dtype_of<T>);
  REQUIRE(made.size() == std::ssize(expected));
  std::vector<std::byte> planned(static_cast<std::size_t>(made.bytes()));
  eval_into(made, planned.data(), made.bytes(), {.may_measure = false});
  const Tensor value = made.eval();
  const T* const got = value.data<T>();
  REQUIRE(std::memcmp(planned.data(), got, planned.size()) == 0);
  for (std::size_t k = 0; k < expected.size(); ++k)
    if (!holds(got[k], expected[k])) {
      INFO("element ", k, ": ", +static_cast<Computed<T>>(got[k]), ", expected ",
           +static_cast<Computed<T>>(expected[k]));
      FAIL("the op makes another value");
    }
}
template <class T>
void check_made(const Tensor& made, const std::vector<T>& expected) {
  check_made(made, expected, is_same<T>);
}

/// An op of one, of values that fill several groups and a part of one, against a function of one;
/// of a tensor that stands still as well.
template <class T, class Op, class Function, class Made = std::invoke_result_t<Function, T>,
          class Holds = bool (*)(Made, Made)>
void check_of_one(const Op& op, const Function& function, const std::vector<T>& values,
                  const Holds& holds = is_same<Made>) {
  std::vector<T> many;
  std::vector<Made> expected;
  const std::size_t count = values.size() < 700 ? 703 : values.size();
  for (std::size_t k = 0; k < count; ++k) {
    many.push_back(values[k % values.size()]);
    expected.push_back(function(many.back()));
  }
  on_every_target([&] {
    check_made<Made>(op(from_vector(many)), expected, holds);
    const std::vector<Made> still(5, expected[3]);
    check_made<Made>(op(scalar(many[3]).broadcast_to({5})), still, holds);
  });
}

/// An op of two, of all pairs of values: both in place, each of them standing still along rows or
/// columns, each of them one element.
template <class T, class Op, class Function, class Made = std::invoke_result_t<Function, T, T>,
          class Holds = bool (*)(Made, Made)>
void check_of_two(const Op& op, const Function& function, const std::vector<T>& values,
                  const Holds& holds = is_same<Made>) {
  const std::int64_t n = std::ssize(values);
  std::vector<Made> expected;
  for (const T x : values)
    for (const T y : values) expected.push_back(function(x, y));
  const Tensor column = from_vector(values, {n, 1}), row = from_vector(values, {1, n});
  const Tensor rows = column.broadcast_to({n, n}).eval(), columns = row.broadcast_to({n, n}).eval();
  on_every_target([&] {
    check_made<Made>(op(column, row), expected, holds);
    check_made<Made>(op(rows, columns), expected, holds);
    check_made<Made>(op(rows, row), expected, holds);
    check_made<Made>(op(column, columns), expected, holds);
    check_made<Made>(op(columns.transpose(), rows.transpose()), expected, holds);
    for (const std::size_t k : {std::size_t{0}, values.size() / 2, values.size() - 1}) {
      std::vector<Made> first, second;
      for (const T x : values) {
        first.push_back(function(values[k], x));
        second.push_back(function(x, values[k]));
      }
      check_made<Made>(op(scalar(values[k]), from_vector(values)), first, holds);
      check_made<Made>(op(from_vector(values), scalar(values[k])), second, holds);
    }
  });
}

/// A call of an op of two on the value of a drawing, and one like it or that is broadcast to it.
inline void draw_of_two(Drawing& drawing, std::string_view op) {
  Random& random = drawing.random();
  List shape = drawing.shape();
  for (std::int64_t& extent : shape)
    if (random.one_in(4)) extent = 1;
  if (random.one_in(5))
    shape.erase(shape.begin(),
                shape.begin() + static_cast<std::ptrdiff_t>(random.below(shape.size() + 1)));
  const std::size_t x = drawing.x(), y = drawing.value_like(shape);
  if (random.one_in(2)) drawing.add(op, {x, y}, {});
  else drawing.add(op, {y, x}, {});
}

/// One of the names.
template <std::size_t count>
std::string_view any_of(Random& random, const std::string_view (&names)[count]) {
  return names[random.below(count)];
}

inline bool is_real(DType type) {
  return type.is_integer() || type == f16 || type == bf16 || type == f32 || type == f64;
}
inline bool is_complex(DType type) { return type == c64 || type == c128; }
inline bool is_floating(DType type) { return is_real(type) && !type.is_integer(); }

}  // namespace weft::testing

// SPDX-License-Identifier: Apache-2.0
// Sums, differences, products and signs.
#include <complex>

#include "ops/elementwise/values.h"

using namespace weft;
using namespace weft::testing;

namespace {

/// A sum, difference or product of integers that wrap, or of floating-point numbers that are
/// rounded once.
template <class T, class Function>
T computed(const Function& function, T x, T y) {
  if constexpr (is_float<T>)
    return T(function(static_cast<Computed<T>>(x), static_cast<Computed<T>>(y)));
  else
    return static_cast<T>(function(static_cast<std::uint64_t>(x), static_cast<std::uint64_t>(y)));
}

template <class Op, class Function>
void check_all_types(const Op& op, const Function& function) {
  for_each_type<RealTypes>([&]<class T>(T) {
    check_of_two<T>(
        op, [&](T x, T y) { return computed(function, x, y); }, telling_values<T>());
  });
}

}  // namespace

TEST_CASE("add, subtract, multiply: integers wrap, floating-point numbers are rounded once") {
  check_all_types([](const Tensor& x, const Tensor& y) { return add(x, y); },
                  [](auto x, auto y) { return x + y; });
  check_all_types([](const Tensor& x, const Tensor& y) { return subtract(x, y); },
                  [](auto x, auto y) { return x - y; });
  check_all_types([](const Tensor& x, const Tensor& y) { return multiply(x, y); },
                  [](auto x, auto y) { return x * y; });
}

TEST_CASE("fma: rounds once, and integers wrap") {
  for_each_type<RealTypes>([]<class T>(T) {
    const std::vector<T> values = telling_values<T>();
    for (const T z : {values[1], values[4], values[values.size() - 2]})
      check_of_two<T>(
          [&](const Tensor& x, const Tensor& y) { return fma(x, y, scalar(z)); },
          [&](T x, T y) {
            using C = Computed<T>;
            if constexpr (is_float<T>)
              return T(std::fma(static_cast<C>(x), static_cast<C>(y), static_cast<C>(z)));
            else
              return static_cast<T>(static_cast<std::uint64_t>(x) * static_cast<std::uint64_t>(y) +
                                    static_cast<std::uint64_t>(z));
          },
          values);
  });
  const double x = 1 + std::ldexp(1.0, -30);
  expect<double>(fma(array({x}), array({x}), -x * x), {1}, {std::ldexp(1.0, -60)});
  expect<double>(array({x}) * x + -x * x, {1}, {0.0});
}

TEST_CASE("negative, abs, sign, square: the least integer is its own negative") {
  for_each_type<RealTypes>([]<class T>(T) {
    using C = Computed<T>;
    const auto check = [](const auto& op, const auto& function) {
      check_of_one<T>(
          op, [&](T x) { return static_cast<T>(function(static_cast<C>(x))); },
          telling_values<T>());
    };
    using Wrapping = std::conditional_t<is_float<T>, C, std::uint64_t>;
    const auto minus = [](C x) {
      if constexpr (is_float<T>) return -x;
      else return 0 - static_cast<Wrapping>(x);
    };
    check([](const Tensor& x) { return negative(x); }, minus);
    check([](const Tensor& x) { return abs(x); },
          [&](C x) {
            if constexpr (is_float<T>) return std::fabs(x);
            else return x < 0 ? minus(x) : static_cast<Wrapping>(x);
          });
    check([](const Tensor& x) { return sign(x); },
          [](C x) { return x != x ? x : static_cast<C>((x > 0) - (x < 0)); });
    check([](const Tensor& x) { return square(x); },
          [](C x) { return static_cast<Wrapping>(x) * static_cast<Wrapping>(x); });
  });
  expect<std::int8_t>(abs(array({std::int8_t{-128}})), {1}, {-128});
  expect<float>(negative(array({0.0f})), {1}, {-0.0f});
  expect<float>(sign(array({-0.0f})), {1}, {0.0f});
}

TEST_CASE("positive: x itself") {
  const Tensor x = iota<float>(3);
  CHECK(&positive(x).node() == &x.node());
  CHECK(&(+x).node() == &x.node());
}

TEST_CASE("arithmetic of complex numbers") {
  using C = std::complex<float>;
  const Tensor x = array({C(1, 2), C(-3, 0.5f)}), y = array({C(4, -1), C(0, 2)});
  expect<C>(x + y, {2}, {C(5, 1), C(-3, 2.5f)});
  expect<C>(x - y, {2}, {C(-3, 3), C(-3, -1.5f)});
  expect<C>(x * y, {2}, {C(6, 7), C(-1, -6)});
  expect<C>(y / array({C(0, 2), C(0, 2)}), {2}, {C(-0.5f, -2), C(1, 0)});
  expect<C>(-x, {2}, {C(-1, -2), C(3, -0.5f)});
  expect<C>(square(x), {2}, {C(-3, 4), C(8.75f, -3)});
  expect<float>(abs(array({C(3, 4), C(0, -2)})), {2}, {5.0f, 2.0f});
  expect<C>(x * 2, {2}, {C(2, 4), C(-6, 1)});
  const Tensor wide = x + array({std::complex<double>(1, 1)});
  CHECK(wide.dtype() == c128);
  CHECK(abs(wide).dtype() == f64);
  expect<float>(abs(x.flip() * 0), {2}, {0.0f, 0.0f});
}

namespace weft::testing {

void draw_arithmetic(Drawing& drawing) {
  const DType type = drawing.dtype_of(drawing.x());
  if (!is_real(type) && !is_complex(type)) return;
  Random& random = drawing.random();
  if (random.one_in(3)) drawing.add(any_of(random, {"negative", "square"}), {drawing.x()}, {});
  else draw_of_two(drawing, any_of(random, {"add", "subtract", "multiply"}));
}

void draw_sign(Drawing& drawing) {
  if (is_real(drawing.dtype_of(drawing.x())))
    drawing.add(any_of(drawing.random(), {"abs", "sign"}), {drawing.x()}, {});
}

}  // namespace weft::testing

// SPDX-License-Identifier: Apache-2.0
// Comparisons, and what numbers are.
#include <complex>

#include "ops/elementwise/values.h"

using namespace weft;
using namespace weft::testing;

namespace {

template <class Op, class Function>
void check_comparison(const Op& op, const Function& function) {
  for_each_type<RealTypes>([&]<class T>(T) {
    check_of_two<T>(
        op,
        [&](T x, T y) {
          return function(static_cast<Computed<T>>(x), static_cast<Computed<T>>(y));
        },
        telling_values<T>(), is_same<bool>);
  });
}
template <class Types, class Op, class Function>
void check_predicate(const Op& op, const Function& function) {
  for_each_type<Types>([&]<class T>(T) {
    check_of_one<T>(
        op, [&](T x) { return bool{function(static_cast<Computed<T>>(x))}; }, telling_values<T>(),
        is_same<bool>);
  });
}

}  // namespace

TEST_CASE("comparisons: false of NaN, not_equal true") {
  check_comparison([](const Tensor& x, const Tensor& y) { return equal(x, y); },
                   [](auto x, auto y) { return x == y; });
  check_comparison([](const Tensor& x, const Tensor& y) { return not_equal(x, y); },
                   [](auto x, auto y) { return x != y; });
  check_comparison([](const Tensor& x, const Tensor& y) { return less(x, y); },
                   [](auto x, auto y) { return x < y; });
  check_comparison([](const Tensor& x, const Tensor& y) { return less_equal(x, y); },
                   [](auto x, auto y) { return x <= y; });
  check_comparison([](const Tensor& x, const Tensor& y) { return greater(x, y); },
                   [](auto x, auto y) { return x > y; });
  check_comparison([](const Tensor& x, const Tensor& y) { return greater_equal(x, y); },
                   [](auto x, auto y) { return x >= y; });
}

TEST_CASE("equal, not_equal: of bool and complex numbers too") {
  using C = std::complex<double>;
  expect<bool>(equal(array({true, false}), array({true, true})), {2}, {true, false});
  expect<bool>(array({C(1, 2), C(1, 3)}) != array({C(1, 2)}), {2}, {false, true});
  expect<bool>(array({true, false}) == false, {2}, {false, true});
  // Any byte but 0 is true.
  const std::uint8_t bytes[] = {1, 2, 0};
  expect<bool>(equal(copy_from(bytes, bool_, {3}), true), {3}, {true, true, false});
}

TEST_CASE("comparisons: signed and unsigned integers meet in what holds both") {
  expect<bool>(less(array({-1}), array({1u})), {1}, {true});
  expect<bool>(equal(array({std::int8_t{-1}}), array({std::uint8_t{255}})), {1}, {false});
}

TEST_CASE("isnan, isinf, isfinite, signbit: of floating-point numbers and integers") {
  check_predicate<RealTypes>([](const Tensor& x) { return isnan(x); },
                             [](auto x) { return x != x; });
  check_predicate<FloatTypes>([](const Tensor& x) { return isinf(x); },
                              [](auto x) { return std::isinf(x); });
  check_predicate<FloatTypes>([](const Tensor& x) { return isfinite(x); },
                              [](auto x) { return std::isfinite(x); });
  check_predicate<FloatTypes>([](const Tensor& x) { return signbit(x); },
                              [](auto x) { return std::signbit(x); });
  check_predicate<IntegerTypes>([](const Tensor& x) { return isinf(x); },
                                [](auto) { return false; });
  check_predicate<IntegerTypes>([](const Tensor& x) { return isfinite(x); },
                                [](auto) { return true; });
  check_predicate<IntegerTypes>([](const Tensor& x) { return signbit(x); },
                                [](auto x) { return x < 0; });
}

TEST_CASE("copysign: signs of zeros and NaN count") {
  for_each_type<FloatTypes>([]<class T>(T) {
    using C = Computed<T>;
    check_of_two<T>([](const Tensor& x, const Tensor& y) { return copysign(x, y); },
                    [](T x, T y) { return T(std::copysign(static_cast<C>(x), static_cast<C>(y))); },
                    telling_values<T>());
  });
  CHECK(std::signbit(copysign(array({std::nanf("")}), -0.0f).item<float>()));
}

namespace weft::testing {

void draw_comparison(Drawing& drawing) {
  Random& random = drawing.random();
  const DType type = drawing.dtype_of(drawing.x());
  if (!is_real(type) && !is_complex(type)) return;
  const std::size_t x = drawing.x(), y = drawing.value_like(drawing.shape());
  const std::string_view op =
      is_real(type) ? any_of(random, {"less", "less_equal", "greater", "greater_equal", "equal"})
                    : any_of(random, {"equal", "not_equal"});
  const std::size_t holds = drawing.add(op, {x, y}, {});
  drawing.add("where", {holds, y, x}, {});
}

void draw_predicates(Drawing& drawing) {
  if (!is_real(drawing.dtype_of(drawing.x()))) return;
  const std::size_t x = drawing.x();
  const std::size_t holds =
      drawing.add(any_of(drawing.random(), {"isnan", "isinf", "isfinite", "signbit"}), {x}, {});
  drawing.add("where", {holds, x, drawing.value_like(drawing.shape())}, {});
}

}  // namespace weft::testing

// SPDX-License-Identifier: Apache-2.0
// floor, ceil, round and trunc.
#include "ops/elementwise/values.h"

using namespace weft;
using namespace weft::testing;

namespace {

template <class Op, class Function>
void check_rounding(const Op& op, const Function& function) {
  for_each_type<FloatTypes>([&]<class T>(T) {
    std::vector<T> values = telling_values<T>();
    // Halves, and numbers about 2^23 and 2^52, where the last fractions are.
    for (const double x :
         {3.5, 4.5, 0.49999997, 8388607.5, 8388608.5, 4503599627370495.5, 1e18, 0.75})
      for (const double sign : {1.0, -1.0}) values.push_back(T(static_cast<Computed<T>>(sign * x)));
    check_of_one<T>(
        op, [&](T x) { return T(function(static_cast<Computed<T>>(x))); }, values);
  });
}

}  // namespace

TEST_CASE("rounding: each direction, zeros keep their signs") {
  check_rounding([](const Tensor& x) { return floor(x); }, [](auto x) { return std::floor(x); });
  check_rounding([](const Tensor& x) { return ceil(x); }, [](auto x) { return std::ceil(x); });
  check_rounding([](const Tensor& x) { return trunc(x); }, [](auto x) { return std::trunc(x); });
  check_rounding([](const Tensor& x) { return round(x); },
                 [](auto x) {
                   if (!std::isfinite(x)) return x;
                   return std::copysign(x - std::remainder(x, decltype(x){1}), x);
                 });
  expect<float>(round(array({0.5f, 1.5f, 2.5f, -0.5f, -2.5f})), {5}, {0.f, 2.f, 2.f, -0.f, -2.f});
  expect<float>(ceil(array({-0.5f})), {1}, {-0.f});
}

namespace weft::testing {

void draw_rounding(Drawing& drawing) {
  if (is_floating(drawing.dtype_of(drawing.x())))
    drawing.add(any_of(drawing.random(), {"floor", "ceil", "round", "trunc"}), {drawing.x()}, {});
}

}  // namespace weft::testing

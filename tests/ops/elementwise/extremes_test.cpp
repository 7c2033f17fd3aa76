// SPDX-License-Identifier: Apache-2.0
// minimum, maximum and clip.
#include <algorithm>

#include "ops/elementwise/values.h"

using namespace weft;
using namespace weft::testing;

namespace {

/// The smaller one, or the larger one; NaN where either is.
template <class T>
T extreme(T x, T y, bool is_larger) {
  const auto a = static_cast<Computed<T>>(x), b = static_cast<Computed<T>>(y);
  if (a != a) return x;
  if (b != b) return y;
  return is_larger ? (a > b ? x : y) : (a < b ? x : y);
}

}  // namespace

TEST_CASE("minimum, maximum: NaN wins") {
  for_each_type<RealTypes>([]<class T>(T) {
    check_of_two<T>([](const Tensor& x, const Tensor& y) { return minimum(x, y); },
                    [](T x, T y) { return extreme(x, y, false); }, telling_values<T>(),
                    is_same_number<T>);
    check_of_two<T>([](const Tensor& x, const Tensor& y) { return maximum(x, y); },
                    [](T x, T y) { return extreme(x, y, true); }, telling_values<T>(),
                    is_same_number<T>);
  });
}

TEST_CASE("clip: within its limits, the upper one where they cross, NaN where one is") {
  for_each_type<RealTypes>([]<class T>(T) {
    const std::vector<T> values = telling_values<T>();
    for (const T high : {values[2], values[9], values[values.size() - 7]})
      check_of_two<T>([&](const Tensor& x, const Tensor& y) { return clip(x, y, scalar(high)); },
                      [&](T x, T y) { return extreme(extreme(x, y, true), high, false); }, values,
                      is_same_number<T>);
  });
  expect<int>(clip(array({-5, 3, 9}), 0, 4), {3}, {0, 3, 4});
  expect<int>(array({-5, 3, 9}).clip(array({0, 4, 4}), 5), {3}, {0, 4, 5});
  expect<int>(clip(array({-5, 3, 9}), -2, array({0, 1, 2})), {3}, {-2, 1, 2});
  expect<int>(clip(array({-5, 3, 9}), 4, 0), {3}, {0, 0, 0});
  expect<float>(minimum(array({1.0f, 7.0f}), 3), {2}, {1.0f, 3.0f});
  expect<float>(maximum(2.5f, array({1.0f, 7.0f})), {2}, {2.5f, 7.0f});
}

namespace weft::testing {

void draw_extremes(Drawing& drawing) {
  if (!is_real(drawing.dtype_of(drawing.x()))) return;
  Random& random = drawing.random();
  if (!random.one_in(4)) return draw_of_two(drawing, any_of(random, {"minimum", "maximum"}));
  const std::size_t x = drawing.x(), low = drawing.value_like(drawing.shape());
  drawing.add("clip", {x, low, drawing.leaf({})}, {});
}

}  // namespace weft::testing

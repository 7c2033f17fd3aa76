// SPDX-License-Identifier: Apache-2.0
// pow, sqrt, and powers of integers.
#include "ops/elementwise/values.h"

using namespace weft;
using namespace weft::testing;

namespace {

/// By multiplying as often as it takes, of bits that repeat after at most 64 squares.
template <class T>
T power(T x, T y) {
  if (y < 0) {
    if (x == 1) return 1;
    if (x == static_cast<T>(-1)) return y % 2 == 0 ? T{1} : x;
    return 0;
  }
  std::uint64_t made = 1;
  for (int k = 63; k >= 0; --k) {
    made *= made;
    if (static_cast<std::uint64_t>(y) >> k & 1) made *= static_cast<std::uint64_t>(x);
  }
  return static_cast<T>(made);
}

}  // namespace

TEST_CASE("pow: integers wrap, and are 0 below a power of 0 but for 1 and -1") {
  for_each_type<IntegerTypes>([]<class T>(T) {
    check_of_two<T>([](const Tensor& x, const Tensor& y) { return pow(x, y); }, power<T>,
                    telling_values<T>());
  });
  expect<int>(pow(array({2, -1, 1, 0, -3}), array({-1, -3, -2, -1, 3})), {5}, {0, -1, 1, 0, -27});
  expect<int>(pow(array({0, 5}), 0), {2}, {1, 1});
  expect<std::uint8_t>(pow(array({std::uint8_t{3}}), 6), {1}, {729 % 256});
}

TEST_CASE("sqrt: rounded once, NaN below 0") {
  for_each_type<FloatTypes>([]<class T>(T) {
    using C = Computed<T>;
    check_of_one<T>([](const Tensor& x) { return sqrt(x); },
                    [](T x) { return T(std::sqrt(static_cast<C>(x))); }, telling_values<T>());
  });
}

namespace weft::testing {

void draw_powers(Drawing& drawing) {
  const DType type = drawing.dtype_of(drawing.x());
  if (is_floating(type)) drawing.add("sqrt", {drawing.x()}, {});
  else if (type.is_integer()) draw_of_two(drawing, "pow");
}

}  // namespace weft::testing

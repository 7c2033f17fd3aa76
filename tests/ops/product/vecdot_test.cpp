// SPDX-License-Identifier: Apache-2.0
// vecdot.
#include "ops/expect.h"
#include "ops/product/matrices.h"

using namespace weft;
using namespace weft::testing;

namespace {

TEST_CASE("vecdot: of every type, along any axis") {
  const auto check = []<class T>(T) {
    for (std::uint64_t seed = 100; seed < 120; ++seed) {
      CAPTURE(seed);
      Random random(seed);
      const std::int64_t rows = random.in(1, 9), inner = random.in(1, 400);
      const Tensor x = somehow_lying<T>(random, {rows, inner}),
                   y = somehow_lying<T>(random, {rows, inner});
      const Tensor made = vecdot(x, y);
      CHECK(made.dtype() == dtype_of<T>);
      CHECK(made.shape() == Shape{rows});
      check_matrices<T>(made, x, y, rows, 1, inner, 1);
      check_matrices<T>(vecdot(x.transpose(), y.transpose(), 0), x, y, rows, 1, inner, 1);
    }
  };
  for_each_type<IntegerTypes>(check);
  for_each_type<FloatTypes>(check);
}

TEST_CASE("vecdot: other axes are broadcast, of nothing 0") {
  const Tensor x = full<int>({2, 1, 3}, 2), y = full<int>({4, 3}, 3);
  CHECK(vecdot(x, y).shape() == Shape{2, 4});
  expect(vecdot(x, y), {2, 4}, std::vector<int>(8, 18));
  expect(vecdot(full<int>({2, 0}, 1), full<int>({2, 0}, 1)), {2}, {0, 0});
}

TEST_CASE("vecdot: refuses") {
  refuses<ShapeError>("shape_mismatch", "vecdot: 4 elements meet 5 elements ([3, 4] and [5])", [] {
    return vecdot(full<float>({3, 4}, 1), full<float>({5}, 1));
  });
  CHECK_THROWS_AS(vecdot(full<float>({3}, 1), full<float>({3}, 1), 1), AxisError);
}

}  // namespace

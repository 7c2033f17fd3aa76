// SPDX-License-Identifier: Apache-2.0
// tensordot.
#include "ops/expect.h"
#include "ops/product/matrices.h"

using namespace weft;
using namespace weft::testing;

namespace {

TEST_CASE("tensordot: by a number of axes") {
  Random random(100);
  const Tensor x = random_values<double>(random, {2, 3, 4, 5}),
               y = random_values<double>(random, {4, 5, 6});
  CHECK(tensordot(x, y).shape() == Shape{2, 3, 6});
  check_matrices<double>(x.tensordot(y), x, y, 1, 6, 20, 6);
  CHECK(tensordot(y, x, 0).shape() == Shape{4, 5, 6, 2, 3, 4, 5});
  check_matrices<double>(tensordot(y, x, 0), y, x, 1, 120, 1, 120);
  check_matrices<double>(tensordot(y, y, 3), y, y, 1, 1, 120, 1);
}

TEST_CASE("tensordot: by lists of axes") {
  Random random(200);
  const Tensor x = random_values<float>(random, {4, 2, 5, 3}),
               y = random_values<float>(random, {5, 6, 4});
  const Tensor made = tensordot(x, y, {0, -2}, {2, 0});
  CHECK(made.shape() == Shape{2, 3, 6});
  check_matrices<float>(made, x.transpose({1, 3, 0, 2}), y.transpose({2, 0, 1}), 1, 6, 20, 6);
}

TEST_CASE("tensordot: refuses") {
  const Tensor x = full<float>({3, 4}, 1);
  refuses<ShapeError>("shape_mismatch", "tensordot: 4 elements meet 3 elements ([3, 4] and [3, 4])",
                      [&] { return tensordot(x, x, 1); });
  refuses<ParameterError>("bad_value", "tensordot: axes is 3, expected 0 to 2 ([3, 4] and [3, 4])",
                          [&] { return tensordot(x, x, 3); });
  refuses<ParameterError>("length_mismatch",
                          "tensordot: other_axes has 1 entries, expected 2 as axes has", [&] {
                            return tensordot(x, x, {0, 1}, {0});
                          });
  CHECK_THROWS_AS(tensordot(x, x, {0, 0}, {0, 1}), AxisError);
  CHECK_THROWS_AS(tensordot(x, x, 2, 1), AxisError);
}

}  // namespace

// SPDX-License-Identifier: Apache-2.0
// swapaxes: two axes that change places.
#include "ops/expect.h"

using namespace weft;
using namespace weft::testing;

TEST_CASE("swapaxes: swaps two axes, whichever is named first") {
  const Tensor x = iota<int>({2, 3, 4});
  expect<int>(iota<int>({2, 3}).swapaxes(0, 1), {3, 2}, {0, 3, 1, 4, 2, 5});
  expect_same(x.swapaxes(0, 2), x.transpose({2, 1, 0}));
  expect_same(x.swapaxes(-1, 0), x.transpose({2, 1, 0}));
  expect_same(x.swapaxes({1}, {2}), x.transpose({0, 2, 1}));
}

TEST_CASE("swapaxes: an axis with itself stays, and twice is its own gradient") {
  const Tensor x = iota<int>({2, 3, 4});
  expect_same(x.swapaxes(1, -2), x);
  expect_same(x.swapaxes(0, 1).swapaxes(0, 1), x);
  CHECK(iota<int>({2, 0, 3}).swapaxes(0, 1).shape() == Shape{0, 2, 3});
}

TEST_CASE("swapaxes: axes of another type, rank or length are refused, in that order") {
  const Tensor x = iota<int>({2, 3});
  refuses<DtypeError>("dtype_mismatch", "swapaxes: axis2 is f32, expected an integer type",
                      [&] { x.swapaxes(array({{9}}), ints_of(f32, 0, {9})); });
  refuses<ParameterError>("bad_rank", "swapaxes: axis2 has rank 2, expected a scalar or a list",
                          [&] {
                            x.swapaxes({9, 9}, array({{9}}));
                          });
  refuses<ParameterError>("length_mismatch", "swapaxes: axis1 has 2 entries, expected one", [&] {
    x.swapaxes({9, 9}, 0);
  });
}

TEST_CASE("swapaxes: axes out of range are refused") {
  const Tensor x = iota<int>({2, 3});
  refuses<AxisError>("bad_axis", "swapaxes: axis 2 is out of range for rank 2 (shape [2, 3])",
                     [&] { x.swapaxes(0, 2); });
  refuses<AxisError>("bad_axis", "swapaxes: axis 0 is out of range for rank 0 (shape [])",
                     [] { scalar(1).swapaxes(0, 0); });
  CHECK_THROWS_AS(x.swapaxes(lowest, 0), AxisError);
  CHECK_THROWS_AS(x.swapaxes(0, highest), AxisError);
  CHECK_THROWS_AS(x.swapaxes(u64s({18446744073709551615u}), 0), AxisError);
}

TEST_CASE("swapaxes: moves the bytes of any element, and leaves its operand") {
  moves_any_element({3, 5, 2}, [](const Tensor& x) { return x.swapaxes(0, 2); });
}

TEST_CASE("swapaxes: swaps what is known of the extents; axes that are not known open all") {
  CHECK(shape_of(open({"n", Dim(1, 4), 5}).swapaxes(0, -1)) == "[5, 1..4, n]");
  CHECK(shape_of(open({"n", 4, 5}).swapaxes(integers({1}), 0)) == "[?, ?, ?]");
  CHECK(shape_of(open(PartialShape::any()).swapaxes(0, 1)) == "[...]");
  CHECK_THROWS_WITH_AS(open({"n", 4}).swapaxes(0, 2),
                       "swapaxes: axis 2 is out of range for rank 2 (shape [n, 4])", AxisError);
}

namespace weft::testing {

void draw_swapaxes(Drawing& drawing) {
  const std::size_t rank = drawing.rank();
  if (rank == 0) return;
  drawing.add("swapaxes", {drawing.x()},
              {List{drawing.with_sign(drawing.random_axis(), rank)},
               List{drawing.with_sign(drawing.random_axis(), rank)}});
}

}  // namespace weft::testing

// SPDX-License-Identifier: Apache-2.0
// moveaxis: some axes moved, the others in their order.
#include "ops/expect.h"

using namespace weft;
using namespace weft::testing;

TEST_CASE("moveaxis: the examples of NumPy") {
  const Tensor x = iota<int>({3, 4, 5});
  CHECK(x.moveaxis(0, -1).shape() == Shape{4, 5, 3});
  CHECK(x.moveaxis(-1, 0).shape() == Shape{5, 3, 4});
  CHECK(x.moveaxis({0, 1}, {-1, -2}).shape() == Shape{5, 4, 3});
  CHECK(x.moveaxis({0, 1, 2}, {-1, -2, -3}).shape() == Shape{5, 4, 3});
}

TEST_CASE("moveaxis: moves the elements, and keeps the order of the axes that are not named") {
  const Tensor x = iota<int>({2, 3, 1, 4});
  expect<int>(iota<int>({2, 3}).moveaxis(0, 1), {3, 2}, {0, 3, 1, 4, 2, 5});
  expect_same(x.moveaxis({3, 0}, {0, 2}), x.transpose({3, 1, 0, 2}));
  expect_same(x.moveaxis(1, 3), x.transpose({0, 2, 3, 1}));
}

TEST_CASE("moveaxis: without axes moves none, so does a move to the same place") {
  const Tensor x = iota<int>({2, 3});
  expect_same(x.moveaxis({}, {}), x);
  expect_same(x.moveaxis({1, 0}, {1, 0}), x);
  expect_same(x.moveaxis({1}, -1), x);
  expect<int>(scalar(5).moveaxis({}, {}), {}, {5});
  CHECK(iota<int>({2, 0, 3}).moveaxis(1, 0).shape() == Shape{0, 2, 3});
}

TEST_CASE("moveaxis: from destination to source is its gradient") {
  const Tensor x = iota<int>({2, 3, 4});
  expect_same(x.moveaxis({2, 0}, {0, 1}).moveaxis({0, 1}, {2, 0}), x);
}

TEST_CASE("moveaxis: parameters of another type, rank or length are refused, in that order") {
  const Tensor x = iota<int>({2, 3});
  refuses<DtypeError>("dtype_mismatch", "moveaxis: destination is f32, expected an integer type",
                      [&] { x.moveaxis(array({{9}}), ints_of(f32, 1, {9})); });
  refuses<ParameterError>("bad_rank",
                          "moveaxis: destination has rank 2, expected a scalar or a list", [&] {
                            x.moveaxis({9, 9}, array({{9}}));
                          });
  refuses<ParameterError>("bad_rank", "moveaxis: source is none, expected a scalar or a list",
                          [&] { x.moveaxis(none, 0); });
  refuses<ParameterError>("length_mismatch",
                          "moveaxis: destination [1] has 1 entries, expected 2 as source [9, 0]",
                          [&] {
                            x.moveaxis({9, 0}, {1});
                          });
}

TEST_CASE("moveaxis: axes out of range are refused before axes named twice") {
  const Tensor x = iota<int>({2, 3});
  refuses<AxisError>("bad_axis", "moveaxis: axis 3 is out of range for rank 2 (shape [2, 3])", [&] {
    x.moveaxis({0, 0}, {0, 3});
  });
  refuses<AxisError>("bad_axis", "moveaxis: axis -3 is out of range for rank 2 (shape [2, 3])",
                     [&] { x.moveaxis(-3, 0); });
  refuses<AxisError>("bad_axis", "moveaxis: axis 0 is out of range for rank 0 (shape [])",
                     [] { scalar(1).moveaxis(0, 0); });
  refuses<AxisError>("duplicate_axes", "moveaxis: axis 1 is named twice in axes [1, -1] (rank 2)",
                     [&] {
                       x.moveaxis({1, -1}, {0, 1});
                     });
  refuses<AxisError>("duplicate_axes", "moveaxis: axis 0 is named twice in axes [0, 0] (rank 2)",
                     [&] {
                       x.moveaxis({1, 0}, {0, 0});
                     });
  CHECK_THROWS_AS(x.moveaxis(lowest, 0), AxisError);
  CHECK_THROWS_AS(x.moveaxis(0, highest), AxisError);
  CHECK_THROWS_AS(x.moveaxis(u64s({18446744073709551615u}), 0), AxisError);
}

TEST_CASE("moveaxis: moves the bytes of any element, and leaves its operand") {
  moves_any_element({3, 5, 2}, [](const Tensor& x) { return x.moveaxis(0, -1); });
}

TEST_CASE("moveaxis: rank 16 is moved") {
  CHECK(rank_16().moveaxis(0, -1).shape() == Shape{1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2});
}

TEST_CASE("moveaxis: moves what is known of the extents; axes that are not known open all") {
  CHECK(shape_of(open({"n", Dim(1, 4), 5}).moveaxis(0, -1)) == "[1..4, 5, n]");
  CHECK(shape_of(open({"n", 4, 5}).moveaxis({0, 2}, {1, 0})) == "[5, n, 4]");
  CHECK(shape_of(open({"n", 4, 5}).moveaxis(integers({1}), 0)) == "[?, ?, ?]");
  CHECK(shape_of(open(PartialShape::any()).moveaxis(0, 1)) == "[...]");
  CHECK_THROWS_WITH_AS(open({"n", 4}).moveaxis(0, 2),
                       "moveaxis: axis 2 is out of range for rank 2 (shape [n, 4])", AxisError);
  CHECK_THROWS_AS(open({"n", 4}).moveaxis(integers({2}), 0), ParameterError);
}

namespace weft::testing {

void draw_moveaxis(Drawing& drawing) {
  const List source = drawing.random_axes(drawing.rank());
  List destination(drawing.rank());
  for (std::size_t k = 0; k < destination.size(); ++k)
    destination[k] = static_cast<std::int64_t>(k);
  drawing.random().shuffle(destination);
  destination.resize(source.size());
  drawing.add("moveaxis", {drawing.x()},
              {source, drawing.with_signs(std::move(destination), drawing.rank())});
}

}  // namespace weft::testing

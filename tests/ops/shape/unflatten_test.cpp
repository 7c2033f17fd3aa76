// SPDX-License-Identifier: Apache-2.0
// unflatten: one axis parted into several.
#include "ops/expect.h"

using namespace weft;
using namespace weft::testing;

TEST_CASE("unflatten: parts an axis into the extents given, one of them inferred") {
  const Tensor x = iota<int>({2, 12, 5});
  CHECK(x.unflatten(1, {3, 4}).shape() == Shape{2, 3, 4, 5});
  CHECK(x.unflatten(1, {3, -1}).shape() == Shape{2, 3, 4, 5});
  CHECK(x.unflatten(-2, {-1, 2, 2}).shape() == Shape{2, 3, 2, 2, 5});
  CHECK(x.unflatten(2, {1, 5}).shape() == Shape{2, 12, 1, 5});
  CHECK(x.unflatten(1, 12).shape() == Shape{2, 12, 5});
  CHECK(x.unflatten(1, -1).shape() == Shape{2, 12, 5});
  expect<int>(iota<int>({2, 4}).transpose().unflatten(0, {2, 2}), {2, 2, 2},
              {0, 4, 1, 5, 2, 6, 3, 7});
}

TEST_CASE("unflatten: an empty list parts an extent of 1 into no axes") {
  expect<int>(iota<int>({2, 1}).unflatten(1, {}), {2}, {0, 1});
  CHECK_THROWS_AS(iota<int>({2, 1}).unflatten(0, {}), ShapeError);
}

TEST_CASE("unflatten: an extent of 0 needs one of 0, given or inferred") {
  const Tensor x = iota<int>({2, 0});
  CHECK(x.unflatten(1, {0, 3}).shape() == Shape{2, 0, 3});
  CHECK(x.unflatten(1, {3, -1}).shape() == Shape{2, 3, 0});
  CHECK_THROWS_AS(x.unflatten(1, {2, 3}), ShapeError);
  CHECK_THROWS_AS(x.unflatten(1, {0, -1}), ShapeError);
  CHECK_THROWS_AS(iota<int>({2, 6}).unflatten(1, {0, 6}), ShapeError);
  CHECK_THROWS_AS(iota<int>({2, 6}).unflatten(1, {0, -1}), ShapeError);
  CHECK(x.unflatten(1, {0, highest, highest}).shape() == Shape{2, 0, highest, highest});
}

TEST_CASE("unflatten: is undone by flatten") {
  const Tensor x = iota<int>({2, 12});
  expect_same(x.unflatten(1, {3, 4}).flatten(1), x);
}

TEST_CASE("unflatten: parameters of another type, rank or length are refused, in that order") {
  const Tensor x = iota<int>({2, 6});
  refuses<DtypeError>("dtype_mismatch", "unflatten: shape is f32, expected an integer type",
                      [&] { x.unflatten(array({{9}}), ints_of(f32, 1, {6})); });
  refuses<ParameterError>("bad_rank", "unflatten: shape has rank 2, expected a scalar or a list",
                          [&] {
                            x.unflatten({0, 1}, array({{6}}));
                          });
  refuses<ParameterError>("length_mismatch", "unflatten: axis has 2 entries, expected one", [&] {
    x.unflatten({0, 1}, {5});
  });
  refuses<ParameterError>("bad_rank",
                          "unflatten: the result would have rank 17, at most 16 is allowed", [] {
                            rank_16().unflatten(77, {1, 2});
                          });
}

TEST_CASE("unflatten: axes out of range are refused before extents that do not fit") {
  const Tensor x = iota<int>({2, 6});
  refuses<AxisError>("bad_axis", "unflatten: axis 2 is out of range for rank 2 (shape [2, 6])",
                     [&] { x.unflatten(2, {5}); });
  refuses<AxisError>("bad_axis", "unflatten: axis 0 is out of range for rank 0 (shape [])",
                     [] { scalar(1).unflatten(0, {1}); });
  refuses<ShapeError>("shape_mismatch",
                      "unflatten: extent -2 in shape [-2, 3], expected 0 or more, or one -1", [&] {
                        x.unflatten(1, {-2, 3});
                      });
  refuses<ShapeError>("shape_mismatch",
                      "unflatten: extent -1 in shape [-1, -1], expected 0 or more, or one -1", [&] {
                        x.unflatten(1, {-1, -1});
                      });
  refuses<OverflowError>("overflow",
                         "unflatten: extent 18446744073709551615 in shape [18446744073709551615] "
                         "is beyond int64",
                         [&] { x.unflatten(1, u64s({18446744073709551615u})); });
  for (const Ints& shape : {Ints{4}, Ints{4, -1}, Ints{2, 2}, Ints{6, 6}, Ints{highest, highest}})
    refuses<ShapeError>(
        "shape_mismatch",
        "unflatten: shape " + shape.text() + " does not make the extent 6 of axis 1",
        [&] { x.unflatten(1, shape); });
  CHECK_THROWS_AS(x.unflatten(1, {lowest, 6}), ShapeError);
}

TEST_CASE("unflatten: moves the bytes of any element, and leaves its operand") {
  moves_any_element({3, 6}, [](const Tensor& x) { return x.transpose().unflatten(0, {2, 3}); });
}

TEST_CASE("unflatten: keeps what is known of the other axes") {
  CHECK(shape_of(open({"n", 12, "m"}).unflatten(1, {3, -1})) == "[n, 3, 4, m]");
  CHECK(shape_of(open({"n", 12}).unflatten(0, {3, -1})) == "[3, ?, 12]");
  CHECK(shape_of(open({"n", 12}).unflatten(0, {3, 5})) == "[3, 5, 12]");
  const Tensor two = placeholder(i64, {2}), one = placeholder(i64, {1});
  CHECK(shape_of(open({"n", 12}).unflatten(1, two)) == "[n, ?, ?]");
  CHECK(shape_of(open({"n", 12}).unflatten(one, {3, 4})) == "[?, ?, ?]");
  CHECK(shape_of(open({"n"}).unflatten(0, placeholder(i64, {-1}))) == "[...]");
  CHECK(shape_of(open(PartialShape::any()).unflatten(0, {3, 4})) == "[...]");
  CHECK_THROWS_WITH_AS(open({"n", 12}).unflatten(1, {5, 5}),
                       "unflatten: shape [5, 5] does not make the extent 12 of axis 1", ShapeError);
  CHECK_THROWS_WITH_AS(open({"n", 12}).unflatten(2, {5}),
                       "unflatten: axis 2 is out of range for rank 2 (shape [n, 12])", AxisError);
}

namespace weft::testing {

void draw_unflatten(Drawing& drawing) {
  Random& random = drawing.random();
  if (drawing.rank() == 0) return;
  const std::size_t axis = drawing.random_axis();
  const std::int64_t extent = drawing.shape()[axis];
  List shape = extent == 0 ? List{0, random.in(0, 3)} : drawing.factors(extent);
  if (drawing.rank() - 1 + shape.size() > Drawing::most_axes) return;
  if (extent > 0 && !shape.empty() && random.one_in(3)) shape[random.below(shape.size())] = -1;
  drawing.add("unflatten", {drawing.x()}, {List{drawing.with_sign(axis, drawing.rank())}, shape});
}

}  // namespace weft::testing

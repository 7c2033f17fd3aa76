// SPDX-License-Identifier: Apache-2.0
// center_crop: the middle of axes.
#include "ops/expect.h"

using namespace weft;
using namespace weft::testing;

TEST_CASE("center_crop: takes the middle of the last axes") {
  const Tensor x = iota<int>({4, 5});
  expect<int>(x.center_crop({2, 3}), {2, 3}, {6, 7, 8, 11, 12, 13});
  expect<int>(x.center_crop({1}), {4, 1}, {2, 7, 12, 17});
  expect<int>(x.center_crop(1), {4, 1}, {2, 7, 12, 17});
  expect_same(x.center_crop({4, 5}), x);
  expect_same(x.center_crop({}), x);
}

TEST_CASE("center_crop: what is odd is left over at the end") {
  expect<int>(iota<int>(4).center_crop(1), {1}, {1});
  expect<int>(iota<int>(4).center_crop(3), {3}, {0, 1, 2});
  expect<int>(iota<int>(5).center_crop(2), {2}, {1, 2});
}

TEST_CASE("center_crop: of the axes that are named, in their order") {
  const Tensor image = iota<int>({4, 4, 3});
  expect_same(image.center_crop({2, 4}, {0, 1}), image.slice({1}, {3}));
  expect_same(image.center_crop({1, 2}, {-1, 0}), image.slice({1, 1}, {3, 2}, none, {0, 2}));
}

TEST_CASE("center_crop: nothing may be left, and scalars have no axes") {
  CHECK(iota<int>({3, 4}).center_crop({0, 2}).shape() == Shape{0, 2});
  CHECK(iota<int>({0, 3}).center_crop({0, 1}).shape() == Shape{0, 1});
  expect<int>(scalar(5).center_crop({}), {}, {5});
  expect<int>(scalar(5).center_crop({}, {}), {}, {5});
}

TEST_CASE("center_crop: parameters of another type, rank or length are refused, in that order") {
  const Tensor x = iota<int>({2, 3});
  refuses<DtypeError>("dtype_mismatch", "center_crop: axes is f32, expected an integer type",
                      [&] { x.center_crop(array({{9}}), ints_of(f32, 1, {0})); });
  refuses<ParameterError>("bad_rank", "center_crop: size has rank 2, expected a scalar or a list",
                          [&] {
                            x.center_crop(array({{1}}), {0, 1});
                          });
  refuses<ParameterError>("length_mismatch",
                          "center_crop: size [1] has 1 entries, expected 2 as axes [7, 8]", [&] {
                            x.center_crop({1}, {7, 8});
                          });
  refuses<ParameterError>(
      "length_mismatch",
      "center_crop: size [1, 1, 1] has 3 entries, expected at most 2 (shape [2, 3])", [&] {
        x.center_crop({1, 1, 1});
      });
}

TEST_CASE("center_crop: axes, then negative sizes, then too large ones are refused") {
  const Tensor x = iota<int>({2, 5});
  refuses<AxisError>("bad_axis", "center_crop: axis 2 is out of range for rank 2 (shape [2, 5])",
                     [&] {
                       x.center_crop({-1, 9}, {0, 2});
                     });
  refuses<AxisError>("duplicate_axes",
                     "center_crop: axis 1 is named twice in axes [1, -1] (rank 2)", [&] {
                       x.center_crop({1, 1}, {1, -1});
                     });
  refuses<ShapeError>("shape_mismatch",
                      "center_crop: -1 in size [-1, 9] is negative, expected 0 or more", [&] {
                        x.center_crop({-1, 9});
                      });
  refuses<ShapeError>("shape_mismatch",
                      "center_crop: size 6 is more than the extent 5 of axis 1 (shape [2, 5])",
                      [&] {
                        x.center_crop({1, 6});
                      });
  CHECK_THROWS_AS(x.center_crop(u64s({1, 18446744073709551615u})), ShapeError);
  CHECK_THROWS_AS(x.center_crop({lowest, highest}), ShapeError);
}

TEST_CASE("center_crop: moves the bytes of any element, and leaves its operand") {
  moves_any_element({3, 5}, [](const Tensor& x) { return x.center_crop({2, 2}); });
}

TEST_CASE("center_crop: sizes say the extents, whatever those of the operand are") {
  CHECK(shape_of(open({"n", "h", 5}).center_crop({2, 3})) == "[n, 2, 3]");
  CHECK(shape_of(open({"n", 4}).center_crop(integers({2}))) == "[?, 0..4]");
  CHECK(shape_of(open({"n", 4}).center_crop(2, integers({1}))) == "[?, 0..4]");
  CHECK(shape_of(open(PartialShape::any()).center_crop({1, 2})) == "[...]");
  CHECK_THROWS_WITH_AS(open({"n", 4}).center_crop({1, 5}),
                       "center_crop: size 5 is more than the extent 4 of axis 1 (shape [n, 4])",
                       ShapeError);
}

namespace weft::testing {

void draw_center_crop(Drawing& drawing) {
  Random& random = drawing.random();
  const List shape = drawing.shape();
  const List axes = drawing.random_axes(shape.size());
  List size;
  for (const std::int64_t axis : axes) {
    const std::size_t k = axis < 0 ? static_cast<std::size_t>(axis + std::ssize(shape))
                                   : static_cast<std::size_t>(axis);
    size.push_back(random.in(shape[k] > 0 && !random.one_in(30) ? 1 : 0, shape[k]));
  }
  drawing.add("center_crop", {drawing.x()}, {size, axes});
}

}  // namespace weft::testing

// SPDX-License-Identifier: Apache-2.0
// crop: the sides of axes taken off.
#include "ops/expect.h"

using namespace weft;
using namespace weft::testing;

TEST_CASE("crop: takes elements off both ends of each axis") {
  const Tensor x = iota<int>({3, 4});
  expect<int>(x.crop({1, 1}, {0, 2}), {2, 1}, {5, 9});
  expect<int>(x.crop({1}, {1}), {1, 4}, {4, 5, 6, 7});
  expect<int>(x.crop({1}, {1}, {-1}), {3, 2}, {1, 2, 5, 6, 9, 10});
  expect<int>(x.crop({2, 1}, {1, 1}, {1, 0}), {1, 1}, {6});
  expect_same(x.crop({0, 0}, {0, 0}), x);
  expect_same(x.crop({}, {}), x);
}

TEST_CASE("crop: all of an axis may go, and scalars have none") {
  const Tensor x = iota<int>({3, 4});
  CHECK(x.crop({3}, {0}).shape() == Shape{0, 4});
  CHECK(x.crop({1, 0}, {2, 4}).shape() == Shape{0, 0});
  CHECK(iota<int>({0, 3}).crop({0, 1}, {0, 1}).shape() == Shape{0, 1});
  expect<int>(scalar(5).crop({}, {}), {}, {5});
  expect<int>(scalar(5).crop({}, {}, {}), {}, {5});
}

TEST_CASE("crop: parameters of another type, rank or length are refused, in that order") {
  const Tensor x = iota<int>({2, 3});
  refuses<DtypeError>("dtype_mismatch", "crop: axes is f32, expected an integer type",
                      [&] { x.crop(array({{9}}), {0}, ints_of(f32, 1, {0})); });
  refuses<ParameterError>("bad_rank", "crop: after has rank 2, expected a scalar or a list", [&] {
    x.crop({0, 0, 0}, array({{1}}));
  });
  refuses<ParameterError>("bad_rank", "crop: before is none, expected a scalar or a list",
                          [&] { x.crop(none, {1}); });
  refuses<ParameterError>("length_mismatch",
                          "crop: after [1] has 1 entries, expected 2 as before [0, 0]", [&] {
                            x.crop({0, 0}, {1});
                          });
  refuses<ParameterError>("length_mismatch",
                          "crop: axes [7, 8] has 2 entries, expected 1 as before [0]", [&] {
                            x.crop({0}, {1}, {7, 8});
                          });
  refuses<ParameterError>("length_mismatch",
                          "crop: before [0, 0, 0] has 3 entries, expected at most 2 (shape [2, 3])",
                          [&] {
                            x.crop({0, 0, 0}, {0, 0, 0});
                          });
}

TEST_CASE("crop: axes, then negative entries, then too many are refused") {
  const Tensor x = iota<int>({2, 5});
  refuses<AxisError>("bad_axis", "crop: axis 2 is out of range for rank 2 (shape [2, 5])", [&] {
    x.crop({-1, 9}, {0, 0}, {0, 2});
  });
  refuses<AxisError>("duplicate_axes", "crop: axis 1 is named twice in axes [1, -1] (rank 2)", [&] {
    x.crop({-1, 9}, {0, 0}, {1, -1});
  });
  refuses<ShapeError>("shape_mismatch", "crop: -1 in after [0, -1] is negative, expected 0 or more",
                      [&] {
                        x.crop({9, 0}, {0, -1});
                      });
  refuses<ShapeError>("shape_mismatch",
                      "crop: 3 before and 3 after are more than the extent 5 of axis 1",
                      [&] { x.crop({3}, {3}, {-1}); });
  refuses<ShapeError>(
      "shape_mismatch",
      "crop: 0 before and 18446744073709551615 after are more than the extent 2 of axis 0",
      [&] { x.crop({0}, u64s({18446744073709551615u})); });
  CHECK_THROWS_AS(x.crop({highest}, {highest}), ShapeError);
  CHECK_THROWS_AS(x.crop({lowest}, {0}), ShapeError);
}

TEST_CASE("crop: moves the bytes of any element, and leaves its operand") {
  moves_any_element({4, 5}, [](const Tensor& x) { return x.crop({1, 2}, {1, 1}); });
}

TEST_CASE("crop: takes as much off what is known of the extents") {
  CHECK(shape_of(open({"n", Dim(2, 9), 8}).crop({0, 1, 1}, {0, 2, 1})) == "[n, 0..6, 6]");
  CHECK(shape_of(open({"n", 8}).crop({1}, {0})) == "[?, 8]");
  CHECK(shape_of(open({Dim(5, Dim::unbounded), 8}).crop({1}, {1})) == "[3.., 8]");
  CHECK(shape_of(open({"n", 8}).crop({1}, {1}, {-1})) == "[n, 6]");
  CHECK(shape_of(open({9, 8}).crop(integers({1}), {0})) == "[0..9, 8]");
  CHECK(shape_of(open({9, 8}).crop(integers({1}), {0}, {-1})) == "[9, 0..8]");
  CHECK(shape_of(open({9, 8}).crop({1}, {0}, integers({1}))) == "[0..9, 0..8]");
  CHECK(shape_of(open(PartialShape::any()).crop({1}, {0})) == "[...]");
  refuses<ShapeError>("shape_mismatch",
                      "crop: 5 before and 4 after are more than the extent 8 of axis 1", [] {
                        open({"n", 8}).crop({5}, {4}, {1});
                      });
  refuses<ShapeError>("shape_mismatch", "crop: -1 in before [-1] is negative, expected 0 or more",
                      [] {
                        open({"n", 8}).crop({-1}, {4});
                      });
}

TEST_CASE("crop: a number is for all axes, or for those that the other lists name") {
  const Tensor x = iota<int>({3, 4});
  expect<int>(x.crop(1, 1), {1, 2}, {5, 6});
  expect_same(x.crop(1, 0), x.crop({1, 1}, {0, 0}));
  expect_same(x.crop(1, {0, 2}), x.crop({1, 1}, {0, 2}));
  expect_same(x.crop({2}, 1), x.crop({2}, {1}));
  expect_same(x.crop(1, 2, 1), x.crop({1}, {2}, {1}));
  expect_same(x.crop(1, 0, {-1, 0}), x.crop({1, 1}, {0, 0}, {1, 0}));
  expect_same(x.pad(2, 3).crop(2, 3), x);
  expect<int>(scalar(5).crop(3, 4), {}, {5});
  refuses<ParameterError>("length_mismatch",
                          "crop: axes [0] has 1 entries, expected 2 as after [0, 0]", [&] {
                            x.crop(1, {0, 0}, {0});
                          });
  refuses<ParameterError>("length_mismatch",
                          "crop: after [0, 0, 0] has 3 entries, expected at most 2 (shape [3, 4])",
                          [&] {
                            x.crop(1, {0, 0, 0});
                          });
  refuses<AxisError>("bad_axis", "crop: axis 2 is out of range for rank 2 (shape [3, 4])",
                     [&] { x.crop(1, 0, 2); });
  refuses<ShapeError>("shape_mismatch",
                      "crop: 2 before and 2 after are more than the extent 3 of axis 0",
                      [&] { x.crop(2, 2); });
}

TEST_CASE("crop: what is known of open shapes where numbers are given") {
  CHECK(shape_of(open({"n", Dim(3, 9), 4}).crop(1, 1)) == "[?, 1..7, 2]");
  CHECK(shape_of(open({7, 9, 4}).crop(integers({}), 1)) == "[0..7, 0..9, 0..4]");
  CHECK(shape_of(open({7, 9, 4}).crop(1, integers({}), 1)) == "[7, 0..9, 4]");
  CHECK(shape_of(open({7, 9, 4}).crop(1, integers({2}))) == "[0..7, 0..9, 4]");
  CHECK(shape_of(open({7, 9, 4}).crop(integers({2}), 1)) == "[0..7, 0..9, 4]");
}

namespace weft::testing {

void draw_crop(Drawing& drawing) {
  Random& random = drawing.random();
  const List shape = drawing.shape();
  const bool is_leading = random.one_in(3);
  List axes = drawing.random_axes(shape.size());
  if (is_leading)
    for (std::size_t k = 0; k < axes.size(); ++k) axes[k] = static_cast<std::int64_t>(k);
  List before, after;
  for (const std::int64_t axis : axes) {
    const std::size_t k = axis < 0 ? static_cast<std::size_t>(axis + std::ssize(shape))
                                   : static_cast<std::size_t>(axis);
    // Something is left mostly, for all that follows an empty tensor is empty too.
    const std::int64_t most = shape[k] > 0 && !random.one_in(30) ? shape[k] - 1 : shape[k];
    before.push_back(random.in(0, most));
    after.push_back(random.in(0, most - before.back()));
  }
  drawing.add("crop", {drawing.x()}, {before, after, is_leading ? Numbers() : axes});
}

TEST_CASE("crop: a list for one axis has one entry, also where that axis is a number") {
  const Tensor x = iota<int>({4, 6});
  CHECK_THROWS_AS(x.crop({1, 2}, {0, 0}, 0), ParameterError);
  CHECK_THROWS_AS(x.crop({1, 2}, 0, 1), ParameterError);
  CHECK(x.crop({1}, 0, 1).shape() == Shape{4, 5});
}

}  // namespace weft::testing

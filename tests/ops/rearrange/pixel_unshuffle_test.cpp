// SPDX-License-Identifier: Apache-2.0
// pixel_unshuffle: squares of pixels that become channels.
#include "ops/expect.h"

using namespace weft;
using namespace weft::testing;

TEST_CASE("pixel_unshuffle: squares of four pixels become four channels") {
  expect<int>(iota<int>({1, 2, 4}).pixel_unshuffle(2), {4, 1, 2}, {0, 2, 1, 3, 4, 6, 5, 7});
  expect<int>(iota<int>({2, 2, 2}).pixel_unshuffle(2), {8, 1, 1}, {0, 1, 2, 3, 4, 5, 6, 7});
}

TEST_CASE("pixel_unshuffle: undoes pixel_shuffle, and is undone by it") {
  const Tensor x = iota<int>({2, 3, 2, 4, 6}), y = iota<int>({9, 2, 1});
  expect_same(x.pixel_unshuffle(2).eval().pixel_shuffle(2), x);
  expect_same(y.pixel_shuffle(3).eval().pixel_unshuffle(3), y);
  Shape shape(16, 1);
  shape[0] = 3;
  shape[14] = shape[15] = 2;
  expect_same(iota<int>(shape).pixel_unshuffle(2).eval().pixel_shuffle(2), iota<int>(shape));
}

TEST_CASE("pixel_unshuffle: of rank 4 it is space_to_depth, depth first") {
  const Tensor x = iota<int>({2, 2, 6, 9});
  expect_same(x.pixel_unshuffle(3), x.space_to_depth(3, "depth_first"));
}

TEST_CASE("pixel_unshuffle: a factor of 1 moves nothing, extents of 0 stay") {
  expect<int>(iota<int>({3, 1, 2}).pixel_unshuffle({1}), {3, 1, 2}, {0, 1, 2, 3, 4, 5});
  expect<int>(iota<int>({0, 4, 2, 4}).pixel_unshuffle(2), {0, 16, 1, 2}, {});
  expect<int>(iota<int>({1, 0, 9}).pixel_unshuffle(3), {9, 0, 3}, {});
  const std::int64_t large = std::int64_t{1} << 40;
  expect<int>(iota<int>({0, large, large, large}).pixel_unshuffle(2),
              {0, 4 * large, large / 2, large / 2}, {});
}

TEST_CASE("pixel_unshuffle: of several mistakes the first is told") {
  const Tensor x = iota<int>({1, 6, 4, 3});
  refuses<ParameterError>("bad_rank",
                          "pixel_unshuffle: x has rank 0, expected at least 3 (shape [])",
                          [] { scalar(1).pixel_unshuffle(scalar(0.5f)); });
  refuses<DtypeError>("dtype_mismatch", "pixel_unshuffle: factor is f64, expected an integer type",
                      [&] { x.pixel_unshuffle(ints_of(f64, 2, {2})); });
  refuses<ParameterError>("bad_rank",
                          "pixel_unshuffle: factor is none, expected a scalar or a list",
                          [&] { x.pixel_unshuffle(none); });
  refuses<ParameterError>("length_mismatch", "pixel_unshuffle: factor has 0 entries, expected one",
                          [&] { x.pixel_unshuffle({}); });
  refuses<ShapeError>("shape_mismatch", "pixel_unshuffle: factor -2 is given, expected 1 or more",
                      [&] { x.pixel_unshuffle(-2); });
  refuses<OverflowError>("overflow", "pixel_unshuffle: factor 9223372036854775808 is beyond int64",
                         [&] { x.pixel_unshuffle(u64s({9223372036854775808u})); });
  refuses<OverflowError>(
      "overflow",
      "pixel_unshuffle: extent 8589934592 times 4294967296 is beyond int64 (shape [2, 0, 0])", [] {
        iota<int>({2, 0, 0}).pixel_unshuffle(std::int64_t{1} << 32);
      });
  refuses<ShapeError>(
      "shape_mismatch",
      "pixel_unshuffle: extent 3 of axis 3, expected a multiple of 2 (shape [1, 6, 4, 3])",
      [&] { x.pixel_unshuffle(2); });
}

TEST_CASE("pixel_unshuffle: moves the bytes of any element, and leaves its operand") {
  moves_any_element({2, 2, 4, 6}, [](const Tensor& x) { return x.pixel_unshuffle(2); });
}

TEST_CASE("pixel_unshuffle: what is known of open shapes is multiplied and divided") {
  const auto shape_of = [](PartialShape shape, const Ints& factor) {
    return to_string(placeholder(f32, std::move(shape)).pixel_unshuffle(factor).partial_shape());
  };
  const Tensor open_factor = placeholder(i64, {});
  CHECK(shape_of({"n", 3, Dim(1, 9), "w"}, 2) == "[n, 12, 0..4, ?]");
  CHECK(shape_of({"c", 3, "w"}, 1) == "[c, 3, w]");
  CHECK(shape_of({"n", 3, 4, "w"}, open_factor) == "[n, 3.., 0..4, ?]");
  CHECK(shape_of({"n", 0, 4, 4}, open_factor) == "[n, 0, 0..4, 0..4]");
  CHECK(shape_of(PartialShape::any(), 2) == "[...]");
  CHECK_THROWS_AS(shape_of({"n", 8, 3}, -3), ShapeError);
}

namespace weft::testing {

void draw_pixel_unshuffle(Drawing& drawing) {
  Random& random = drawing.random();
  const std::int64_t factor = random.in(1, 3), square = factor * factor;
  const std::int64_t count = drawing.size();
  if (count == 0 || count % square != 0) return;
  List shape = drawing.extents(count / square, 3 + random.below(3));
  shape[shape.size() - 2] *= factor;
  shape[shape.size() - 1] *= factor;
  drawing.add("pixel_unshuffle", {drawing.add("reshape", {drawing.x()}, {shape})}, {List{factor}});
}

}  // namespace weft::testing

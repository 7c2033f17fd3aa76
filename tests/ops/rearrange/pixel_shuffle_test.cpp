// SPDX-License-Identifier: Apache-2.0
// pixel_shuffle: channels that become squares of pixels.
#include "ops/expect.h"

using namespace weft;
using namespace weft::testing;

TEST_CASE("pixel_shuffle: four channels become squares of four pixels") {
  const Tensor x = iota<int>({4, 1, 2});
  expect<int>(x.pixel_shuffle(2), {1, 2, 4}, {0, 2, 1, 3, 4, 6, 5, 7});
  expect<int>(iota<int>({8, 1, 1}).pixel_shuffle(2), {2, 2, 2}, {0, 1, 2, 3, 4, 5, 6, 7});
}

TEST_CASE("pixel_shuffle: of rank 4 it is depth_to_space, depth first") {
  const Tensor x = iota<int>({2, 18, 2, 3});
  expect_same(x.pixel_shuffle(3), x.depth_to_space(3, "depth_first"));
}

TEST_CASE("pixel_shuffle: any axes stand before the channels, or none") {
  const Tensor x = iota<int>({2, 3, 2, 8, 1, 3});
  expect_same(x.pixel_shuffle(2),
              x.reshape({12, 8, 1, 3}).pixel_shuffle(2).reshape({2, 3, 2, 2, 2, 6}));
  Shape shape(16, 1);
  shape[13] = 4;
  Shape result(16, 1);
  result[14] = result[15] = 2;
  expect<int>(iota<int>(shape).pixel_shuffle(2), result, {0, 1, 2, 3});
}

TEST_CASE("pixel_shuffle: a factor of 1 moves nothing, extents of 0 stay") {
  expect<int>(iota<int>({3, 1, 2}).pixel_shuffle({1}), {3, 1, 2}, {0, 1, 2, 3, 4, 5});
  expect<int>(iota<int>({0, 4, 1, 3}).pixel_shuffle(2), {0, 1, 2, 6}, {});
  expect<int>(iota<int>({0, 1, 2}).pixel_shuffle(3), {0, 3, 6}, {});
  expect<int>(iota<int>({9, 0, 2}).pixel_shuffle(3), {1, 0, 6}, {});
  const std::int64_t large = std::int64_t{1} << 40;
  expect<int>(iota<int>({0, large, large, large}).pixel_shuffle(2),
              {0, large / 4, 2 * large, 2 * large}, {});
}

TEST_CASE("pixel_shuffle: the factor is of any integer type") {
  for (const DType dtype : {i8, i16, i32, i64, u8, u16, u32, u64})
    for (const int rank : {0, 1})
      expect<int>(iota<int>({4, 1, 1}).pixel_shuffle(ints_of(dtype, rank, {2})), {1, 2, 2},
                  {0, 1, 2, 3});
}

TEST_CASE("pixel_shuffle: of several mistakes the first is told") {
  const Tensor x = iota<int>({1, 6, 2, 2});
  refuses<ParameterError>("bad_rank",
                          "pixel_shuffle: x has rank 2, expected at least 3 (shape [4, 4])", [] {
                            iota<int>({4, 4}).pixel_shuffle(scalar(0.5f));
                          });
  refuses<DtypeError>("dtype_mismatch", "pixel_shuffle: factor is f32, expected an integer type",
                      [&] { x.pixel_shuffle(ints_of(f32, 2, {2})); });
  refuses<ParameterError>("bad_rank",
                          "pixel_shuffle: factor has rank 2, expected a scalar or a "
                          "list",
                          [&] { x.pixel_shuffle(array({{0}})); });
  refuses<ParameterError>("length_mismatch", "pixel_shuffle: factor has 2 entries, expected one",
                          [&] {
                            x.pixel_shuffle({0, 0});
                          });
  refuses<ShapeError>("shape_mismatch", "pixel_shuffle: factor 0 is given, expected 1 or more",
                      [&] { x.pixel_shuffle(0); });
  refuses<OverflowError>("overflow", "pixel_shuffle: factor 18446744073709551615 is beyond int64",
                         [&] { x.pixel_shuffle(u64s({18446744073709551615u})); });
  refuses<OverflowError>(
      "overflow",
      "pixel_shuffle: extent 2 times 9223372036854775807 is beyond int64 (shape [0, 1, 2])", [] {
        iota<int>({0, 1, 2}).pixel_shuffle(highest);
      });
  refuses<ShapeError>(
      "shape_mismatch",
      "pixel_shuffle: extent 6 of axis 1, expected a multiple of 2^2 (shape [1, 6, 2, 2])",
      [&] { x.pixel_shuffle(2); });
  CHECK_THROWS_AS(x.pixel_shuffle(std::int64_t{1} << 32), ShapeError);
  CHECK_THROWS_AS(x.pixel_shuffle(lowest), ShapeError);
}

TEST_CASE("pixel_shuffle: moves the bytes of any element, and leaves its operand") {
  moves_any_element({2, 8, 3, 1}, [](const Tensor& x) { return x.pixel_shuffle(2); });
}

TEST_CASE("pixel_shuffle: what is known of open shapes is multiplied and divided") {
  const auto shape_of = [](PartialShape shape, const Ints& factor) {
    return to_string(placeholder(f32, std::move(shape)).pixel_shuffle(factor).partial_shape());
  };
  const Tensor open_factor = placeholder(i64, {});
  CHECK(shape_of({"n", 8, Dim(1, 4), "w"}, 2) == "[n, 2, 2..8, ?]");
  CHECK(shape_of({Dim(4, 19), 3, "w"}, 1) == "[4..19, 3, w]");
  CHECK(shape_of({"n", 8, 3, 0}, open_factor) == "[n, 0..8, 3.., 0]");
  CHECK(shape_of(PartialShape::any(), 2) == "[...]");
  CHECK_THROWS_AS(shape_of({"n", 8, 3}, 0), ShapeError);
}

namespace weft::testing {

void draw_pixel_shuffle(Drawing& drawing) {
  Random& random = drawing.random();
  const std::int64_t factor = random.in(1, 3), square = factor * factor;
  const List given = drawing.shape();
  const std::size_t rank = given.size();
  if (rank >= 3 && given[rank - 3] % square == 0) {
    drawing.add("pixel_shuffle", {drawing.x()}, {List{factor}});
    return;
  }
  const std::int64_t count = drawing.size();
  if (count == 0 || count % square != 0) return;
  List shape = drawing.extents(count / square, 3 + random.below(3));
  shape[shape.size() - 3] *= square;
  drawing.add("pixel_shuffle", {drawing.add("reshape", {drawing.x()}, {shape})}, {List{factor}});
}

}  // namespace weft::testing

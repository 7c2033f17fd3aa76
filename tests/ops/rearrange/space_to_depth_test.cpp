// SPDX-License-Identifier: Apache-2.0
// space_to_depth: blocks that become channels, in both orders.
#include "ops/expect.h"

using namespace weft;
using namespace weft::testing;

TEST_CASE("space_to_depth: one axis, in both orders") {
  const Tensor x = iota<int>({1, 2, 4});
  expect<int>(x.space_to_depth(2), {1, 4, 2}, {0, 2, 4, 6, 1, 3, 5, 7});
  expect<int>(x.space_to_depth(2, "depth_first"), {1, 4, 2}, {0, 2, 1, 3, 4, 6, 5, 7});
}

TEST_CASE("space_to_depth: the example of ONNX") {
  const Tensor x = from_vector<int>(
      {0, 6, 1, 7, 2, 8, 12, 18, 13, 19, 14, 20, 3, 9, 4, 10, 5, 11, 15, 21, 16, 22, 17, 23},
      {1, 1, 4, 6});
  std::vector<int> expected(24);
  for (int k = 0; k < 24; ++k) expected[static_cast<std::size_t>(k)] = k;
  expect<int>(x.space_to_depth(2), {1, 4, 2, 3}, expected);
  expect<int>(x.space_to_depth(2, "depth_first"), {1, 4, 2, 3}, expected);
}

TEST_CASE("space_to_depth: undoes depth_to_space, and is undone by it") {
  Shape rank_16(16, 2);
  rank_16[0] = 1;
  const Shape shapes[] = {{2, 3, 4},
                          {2, 3, 4, 6},
                          {1, 2, 2, 4, 2},
                          {2, 2, 2, 4, 2, 2, 2, 2, 2},
                          {1, 3, 4, 2, 2, 2, 2, 2, 6},
                          rank_16};
  for (const Shape& shape : shapes)
    for (const char* mode : {"blocks_first", "depth_first"}) {
      const Tensor x = iota<int>(shape), stacked = x.space_to_depth(2, mode).eval();
      std::int64_t blocks = 1;
      for (std::size_t axis = 2; axis < shape.size(); ++axis) {
        blocks *= 2;
        CHECK(stacked.shape()[axis] == shape[axis] / 2);
      }
      CHECK(stacked.shape()[1] == shape[1] * blocks);
      expect_same(stacked.depth_to_space(2, mode), x);
      const Tensor again = stacked.depth_to_space(2, mode).eval();
      expect_same(again.space_to_depth(2, mode), stacked);
    }
}

TEST_CASE("space_to_depth: extents of 0 stay, whatever the others would make") {
  expect<int>(iota<int>({0, 3, 2, 4}).space_to_depth(2), {0, 12, 1, 2}, {});
  expect<int>(iota<int>({2, 0, 6}).space_to_depth(3), {2, 0, 2}, {});
  expect<int>(iota<int>({2, 3, 0}).space_to_depth(5), {2, 15, 0}, {});
  const std::int64_t large = std::int64_t{1} << 40;
  expect<int>(iota<int>({0, large, large, large}).space_to_depth(2),
              {0, 4 * large, large / 2, large / 2}, {});
}

TEST_CASE("space_to_depth: the block is of any integer type, a scalar or a list of one") {
  for (const DType dtype : {i8, i16, i32, i64, u8, u16, u32, u64})
    for (const int rank : {0, 1})
      expect<int>(iota<int>({1, 1, 4}).space_to_depth(ints_of(dtype, rank, {2})), {1, 2, 2},
                  {0, 2, 1, 3});
}

TEST_CASE("space_to_depth: of several mistakes the first is told") {
  const Tensor x = iota<int>({1, 6, 4, 3});
  refuses<ParameterError>("bad_rank",
                          "space_to_depth: x has rank 0, expected at least 3 (shape [])",
                          [] { scalar(1).space_to_depth(scalar(0.5f), "none"); });
  refuses<DtypeError>("dtype_mismatch", "space_to_depth: block is bool, expected an integer type",
                      [&] { x.space_to_depth(ints_of(bool_, 2, {2}), "none"); });
  refuses<ParameterError>("bad_rank",
                          "space_to_depth: block has rank 2, expected a scalar or a "
                          "list",
                          [&] { x.space_to_depth(array({{2}}), "none"); });
  refuses<ParameterError>("length_mismatch", "space_to_depth: block has 0 entries, expected one",
                          [&] { x.space_to_depth({}, "none"); });
  refuses<ParameterError>("bad_mode",
                          "space_to_depth: mode is \"\", expected \"blocks_first\" or "
                          "\"depth_first\"",
                          [&] { x.space_to_depth(0, ""); });
  refuses<ShapeError>("shape_mismatch", "space_to_depth: block -1 is given, expected 1 or more",
                      [&] { x.space_to_depth(-1); });
  refuses<OverflowError>("overflow", "space_to_depth: block 9223372036854775808 is beyond int64",
                         [&] { x.space_to_depth(u64s({9223372036854775808u})); });
  refuses<OverflowError>(
      "overflow",
      "space_to_depth: extent 9223372036854775807 times 9223372036854775807 is beyond int64 (shape "
      "[1, 1, 0, 0])",
      [] {
        iota<int>({1, 1, 0, 0}).space_to_depth(highest);
      });
  refuses<ShapeError>(
      "shape_mismatch",
      "space_to_depth: extent 3 of axis 3, expected a multiple of 2 (shape [1, 6, 4, 3])",
      [&] { x.space_to_depth(2); });
}

TEST_CASE("space_to_depth: moves the bytes of any element, and leaves its operand") {
  for (const char* mode : {"blocks_first", "depth_first"})
    moves_any_element({2, 2, 4, 6}, [&](const Tensor& x) { return x.space_to_depth(2, mode); });
}

TEST_CASE("space_to_depth: what is known of open shapes is multiplied and divided") {
  const auto shape_of = [](PartialShape shape, const Ints& block) {
    return to_string(placeholder(f32, std::move(shape)).space_to_depth(block).partial_shape());
  };
  const Tensor open_block = placeholder(i64, {});
  CHECK(shape_of({"n", 3, Dim(1, 9), "w"}, 2) == "[n, 12, 0..4, ?]");
  CHECK(shape_of({"n", Dim(1, 2), Dim(4, Dim::unbounded)}, 2) == "[n, 2..4, 2..]");
  CHECK(shape_of({"n", "c", "h", 5}, 1) == "[n, c, h, 5]");
  CHECK(shape_of({"n", 3, 4, "w"}, open_block) == "[n, 3.., 0..4, ?]");
  CHECK(shape_of({"n", 0, 4}, open_block) == "[n, 0, 0..4]");
  CHECK(shape_of(PartialShape::any(), 2) == "[...]");
  CHECK_THROWS_AS(shape_of({"n", 8, 3}, -3), ShapeError);
}

namespace weft::testing {

void draw_space_to_depth(Drawing& drawing) {
  Random& random = drawing.random();
  const std::int64_t block = random.in(1, 3);
  const std::size_t spatial = 1 + random.below(3);
  const std::int64_t count = drawing.size();
  std::int64_t blocks = 1;
  for (std::size_t i = 0; i < spatial; ++i) blocks *= block;
  if (count % blocks != 0) return;
  List shape = drawing.extents(count / blocks, 2 + spatial);
  for (std::size_t axis = 2; axis < shape.size(); ++axis) shape[axis] *= block;
  if (count == 0) shape[random.below(shape.size())] = 0;
  const std::size_t x = drawing.add("reshape", {drawing.x()}, {shape});
  drawing.add("space_to_depth", {x}, {List{block}},
              {random.one_in(2) ? "blocks_first" : "depth_first"});
}

}  // namespace weft::testing

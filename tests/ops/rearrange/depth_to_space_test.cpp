// SPDX-License-Identifier: Apache-2.0
// depth_to_space: channels that become blocks, in both orders.
#include "ops/expect.h"

using namespace weft;
using namespace weft::testing;

namespace {

/// The formula, element by element.
std::vector<int> spread(const Shape& shape, std::int64_t block, bool blocks_first) {
  Shape result = shape;
  std::int64_t blocks = 1;
  for (std::size_t axis = 2; axis < shape.size(); ++axis) {
    blocks *= block;
    result[axis] *= block;
  }
  result[1] /= blocks;
  std::vector<int> values;
  for (std::int64_t k = 0; k < element_count(result); ++k) {
    Index at = unravel_index(k, result);
    std::int64_t offset = 0;
    for (std::size_t axis = 2; axis < shape.size(); ++axis) {
      offset = offset * block + at[axis] % block;
      at[axis] /= block;
    }
    at[1] = blocks_first ? offset * result[1] + at[1] : at[1] * blocks + offset;
    values.push_back(static_cast<int>(linear_index(at, shape)));
  }
  return values;
}

}  // namespace

TEST_CASE("depth_to_space: the examples of ONNX, DCR and CRD") {
  const Tensor x =
      from_vector<int>({0,  1,  2,  3,  4,  5,  9,  10, 11, 12, 13, 14, 18, 19, 20, 21,
                        22, 23, 27, 28, 29, 30, 31, 32, 36, 37, 38, 39, 40, 41, 45, 46,
                        47, 48, 49, 50, 54, 55, 56, 57, 58, 59, 63, 64, 65, 66, 67, 68},
                       {1, 8, 2, 3});
  expect<int>(x.depth_to_space(2), {1, 2, 4, 6},
              {0,  18, 1,  19, 2,  20, 36, 54, 37, 55, 38, 56, 3,  21, 4,  22,
               5,  23, 39, 57, 40, 58, 41, 59, 9,  27, 10, 28, 11, 29, 45, 63,
               46, 64, 47, 65, 12, 30, 13, 31, 14, 32, 48, 66, 49, 67, 50, 68});
  expect<int>(x.depth_to_space(2, "depth_first"), {1, 2, 4, 6},
              {0,  9,  1,  10, 2,  11, 18, 27, 19, 28, 20, 29, 3,  12, 4,  13,
               5,  14, 21, 30, 22, 31, 23, 32, 36, 45, 37, 46, 38, 47, 54, 63,
               55, 64, 56, 65, 39, 48, 40, 49, 41, 50, 57, 66, 58, 67, 59, 68});
}

TEST_CASE("depth_to_space: any number of spatial axes is as the formula says") {
  struct Case {
    Shape shape, result;
    std::int64_t block;
  };
  const Case cases[] = {{{2, 6, 3}, {2, 2, 9}, 3},
                        {{2, 12, 3, 2}, {2, 3, 6, 4}, 2},
                        {{2, 54, 1, 2, 3}, {2, 2, 3, 6, 9}, 3},
                        {{1, 5, 2, 3, 1}, {1, 5, 2, 3, 1}, 1},
                        {{2, 256, 1, 2, 1, 1, 1, 1, 1}, {2, 2, 2, 4, 2, 2, 2, 2, 2}, 2},
                        {{1, 512, 2, 1, 1, 1, 1, 1, 3}, {1, 4, 4, 2, 2, 2, 2, 2, 6}, 2}};
  for (const Case& each : cases)
    for (const char* mode : {"blocks_first", "depth_first"})
      expect<int>(iota<int>(each.shape).depth_to_space(each.block, mode), each.result,
                  spread(each.shape, each.block, mode[0] == 'b'));
}

TEST_CASE("depth_to_space: rank 16 has fourteen spatial axes") {
  Shape shape(16, 1), result(16, 2);
  shape[1] = 1 << 15;
  result[0] = 1;
  for (const char* mode : {"blocks_first", "depth_first"})
    expect<int>(iota<int>(shape).depth_to_space(2, mode), result, spread(shape, 2, mode[0] == 'b'));
}

TEST_CASE("depth_to_space: extents of 0 stay, whatever the others would make") {
  expect<int>(iota<int>({0, 4, 2, 3}).depth_to_space(2), {0, 1, 4, 6}, {});
  expect<int>(iota<int>({2, 0, 3}).depth_to_space(5), {2, 0, 15}, {});
  expect<int>(iota<int>({2, 4, 0, 1}).depth_to_space(2), {2, 1, 0, 2}, {});
  const std::int64_t large = std::int64_t{1} << 40;
  expect<int>(iota<int>({0, large, large, large}).depth_to_space(2),
              {0, large / 4, 2 * large, 2 * large}, {});
  expect<int>(iota<int>({1, 0, 0}).depth_to_space(highest), {1, 0, 0}, {});
}

TEST_CASE("depth_to_space: the block is of any integer type, a scalar or a list of one") {
  for (const DType dtype : {i8, i16, i32, i64, u8, u16, u32, u64})
    for (const int rank : {0, 1})
      expect<int>(iota<int>({1, 2, 2}).depth_to_space(ints_of(dtype, rank, {2})), {1, 1, 4},
                  {0, 2, 1, 3});
  expect<int>(iota<int>({1, 2, 2}).depth_to_space(scalar<std::uint8_t>(2)), {1, 1, 4},
              {0, 2, 1, 3});
}

TEST_CASE("depth_to_space: of several mistakes the first is told") {
  const Tensor x = iota<int>({1, 6, 2, 2});
  refuses<ParameterError>("bad_rank",
                          "depth_to_space: x has rank 2, expected at least 3 (shape [4, 4])", [] {
                            iota<int>({4, 4}).depth_to_space(scalar(0.5f), "none");
                          });
  refuses<DtypeError>("dtype_mismatch", "depth_to_space: block is f32, expected an integer type",
                      [&] { x.depth_to_space(ints_of(f32, 2, {2}), "none"); });
  refuses<ParameterError>("bad_rank",
                          "depth_to_space: block has rank 2, expected a scalar or a "
                          "list",
                          [&] { x.depth_to_space(array({{2}}), "none"); });
  refuses<ParameterError>("bad_rank", "depth_to_space: block is none, expected a scalar or a list",
                          [&] { x.depth_to_space(none); });
  refuses<ParameterError>("length_mismatch", "depth_to_space: block has 2 entries, expected one",
                          [&] {
                            x.depth_to_space({2, 2}, "none");
                          });
  refuses<ParameterError>("bad_mode",
                          "depth_to_space: mode is \"DCR\", expected \"blocks_first\" or "
                          "\"depth_first\"",
                          [&] { x.depth_to_space(0, "DCR"); });
  refuses<ShapeError>("shape_mismatch", "depth_to_space: block 0 is given, expected 1 or more",
                      [&] { x.depth_to_space(0); });
  refuses<ShapeError>("shape_mismatch",
                      "depth_to_space: block -9223372036854775808 is given, expected 1 or more",
                      [&] { x.depth_to_space(lowest); });
  refuses<OverflowError>("overflow", "depth_to_space: block 18446744073709551615 is beyond int64",
                         [&] { x.depth_to_space(u64s({18446744073709551615u})); });
  refuses<OverflowError>(
      "overflow",
      "depth_to_space: extent 2 times 9223372036854775807 is beyond int64 (shape [1, 0, 2])", [] {
        iota<int>({1, 0, 2}).depth_to_space(highest);
      });
  refuses<ShapeError>(
      "shape_mismatch",
      "depth_to_space: extent 6 of axis 1, expected a multiple of 2^2 (shape [1, 6, 2, 2])",
      [&] { x.depth_to_space(2); });
  CHECK_THROWS_AS(x.depth_to_space(std::int64_t{1} << 32), ShapeError);
}

TEST_CASE("depth_to_space: moves the bytes of any element, and leaves its operand") {
  for (const char* mode : {"blocks_first", "depth_first"})
    moves_any_element({2, 8, 3, 1}, [&](const Tensor& x) { return x.depth_to_space(2, mode); });
}

TEST_CASE("depth_to_space: what is known of open shapes is multiplied and divided") {
  const auto shape_of = [](PartialShape shape, const Ints& block) {
    return to_string(placeholder(f32, std::move(shape)).depth_to_space(block).partial_shape());
  };
  const Tensor open_block = placeholder(i64, {});
  CHECK(shape_of({"n", 8, Dim(1, 4), "w"}, 2) == "[n, 2, 2..8, ?]");
  CHECK(shape_of({"n", Dim(4, 19), 3, 5}, 2) == "[n, 1..4, 6, 10]");
  CHECK(shape_of({"n", "c", "h", 5}, 1) == "[n, c, h, 5]");
  CHECK(shape_of({"n", 8, 3, 0}, open_block) == "[n, 0..8, 3.., 0]");
  CHECK(shape_of(PartialShape::any(), 2) == "[...]");
  CHECK_THROWS_AS(shape_of({"n", 8, 3}, 0), ShapeError);
  CHECK_THROWS_AS(shape_of({"n", 8}, open_block), ParameterError);
  CHECK_THROWS_AS(placeholder(f32, {"n", 8, 3}).depth_to_space(2, "CRD"), ParameterError);
}

namespace weft::testing {

void draw_depth_to_space(Drawing& drawing) {
  Random& random = drawing.random();
  const std::int64_t block = random.in(1, 3);
  const std::size_t spatial = 1 + random.below(3);
  const List given = drawing.shape();
  const std::int64_t count = drawing.size();
  std::int64_t blocks = 1;
  for (std::size_t i = 0; i < spatial; ++i) blocks *= block;
  if (count % blocks != 0) return;
  List shape = drawing.extents(count / blocks, 2 + spatial);
  shape[1] *= blocks;
  if (count == 0) shape[random.below(shape.size())] = 0;
  const bool fits = spatial + 2 == drawing.rank() && given[1] % blocks == 0;
  const std::size_t x = fits ? drawing.x() : drawing.add("reshape", {drawing.x()}, {shape});
  drawing.add("depth_to_space", {x}, {List{block}},
              {random.one_in(2) ? "blocks_first" : "depth_first"});
}

}  // namespace weft::testing

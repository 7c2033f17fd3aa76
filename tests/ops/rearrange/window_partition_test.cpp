// SPDX-License-Identifier: Apache-2.0
// window_partition: images cut into windows.
#include "ops/expect.h"

using namespace weft;
using namespace weft::testing;

TEST_CASE("window_partition: windows row by row") {
  const Tensor x = iota<int>({1, 4, 4, 1});
  expect<int>(x.window_partition(2), {4, 2, 2, 1},
              {0, 1, 4, 5, 2, 3, 6, 7, 8, 9, 12, 13, 10, 11, 14, 15});
  expect<int>(x.window_partition({1, 4}), {4, 1, 4, 1},
              {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15});
  expect<int>(x.window_partition({4, 2}), {2, 4, 2, 1},
              {0, 1, 4, 5, 8, 9, 12, 13, 2, 3, 6, 7, 10, 11, 14, 15});
}

TEST_CASE("window_partition: is as the formula says") {
  const Tensor x = iota<int>({2, 4, 9, 3});
  std::vector<int> expected;
  for (int b = 0; b < 2; ++b)
    for (int p = 0; p < 2; ++p)
      for (int q = 0; q < 3; ++q)
        for (int i = 0; i < 2; ++i)
          for (int j = 0; j < 3; ++j)
            for (int c = 0; c < 3; ++c)
              expected.push_back(((b * 4 + p * 2 + i) * 9 + q * 3 + j) * 3 + c);
  expect<int>(x.window_partition({2, 3}), {12, 2, 3, 3}, expected);
}

TEST_CASE("window_partition: extents of 0 stay, whatever the windows") {
  expect<int>(iota<int>({0, 4, 4, 1}).window_partition(2), {0, 2, 2, 1}, {});
  expect<int>(iota<int>({3, 0, 4, 1}).window_partition({highest, 2}), {0, highest, 2, 1}, {});
  expect<int>(iota<int>({3, 4, 2, 0}).window_partition(2), {6, 2, 2, 0}, {});
}

TEST_CASE("window_partition: the window is of any integer type, one number or two") {
  for (const DType dtype : {i8, i16, i32, i64, u8, u16, u32, u64}) {
    for (const int rank : {0, 1})
      CHECK(iota<int>({1, 2, 2, 1}).window_partition(ints_of(dtype, rank, {2})).shape() ==
            Shape{1, 2, 2, 1});
    CHECK(iota<int>({1, 2, 2, 1}).window_partition(ints_of(dtype, 1, {2, 1})).shape() ==
          Shape{2, 2, 1, 1});
  }
}

TEST_CASE("window_partition: of several mistakes the first is told") {
  const Tensor x = iota<int>({1, 6, 4, 2});
  refuses<ParameterError>(
      "bad_rank", "window_partition: x has rank 3, expected 4, [B, H, W, C] (shape [2, 2, 2])", [] {
        iota<int>({2, 2, 2}).window_partition(scalar(0.5f));
      });
  refuses<DtypeError>("dtype_mismatch", "window_partition: window is f32, expected an integer type",
                      [&] { x.window_partition(ints_of(f32, 2, {2})); });
  refuses<ParameterError>("bad_rank",
                          "window_partition: window has rank 2, expected a scalar or a list",
                          [&] { x.window_partition(array({{0}})); });
  refuses<ParameterError>("length_mismatch",
                          "window_partition: window [0, 2, 2] has 3 entries, expected one or two",
                          [&] {
                            x.window_partition({0, 2, 2});
                          });
  refuses<ParameterError>("length_mismatch",
                          "window_partition: window [] has 0 entries, expected one or two",
                          [&] { x.window_partition({}); });
  refuses<ShapeError>("shape_mismatch", "window_partition: window 0 is given, expected 1 or more",
                      [&] {
                        x.window_partition({2, 0});
                      });
  refuses<OverflowError>("overflow", "window_partition: window 9223372036854775808 is beyond int64",
                         [&] { x.window_partition(u64s({9223372036854775808u})); });
  const std::int64_t large = std::int64_t{1} << 40;
  refuses<OverflowError>("overflow",
                         "window_partition: extent 1099511627776 times 1099511627776 is beyond "
                         "int64 (shape [1099511627776, 1099511627776, 3, 0])",
                         [&] {
                           iota<int>({large, large, 3, 0}).window_partition({1, 2});
                         });
  refuses<ShapeError>("shape_mismatch",
                      "window_partition: windows of 4 x 4 do not cover 6 x 4 (shape [1, 6, 4, 2], "
                      "read as [B, H, W, C])",
                      [&] { x.window_partition(4); });
  CHECK_THROWS_AS(x.window_partition(lowest), ShapeError);
  CHECK_THROWS_AS(x.window_partition(highest), ShapeError);
}

TEST_CASE("window_partition: moves the bytes of any element, and leaves its operand") {
  moves_any_element({2, 4, 3, 2}, [](const Tensor& x) { return x.window_partition({2, 3}); });
}

TEST_CASE("window_partition: of open images and windows the rank is known, and what follows") {
  const auto shape_of = [](PartialShape shape, const Ints& window) {
    return to_string(placeholder(f32, std::move(shape)).window_partition(window).partial_shape());
  };
  const Tensor open_window = placeholder(i64, PartialShape::of_rank(1));
  CHECK(shape_of({"n", 4, 6, "c"}, {4, 6}) == "[n, 4, 6, c]");
  CHECK(shape_of({Dim(1, 8), 4, 6, 3}, 2) == "[6..48, 2, 2, 3]");
  CHECK(shape_of({2, Dim(4, 8), Dim(3, 9), 3}, {2, 3}) == "[4..24, 2, 3, 3]");
  CHECK(shape_of({2, "h", Dim(4, 8), 3}, 2) == "[?, 2, 2, 3]");
  CHECK(shape_of({2, 4, 4, "c"}, open_window) == "[?, 1.., 1.., c]");
  CHECK(shape_of(PartialShape::any(), {2, 3}) == "[?, 2, 3, ?]");
  CHECK(shape_of(PartialShape::any(), open_window) == "[?, 1.., 1.., ?]");
  CHECK_THROWS_AS(shape_of({"n", 4, 4, 1}, 0), ShapeError);
  CHECK_THROWS_AS(shape_of(PartialShape::any(), {2, 2, 2}), ParameterError);
}

namespace weft::testing {

void draw_window_partition(Drawing& drawing) {
  Random& random = drawing.random();
  const std::int64_t height = random.in(1, 3), width = random.in(1, 4);
  const List given = drawing.shape();
  std::size_t x = drawing.x();
  if (given.size() != 4 || given[1] % height != 0 || given[2] % width != 0) {
    const std::int64_t count = drawing.size();
    if (count == 0 || count % (height * width) != 0) return;
    List shape = drawing.extents(count / (height * width), 4);
    shape[1] *= height;
    shape[2] *= width;
    x = drawing.add("reshape", {x}, {shape});
  }
  drawing.add("window_partition", {x}, {height == width ? List{height} : List{height, width}});
}

}  // namespace weft::testing

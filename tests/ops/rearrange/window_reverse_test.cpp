// SPDX-License-Identifier: Apache-2.0
// window_reverse: windows put together to images.
#include "ops/expect.h"

using namespace weft;
using namespace weft::testing;

TEST_CASE("window_reverse: windows row by row") {
  const Tensor x = iota<int>({4, 2, 2, 1});
  expect<int>(x.window_reverse(2, {4, 4}), {1, 4, 4, 1},
              {0, 1, 4, 5, 2, 3, 6, 7, 8, 9, 12, 13, 10, 11, 14, 15});
  expect<int>(x.window_reverse({2, 2}, {2, 4}), {2, 2, 4, 1},
              {0, 1, 4, 5, 2, 3, 6, 7, 8, 9, 12, 13, 10, 11, 14, 15});
  expect<int>(x.window_reverse(2, {8, 2}), {1, 8, 2, 1},
              {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15});
}

TEST_CASE("window_reverse: undoes window_partition, and is undone by it") {
  const Tensor x = iota<int>({2, 4, 9, 3}), y = iota<int>({12, 3, 2, 5});
  expect_same(x.window_partition({2, 3}).eval().window_reverse({2, 3}, {4, 9}), x);
  expect_same(y.window_reverse({3, 2}, {6, 4}).eval().window_partition({3, 2}), y);
}

TEST_CASE("window_reverse: no windows are no images, and no channels stay none") {
  expect<int>(iota<int>({0, 2, 2, 3}).window_reverse(2, {4, 6}), {0, 4, 6, 3}, {});
  expect<int>(iota<int>({0, 1, 1, 3}).window_reverse(1, {highest, highest}),
              {0, highest, highest, 3}, {});
  expect<int>(iota<int>({6, 2, 2, 0}).window_reverse(2, {4, 6}), {1, 4, 6, 0}, {});
}

TEST_CASE("window_reverse: parameters are of any integer type") {
  for (const DType dtype : {i8, i16, i32, i64, u8, u16, u32, u64})
    CHECK(iota<int>({2, 2, 1, 1})
              .window_reverse(ints_of(dtype, 1, {2, 1}), ints_of(dtype, 1, {2, 2}))
              .shape() == Shape{1, 2, 2, 1});
}

TEST_CASE("window_reverse: of several mistakes the first is told") {
  const Tensor x = iota<int>({6, 2, 2, 1});
  const Ints both_wrong = ints_of(f32, 2, {2});
  refuses<ParameterError>(
      "bad_rank", "window_reverse: x has rank 1, expected 4, [windows, w0, w1, C] (shape [6])",
      [&] { iota<int>(6).window_reverse(both_wrong, both_wrong); });
  refuses<DtypeError>("dtype_mismatch", "window_reverse: window is f32, expected an integer type",
                      [&] { x.window_reverse(both_wrong, both_wrong); });
  refuses<DtypeError>("dtype_mismatch", "window_reverse: shape is f32, expected an integer type",
                      [&] { x.window_reverse(array({{2}}), both_wrong); });
  refuses<ParameterError>("bad_rank",
                          "window_reverse: window has rank 2, expected a scalar or a list",
                          [&] { x.window_reverse(array({{2}}), 4); });
  refuses<ParameterError>("bad_rank", "window_reverse: shape has rank 0, expected a list (rank 1)",
                          [&] {
                            x.window_reverse({2, 2, 2}, 4);
                          });
  refuses<ParameterError>("length_mismatch",
                          "window_reverse: shape [4] has 1 entries, expected two, [H, W]", [&] {
                            x.window_reverse({0, 0}, {4});
                          });
  refuses<ParameterError>("length_mismatch",
                          "window_reverse: window [2, 2, 2] has 3 entries, expected one or two",
                          [&] {
                            x.window_reverse({2, 2, 2}, {-4, 4});
                          });
  refuses<ShapeError>("shape_mismatch", "window_reverse: window 0 is given, expected 1 or more",
                      [&] {
                        x.window_reverse(0, {-4, 4});
                      });
  refuses<ShapeError>("shape_mismatch",
                      "window_reverse: extent -4 in shape [-4, 4], expected 0 or more", [&] {
                        x.window_reverse(2, {-4, 4});
                      });
  refuses<OverflowError>(
      "overflow",
      "window_reverse: extent 18446744073709551615 in shape [4, 18446744073709551615] is beyond "
      "int64",
      [&] {
        x.window_reverse(2, u64s({4, 18446744073709551615u}));
      });
  refuses<ShapeError>("shape_mismatch",
                      "window_reverse: extent 0 in shape [4, 0], expected a multiple of 2 above 0",
                      [&] {
                        x.window_reverse(2, {4, 0});
                      });
  refuses<ShapeError>("shape_mismatch",
                      "window_reverse: extent 5 in shape [5, 4], expected a multiple of 2 above 0",
                      [&] {
                        x.window_reverse(2, {5, 4});
                      });
  refuses<ShapeError>("shape_mismatch",
                      "window_reverse: windows are 2 x 2, expected 2 x 1 (shape [6, 2, 2, 1])",
                      [&] {
                        x.window_reverse({2, 1}, {4, 4});
                      });
  refuses<ShapeError>("shape_mismatch",
                      "window_reverse: 6 windows, expected a multiple of 2 x 2 (shape [6, 2, 2, "
                      "1])",
                      [&] {
                        x.window_reverse(2, {4, 4});
                      });
  CHECK_THROWS_AS(x.window_reverse(2, {highest - 1, highest - 1}), ShapeError);
}

TEST_CASE("window_reverse: moves the bytes of any element, and leaves its operand") {
  moves_any_element({4, 2, 3, 2}, [](const Tensor& x) { return x.window_reverse({2, 3}, {4, 6}); });
}

TEST_CASE("window_reverse: of open windows and parameters the rank is known, and what follows") {
  const auto shape_of = [](PartialShape partial, const Ints& window, const Ints& shape) {
    const Tensor x = placeholder(f32, std::move(partial));
    return to_string(x.window_reverse(window, shape).partial_shape());
  };
  const Tensor open_window = placeholder(i64, {}), open_shape = placeholder(i64, {2});
  CHECK(shape_of({"n", 2, 3, "c"}, {2, 3}, {2, 3}) == "[n, 2, 3, c]");
  CHECK(shape_of({Dim(6, 18), "h", 3, 1}, {2, 3}, {4, 9}) == "[1..3, 4, 9, 1]");
  CHECK(shape_of({Dim(6, 18), 2, 2, 1}, open_window, {4, 4}) == "[0..18, 4, 4, 1]");
  CHECK(shape_of({12, 2, 2, "c"}, 2, open_shape) == "[0..12, 1.., 1.., c]");
  CHECK(shape_of(PartialShape::any(), 2, {4, 6}) == "[?, 4, 6, ?]");
  CHECK(shape_of(PartialShape::any(), open_window, open_shape) == "[?, 1.., 1.., ?]");
  CHECK_THROWS_AS(shape_of({"n", 2, 2, 1}, 2, {4, 3}), ShapeError);
  CHECK_THROWS_AS(shape_of(PartialShape::any(), 2, {4}), ParameterError);
  CHECK_THROWS_AS(shape_of(PartialShape::any(), 0, {4, 4}), ShapeError);
}

namespace weft::testing {

void draw_window_reverse(Drawing& drawing) {
  Random& random = drawing.random();
  const std::int64_t rows = random.in(1, 3), columns = random.in(1, 3);
  const std::int64_t count = drawing.size();
  if (count == 0 || count % (rows * columns) != 0) return;
  List shape = drawing.extents(count / (rows * columns), 4);
  shape[0] *= rows * columns;
  const std::size_t x = drawing.add("reshape", {drawing.x()}, {shape});
  const List window = shape[1] == shape[2] ? List{shape[1]} : List{shape[1], shape[2]};
  drawing.add("window_reverse", {x}, {window, List{rows * shape[1], columns * shape[2]}});
}

}  // namespace weft::testing

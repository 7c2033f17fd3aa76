// SPDX-License-Identifier: Apache-2.0
// squeeze: axes of extent 1 dropped.
#include "ops/expect.h"

using namespace weft;
using namespace weft::testing;

TEST_CASE("squeeze: drops the axes named, of extent 1") {
  const Tensor x = iota<int>({1, 2, 1, 3});
  expect<int>(x.squeeze(0), {2, 1, 3}, {0, 1, 2, 3, 4, 5});
  expect<int>(x.squeeze({-2}), {1, 2, 3}, {0, 1, 2, 3, 4, 5});
  expect<int>(x.squeeze({2, 0}), {2, 3}, {0, 1, 2, 3, 4, 5});
}

TEST_CASE("squeeze: without axes drops all of extent 1, with an empty list none") {
  const Tensor x = iota<int>({1, 2, 1});
  expect<int>(x.squeeze(), {2}, {0, 1});
  expect<int>(squeeze(x, none), {2}, {0, 1});
  expect<int>(x.squeeze({}), {1, 2, 1}, {0, 1});
}

TEST_CASE("squeeze: may leave a scalar, and leaves a scalar alone") {
  expect<int>(iota<int>({1, 1}, 7).squeeze(), {}, {7});
  expect<int>(scalar(7).squeeze(), {}, {7});
  expect<int>(scalar(7).squeeze({}), {}, {7});
}

TEST_CASE("squeeze: empty axes stay, those of extent 1 beside them go") {
  expect<int>(iota<int>({0, 1, 2}).squeeze(), {0, 2}, {});
}

TEST_CASE("squeeze: over lazy operands the elements are theirs") {
  const Tensor x = iota<int>({2, 1, 3});
  expect<int>(x.transpose().squeeze(), {3, 2}, {0, 3, 1, 4, 2, 5});
  expect<int>(x.squeeze().transpose(), {3, 2}, {0, 3, 1, 4, 2, 5});
}

TEST_CASE("squeeze: of stored elements is an alias") {
  const Tensor x = iota<int>({1, 3}), y = x.squeeze();
  CHECK(y.data<int>() == x.data<int>());
}

TEST_CASE("squeeze: axes may be of any integer type, also a tensor") {
  for (const DType dtype : {i8, i16, i32, i64, u8, u16, u32, u64})
    for (const int rank : {0, 1})
      CHECK(iota<int>({2, 1}).squeeze(ints_of(dtype, rank, {1})).shape() == Shape{2});
  CHECK(iota<int>({2, 1}).squeeze(array<std::int8_t>({-1})).shape() == Shape{2});
}

TEST_CASE("squeeze: axes of another type or rank are refused") {
  for (const DType dtype : all_types())
    if (!dtype.is_integer())
      refuses<DtypeError>("dtype_mismatch",
                          "squeeze: axes is " + dtype.name() + ", expected an integer type", [&] {
                            iota<int>({1, 3}).squeeze(ints_of(dtype, 2, {7}));
                          });
  refuses<ParameterError>("bad_rank", "squeeze: axes has rank 2, expected a scalar or a list", [] {
    iota<int>({1, 3}).squeeze(array({{7}}));
  });
}

TEST_CASE("squeeze: of several mistakes the first is told: range, repetition, extents") {
  const Tensor x = iota<int>({1, 2, 1});
  refuses<AxisError>("bad_axis", "squeeze: axis 3 is out of range for rank 3 (shape [1, 2, 1])",
                     [&] {
                       x.squeeze({1, 1, 3});
                     });
  refuses<AxisError>("bad_axis", "squeeze: axis -4 is out of range for rank 3 (shape [1, 2, 1])",
                     [&] { x.squeeze(-4); });
  refuses<AxisError>("duplicate_axes", "squeeze: axis 1 is named twice in axes [1, -2] (rank 3)",
                     [&] {
                       x.squeeze({1, -2});
                     });
  refuses<ShapeError>("shape_mismatch",
                      "squeeze: axis 1 has extent 2, expected 1 (shape [1, 2, 1])", [&] {
                        x.squeeze({0, 1});
                      });
  refuses<ShapeError>("shape_mismatch", "squeeze: axis 0 has extent 0, expected 1 (shape [0])",
                      [&] { iota<int>(0).squeeze(0); });
  refuses<AxisError>("bad_axis", "squeeze: axis 0 is out of range for rank 0 (shape [])",
                     [&] { scalar(1).squeeze(0); });
}

TEST_CASE("squeeze: a refused call leaves its operand as it was") {
  const Tensor lazy = iota<int>(3).flip();
  CHECK_THROWS_AS(lazy.squeeze(0), ShapeError);
  CHECK_FALSE(lazy.is_stored());
  expect<int>(lazy, {3}, {2, 1, 0});
}

TEST_CASE("squeeze: moves the bytes of any element, and leaves its operand") {
  moves_any_element({3, 1, 5}, [](const Tensor& x) { return x.transpose().squeeze(); });
}

TEST_CASE("squeeze: rank 16 loses its eight axes of extent 1") {
  std::vector<int> expected;
  for (int k = 0; k < 256; ++k) expected.push_back(k);
  expect<int>(rank_16().squeeze(), Shape(8, 2), expected);
}

namespace weft::testing {

void draw_squeeze(Drawing& drawing) {
  const List shape = drawing.shape();
  List axes;
  for (std::size_t axis = 0; axis < shape.size(); ++axis)
    if (shape[axis] == 1 && drawing.random().one_in(2))
      axes.push_back(static_cast<std::int64_t>(axis));
  const bool is_given = !drawing.random().one_in(3);
  drawing.add("squeeze", {drawing.x()},
              {is_given ? drawing.with_signs(std::move(axes), shape.size()) : Numbers()});
}

}  // namespace weft::testing

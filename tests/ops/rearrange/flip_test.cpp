// SPDX-License-Identifier: Apache-2.0
// flip: axes reversed.
#include "ops/expect.h"

using namespace weft;
using namespace weft::testing;

TEST_CASE("flip: reverses the axes named") {
  const Tensor x = iota<int>({2, 3});
  expect<int>(x.flip(0), {2, 3}, {3, 4, 5, 0, 1, 2});
  expect<int>(x.flip({1}), {2, 3}, {2, 1, 0, 5, 4, 3});
  expect<int>(x.flip({-1, 0}), {2, 3}, {5, 4, 3, 2, 1, 0});
}

TEST_CASE("flip: without axes reverses all, with an empty list none") {
  const Tensor x = iota<int>({2, 3});
  expect<int>(x.flip(), {2, 3}, {5, 4, 3, 2, 1, 0});
  expect<int>(flip(x, none), {2, 3}, {5, 4, 3, 2, 1, 0});
  expect<int>(x.flip({}), {2, 3}, {0, 1, 2, 3, 4, 5});
}

TEST_CASE("flip: is its own gradient") {
  const Tensor x = iota<int>({3, 4});
  expect_same(x.flip({1}).flip({1}), x);
}

TEST_CASE("flip: extents of 0 and 1, and scalars, have nothing to reverse") {
  expect<int>(iota<int>({2, 0, 3}).flip(), {2, 0, 3}, {});
  expect<int>(iota<int>({1, 2}).flip({0}), {1, 2}, {0, 1});
  expect<int>(scalar(5).flip(), {}, {5});
  expect<int>(scalar(5).flip({}), {}, {5});
}

TEST_CASE("flip: axes may be of any integer type, also a tensor") {
  for (const DType dtype : {i8, i16, i32, i64, u8, u16, u32, u64})
    for (const int rank : {0, 1})
      expect<int>(iota<int>({2, 2}).flip(ints_of(dtype, rank, {1})), {2, 2}, {1, 0, 3, 2});
  expect<int>(iota<int>({2, 2}).flip(scalar<std::int8_t>(-1)), {2, 2}, {1, 0, 3, 2});
}

TEST_CASE("flip: axes of another type or rank are refused") {
  for (const DType dtype : all_types())
    if (!dtype.is_integer())
      refuses<DtypeError>("dtype_mismatch",
                          "flip: axes is " + dtype.name() + ", expected an integer type",
                          [&] { iota<int>(3).flip(ints_of(dtype, 2, {7})); });
  refuses<ParameterError>("bad_rank", "flip: axes has rank 2, expected a scalar or a list",
                          [] { iota<int>(3).flip(array({{7}})); });
}

TEST_CASE("flip: axes out of range are refused before axes named twice") {
  const Tensor x = iota<int>({2, 3});
  refuses<AxisError>("bad_axis", "flip: axis 2 is out of range for rank 2 (shape [2, 3])", [&] {
    x.flip({0, 0, 2});
  });
  refuses<AxisError>("bad_axis", "flip: axis -3 is out of range for rank 2 (shape [2, 3])",
                     [&] { x.flip(-3); });
  refuses<AxisError>("bad_axis", "flip: axis 0 is out of range for rank 0 (shape [])",
                     [&] { scalar(1).flip(0); });
  refuses<AxisError>("duplicate_axes", "flip: axis 1 is named twice in axes [1, -1] (rank 2)", [&] {
    x.flip({1, -1});
  });
  CHECK_THROWS_AS(x.flip({lowest}), AxisError);
  CHECK_THROWS_AS(x.flip({highest}), AxisError);
  CHECK_THROWS_AS(x.flip(u64s({18446744073709551615u})), AxisError);
}

TEST_CASE("flip: a refused call leaves its operand as it was") {
  const Tensor lazy = iota<int>(3).roll(1, 0);
  CHECK_THROWS_AS(lazy.flip(1), AxisError);
  CHECK_FALSE(lazy.is_stored());
  expect<int>(lazy, {3}, {2, 0, 1});
}

TEST_CASE("flip: moves the bytes of any element, and leaves its operand") {
  moves_any_element({3, 5}, [](const Tensor& x) { return x.flip(); });
  moves_any_element({3, 5}, [](const Tensor& x) { return x.flip(0); });
}

TEST_CASE("flip: rank 16 is reversed on every axis") {
  std::vector<int> expected;
  for (int k = 255; k >= 0; --k) expected.push_back(k);
  expect<int>(rank_16().flip(), rank_16().shape(), expected);
}

namespace weft::testing {

void draw_flip(Drawing& drawing) {
  const bool is_whole = drawing.random().one_in(4);
  drawing.add("flip", {drawing.x()}, {is_whole ? Numbers() : drawing.random_axes(drawing.rank())});
}

}  // namespace weft::testing

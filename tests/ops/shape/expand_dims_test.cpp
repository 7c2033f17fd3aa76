// SPDX-License-Identifier: Apache-2.0
// expand_dims: axes of extent 1 inserted.
#include <algorithm>
#include <numeric>

#include "ops/expect.h"

using namespace weft;
using namespace weft::testing;

TEST_CASE("expand_dims: the axes say where the new ones stand in the result") {
  const Tensor x = iota<int>({2, 3});
  expect<int>(x.expand_dims(0), {1, 2, 3}, {0, 1, 2, 3, 4, 5});
  expect<int>(x.expand_dims({2}), {2, 3, 1}, {0, 1, 2, 3, 4, 5});
  expect<int>(x.expand_dims(-1), {2, 3, 1}, {0, 1, 2, 3, 4, 5});
  expect<int>(x.expand_dims({0, 2}), {1, 2, 1, 3}, {0, 1, 2, 3, 4, 5});
  expect<int>(x.expand_dims({-1, 1}), {2, 1, 3, 1}, {0, 1, 2, 3, 4, 5});
}

TEST_CASE("expand_dims: no axes change nothing") {
  expect<int>(iota<int>({2, 2}).expand_dims({}), {2, 2}, {0, 1, 2, 3});
}

TEST_CASE("expand_dims: a scalar becomes a list or more") {
  expect<int>(scalar(7).expand_dims(0), {1}, {7});
  expect<int>(scalar(7).expand_dims({1, 0}), {1, 1}, {7});
}

TEST_CASE("expand_dims: empty axes stay where they are") {
  expect<int>(iota<int>({0, 2}).expand_dims({1}), {0, 1, 2}, {});
}

TEST_CASE("expand_dims: squeeze, its gradient, undoes it") {
  const Tensor x = iota<int>({2, 3}).transpose();
  expect<int>(x.expand_dims({1, -1}), {3, 1, 2, 1}, {0, 3, 1, 4, 2, 5});
  expect_same(x.expand_dims({1, -1}).squeeze({1, -1}), x);
}

TEST_CASE("expand_dims: of stored elements is an alias") {
  const Tensor x = iota<int>(3), y = x.expand_dims(0);
  CHECK(y.data<int>() == x.data<int>());
}

TEST_CASE("expand_dims: axes may be of any integer type, also a tensor") {
  for (const DType dtype : {i8, i16, i32, i64, u8, u16, u32, u64})
    for (const int rank : {0, 1})
      CHECK(iota<int>(2).expand_dims(ints_of(dtype, rank, {1})).shape() == Shape{2, 1});
  CHECK(iota<int>(2).expand_dims(scalar<std::int16_t>(-2)).shape() == Shape{1, 2});
}

TEST_CASE("expand_dims: axes of another type or rank are refused") {
  for (const DType dtype : all_types())
    if (!dtype.is_integer())
      refuses<DtypeError>("dtype_mismatch",
                          "expand_dims: axes is " + dtype.name() + ", expected an integer type",
                          [&] { iota<int>(3).expand_dims(ints_of(dtype, 2, {7})); });
  refuses<ParameterError>("bad_rank", "expand_dims: axes has rank 2, expected a scalar or a list",
                          [] { iota<int>(3).expand_dims(array({{7}})); });
}

TEST_CASE("expand_dims: axes out of the result's range are refused before axes named twice") {
  const Tensor x = iota<int>({2, 3});
  refuses<AxisError>("bad_axis",
                     "expand_dims: axis 3 is out of range for rank 3 (shape [2, 3] with 1 more)",
                     [&] { x.expand_dims(3); });
  CHECK_THROWS_WITH_AS(x.expand_dims({0, 0, 5}),
                       doctest::Contains("axis 5 is out of range for rank 5"), AxisError);
  CHECK_THROWS_WITH_AS(x.expand_dims(-4), doctest::Contains("axis -4 is out of range for rank 3"),
                       AxisError);
  refuses<AxisError>("duplicate_axes",
                     "expand_dims: axis 0 is named twice in axes [0, -4] (rank 4)", [&] {
                       x.expand_dims({0, -4});
                     });
}

TEST_CASE("expand_dims: a refused call leaves its operand as it was") {
  const Tensor lazy = iota<int>(3).flip();
  CHECK_THROWS_AS(lazy.expand_dims(2), AxisError);
  CHECK_FALSE(lazy.is_stored());
  expect<int>(lazy, {3}, {2, 1, 0});
}

TEST_CASE("expand_dims: moves the bytes of any element, and leaves its operand") {
  moves_any_element({3, 5}, [](const Tensor& x) { return x.transpose().expand_dims({0, 2}); });
}

TEST_CASE("expand_dims: rank 16 is made, rank 17 refused before the axes are looked at") {
  expect<int>(iota<int>({2, 1, 1, 1, 1, 1, 1, 2}).expand_dims({0, 1, 2, 3, 4, 5, 6, 7}),
              {1, 1, 1, 1, 1, 1, 1, 1, 2, 1, 1, 1, 1, 1, 1, 2}, {0, 1, 2, 3});
  refuses<ParameterError>("bad_rank",
                          "expand_dims: the result would have rank 17, at most 16 is allowed",
                          [] { rank_16().expand_dims(99); });
}

namespace weft::testing {

void draw_expand_dims(Drawing& drawing) {
  const std::size_t rank = drawing.rank();
  if (rank >= Drawing::most_axes) return;
  const std::size_t more =
      drawing.random().below(std::min<std::size_t>(Drawing::most_axes - rank, 2)) + 1;
  List axes(rank + more);
  std::iota(axes.begin(), axes.end(), 0);
  drawing.random().shuffle(axes);
  axes.resize(more);
  drawing.add("expand_dims", {drawing.x()}, {drawing.with_signs(axes, rank + more)});
}

}  // namespace weft::testing

// SPDX-License-Identifier: Apache-2.0
// flatten: neighbouring axes joined.
#include <algorithm>

#include "ops/expect.h"

using namespace weft;
using namespace weft::testing;

TEST_CASE("flatten: joins the axes from the first to the last named") {
  const Tensor x = iota<int>({2, 3, 4, 5});
  CHECK(x.flatten().shape() == Shape{120});
  CHECK(x.flatten(1).shape() == Shape{2, 60});
  CHECK(x.flatten(0, 1).shape() == Shape{6, 4, 5});
  CHECK(x.flatten(1, 2).shape() == Shape{2, 12, 5});
  CHECK(x.flatten(-3, -2).shape() == Shape{2, 12, 5});
  CHECK(x.flatten(2, 2).shape() == Shape{2, 3, 4, 5});
  expect<int>(iota<int>({2, 3}).transpose().flatten(), {6}, {0, 3, 1, 4, 2, 5});
}

TEST_CASE("flatten: a scalar is taken as a list of one") {
  expect<int>(scalar(7).flatten(), {1}, {7});
  expect<int>(scalar(7).flatten(-1, 0), {1}, {7});
  refuses<AxisError>("bad_axis", "flatten: axis 1 is out of range for rank 1 (shape [1])",
                     [] { scalar(7).flatten(0, 1); });
}

TEST_CASE("flatten: an extent of 0 makes one of 0, whatever is beside it") {
  CHECK(iota<int>({2, 0, 3}).flatten().shape() == Shape{0});
  CHECK(iota<int>({2, 0, 3}).flatten(0, 1).shape() == Shape{0, 3});
  const std::int64_t large = std::int64_t{1} << 40;
  const Tensor x = iota<int>({0, large, large});
  CHECK(x.flatten().shape() == Shape{0});
  CHECK(x.flatten(0, 1).shape() == Shape{0, large});
  refuses<OverflowError>("overflow",
                         "flatten: extents [1099511627776, 1099511627776] of shape [0, "
                         "1099511627776, 1099511627776] join to one beyond int64",
                         [&] { x.flatten(1); });
}

TEST_CASE("flatten: is undone by unflatten") {
  const Tensor x = iota<int>({2, 3, 4});
  expect_same(x.flatten(1).unflatten(1, {3, 4}), x);
}

TEST_CASE("flatten: axes of another type, rank or length are refused, in that order") {
  const Tensor x = iota<int>({2, 3});
  for (const DType dtype : all_types())
    if (!dtype.is_integer())
      refuses<DtypeError>("dtype_mismatch",
                          "flatten: end_axis is " + dtype.name() + ", expected an integer type",
                          [&] { x.flatten(array({{9}}), ints_of(dtype, 0, {9})); });
  refuses<ParameterError>("bad_rank", "flatten: end_axis has rank 2, expected a scalar or a list",
                          [&] {
                            x.flatten({9, 9}, array({{9}}));
                          });
  refuses<ParameterError>("length_mismatch", "flatten: start_axis has 2 entries, expected one",
                          [&] {
                            x.flatten({9, 9});
                          });
  refuses<ParameterError>("bad_rank", "flatten: end_axis is none, expected a scalar or a list",
                          [&] { x.flatten(0, none); });
}

TEST_CASE("flatten: axes out of range or the wrong way round are refused") {
  const Tensor x = iota<int>({2, 3, 4});
  refuses<AxisError>("bad_axis", "flatten: axis 3 is out of range for rank 3 (shape [2, 3, 4])",
                     [&] { x.flatten(2, 3); });
  refuses<AxisError>("bad_axis", "flatten: start_axis -1 comes after end_axis 1 (shape [2, 3, 4])",
                     [&] { x.flatten(-1, 1); });
  CHECK_THROWS_AS(x.flatten(lowest), AxisError);
  CHECK_THROWS_AS(x.flatten(0, highest), AxisError);
  CHECK_THROWS_AS(x.flatten(0, u64s({18446744073709551615u})), AxisError);
}

TEST_CASE("flatten: moves the bytes of any element, and leaves its operand") {
  moves_any_element({3, 5}, [](const Tensor& x) { return x.transpose().flatten(); });
}

TEST_CASE("flatten: rank 16 is joined") {
  std::vector<int> expected;
  for (int k = 0; k < 256; ++k) expected.push_back(k);
  expect<int>(rank_16().flatten(), {256}, expected);
}

TEST_CASE("flatten: multiplies what is known of the extents that it joins") {
  CHECK(shape_of(open({"n", 4, 5}).flatten(1)) == "[n, 20]");
  CHECK(shape_of(open({"n", 1, 5}).flatten(0, 1)) == "[n, 5]");
  CHECK(shape_of(open({"n", 4, 5}).flatten()) == "[?]");
  CHECK(shape_of(open({Dim(1, 3), 4, Dim(2, 5)}).flatten()) == "[8..60]");
  CHECK(shape_of(open({Dim(2, Dim::unbounded), Dim(3, 4)}).flatten()) == "[6..]");
  CHECK(shape_of(open({"n", 0}).flatten()) == "[0]");
  CHECK(shape_of(open({}).flatten()) == "[1]");
  CHECK(shape_of(open(PartialShape::any()).flatten()) == "[...]");
  const Tensor axis = placeholder(i64, {1});
  CHECK(shape_of(open({"n"}).flatten(axis)) == "[n]");
  CHECK(shape_of(open({"n", 4}).flatten(axis)) == "[...]");
  CHECK_THROWS_WITH_AS(open({"n", 4}).flatten(2),
                       "flatten: axis 2 is out of range for rank 2 (shape [n, 4])", AxisError);
}

namespace weft::testing {

void draw_flatten(Drawing& drawing) {
  const std::size_t rank = std::max<std::size_t>(drawing.rank(), 1);
  std::size_t first = drawing.random().below(rank), last = drawing.random().below(rank);
  if (first > last) std::swap(first, last);
  drawing.add("flatten", {drawing.x()},
              {List{drawing.with_sign(first, rank)}, List{drawing.with_sign(last, rank)}});
}

}  // namespace weft::testing

// SPDX-License-Identifier: Apache-2.0
// unstack: the slices along an axis.
#include "ops/expect.h"

using namespace weft;
using namespace weft::testing;

TEST_CASE("unstack: every index of an axis, which goes") {
  const Tensor x = iota<int>({2, 3});
  const std::vector<Tensor> rows = x.unstack(), columns = unstack(x, -1);
  REQUIRE(rows.size() == 2);
  expect<int>(rows[0], {3}, {0, 1, 2});
  expect<int>(rows[1], {3}, {3, 4, 5});
  REQUIRE(columns.size() == 3);
  expect<int>(columns[1], {2}, {1, 4});
  expect<int>(iota<int>(3).unstack()[2], {}, {2});
  CHECK(iota<int>({0, 3}).unstack().empty());
  CHECK(iota<int>({2, 0}).unstack()[1].shape() == Shape{0});
}

TEST_CASE("unstack: an axis of another type, rank or length, or out of range, is refused") {
  const Tensor x = iota<int>({2, 5});
  refuses<DtypeError>("dtype_mismatch", "unstack: axis is f32, expected an integer type",
                      [&] { x.unstack(ints_of(f32, 2, {1})); });
  refuses<ParameterError>("bad_rank", "unstack: axis has rank 2, expected a scalar or a list", [&] {
    x.unstack(array({{9, 9}}));
  });
  refuses<ParameterError>("length_mismatch", "unstack: axis has 2 entries, expected one", [&] {
    x.unstack({9, 9});
  });
  refuses<AxisError>("bad_axis", "unstack: axis 2 is out of range for rank 2 (shape [2, 5])",
                     [&] { x.unstack(2); });
  refuses<AxisError>("bad_axis", "unstack: axis 0 is out of range for rank 0 (shape [])",
                     [] { scalar(1).unstack(); });
  CHECK_THROWS_AS(x.unstack(lowest), AxisError);
  CHECK_THROWS_AS(x.unstack(highest), AxisError);
}

TEST_CASE("unstack: more slices than anybody wants are refused") {
  refuses<OverflowError>("overflow", "unstack: 1099511627776 parts, at most 1048576 are allowed",
                         [] { full(std::int64_t{1} << 40, 1).unstack(); });
}

TEST_CASE("unstack: moves the bytes of any element, and leaves its operand") {
  moves_any_element({3, 5}, [](const Tensor& x) { return x.unstack(1)[2]; });
}

TEST_CASE("unstack: an open tensor needs the extent of the axis, and no other") {
  const std::vector<Tensor> columns = open({"n", 3}).unstack(1);
  REQUIRE(columns.size() == 3);
  CHECK(shape_of(columns[2]) == "[n]");
  refuses<OpenError>("open_tensor",
                     "unstack: the extent of axis 0 of [n, 3] depends on a placeholder", [] {
                       open({"n", 3}).unstack();
                     });
  CHECK_THROWS_AS(open(PartialShape::any()).unstack(), OpenError);
  refuses<OpenError>("open_tensor", "unstack: axis depends on a placeholder, expected a value",
                     [] { iota<int>(5).unstack(integers({})); });
}

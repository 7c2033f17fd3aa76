// SPDX-License-Identifier: Apache-2.0
// select: one index of an axis, which goes.
#include "ops/expect.h"

using namespace weft;
using namespace weft::testing;

TEST_CASE("select: picks an index and drops the axis") {
  const Tensor x = iota<int>({2, 3});
  expect<int>(x.select(0, 1), {3}, {3, 4, 5});
  expect<int>(x.select(1, 0), {2}, {0, 3});
  expect<int>(x.select(-1, -1), {2}, {2, 5});
  expect<int>(x.select({0}, {-2}), {3}, {0, 1, 2});
  expect<int>(x.select(0, 1).select(0, 2), {}, {5});
  CHECK(iota<int>({2, 0, 3}).select(0, 1).shape() == Shape{0, 3});
}

TEST_CASE("select: parameters of another type, rank or length are refused, in that order") {
  const Tensor x = iota<int>({2, 3});
  refuses<DtypeError>("dtype_mismatch", "select: index is f32, expected an integer type",
                      [&] { x.select(array({{9}}), ints_of(f32, 0, {1})); });
  refuses<ParameterError>("bad_rank", "select: index has rank 2, expected a scalar or a list", [&] {
    x.select({9, 9}, array({{9}}));
  });
  refuses<ParameterError>("length_mismatch", "select: index has 0 entries, expected one",
                          [&] { x.select(9, {}); });
}

TEST_CASE("select: an index out of range is refused") {
  const Tensor x = iota<int>({2, 5});
  refuses<AxisError>("bad_axis", "select: axis 2 is out of range for rank 2 (shape [2, 5])",
                     [&] { x.select(2, 9); });
  refuses<AxisError>("bad_axis", "select: axis 0 is out of range for rank 0 (shape [])",
                     [] { scalar(1).select(0, 0); });
  refuses<IndexError>("bad_index", "select: index 5 is out of range for axis 1 of extent 5",
                      [&] { x.select(-1, 5); });
  refuses<IndexError>("bad_index", "select: index -3 is out of range for axis 0 of extent 2",
                      [&] { x.select(0, -3); });
  refuses<IndexError>("bad_index", "select: index 0 is out of range for axis 0 of extent 0", [] {
    iota<int>({0, 3}).select(0, 0);
  });
  refuses<IndexError>("bad_index",
                      "select: index 18446744073709551615 is out of range for axis 1 of extent 5",
                      [&] { x.select(1, u64s({18446744073709551615u})); });
  for (const std::int64_t far : {lowest, highest}) {
    CHECK_THROWS_AS(x.select(far, 0), AxisError);
    CHECK_THROWS_AS(x.select(0, far), IndexError);
  }
}

TEST_CASE("select: moves the bytes of any element, and leaves its operand") {
  moves_any_element({3, 5}, [](const Tensor& x) { return x.select(1, 2); });
}

TEST_CASE("select: drops an axis of what is known; one that is not known opens all") {
  CHECK(shape_of(open({"n", Dim(1, 4), 5}).select(1, 0)) == "[n, 5]");
  CHECK(shape_of(open({"n", 5}).select(-2, integers({1}))) == "[5]");
  CHECK(shape_of(open({"n", 5}).select(integers({1}), 0)) == "[?]");
  CHECK(shape_of(open({}).select(integers({1}), 0)) == "[...]");
  CHECK(shape_of(open(PartialShape::any()).select(0, 1)) == "[...]");
  CHECK_THROWS_WITH_AS(open({"n", 4}).select(2, 0),
                       "select: axis 2 is out of range for rank 2 (shape [n, 4])", AxisError);
}

TEST_CASE("select: an index is looked for in what is known of the shape") {
  CHECK(shape_of(open({"n", 5}).select(0, 3)) == "[5]");
  CHECK(shape_of(open({"n", 5}).select(1, -3)) == "[n]");
  CHECK_THROWS_WITH_AS(open({"n", 5}).select(1, 5),
                       "select: index 5 is out of range for axis 1 of extent 5", IndexError);
}

namespace weft::testing {

void draw_select(Drawing& drawing) {
  if (drawing.rank() == 0) return;
  const std::size_t axis = drawing.random_axis();
  const std::int64_t extent = drawing.shape()[axis];
  if (extent == 0) return;
  drawing.add("select", {drawing.x()},
              {List{drawing.with_sign(axis, drawing.rank())},
               List{drawing.random().in(-extent, extent - 1)}});
}

}  // namespace weft::testing

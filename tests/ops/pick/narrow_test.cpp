// SPDX-License-Identifier: Apache-2.0
// narrow: a stretch of one axis.
#include "ops/expect.h"

using namespace weft;
using namespace weft::testing;

TEST_CASE("narrow: keeps a stretch of one axis") {
  const Tensor x = iota<int>({3, 4});
  expect<int>(x.narrow(0, 1, 2), {2, 4}, {4, 5, 6, 7, 8, 9, 10, 11});
  expect<int>(x.narrow(1, 1, 2), {3, 2}, {1, 2, 5, 6, 9, 10});
  expect<int>(x.narrow(-1, -2, 2), {3, 2}, {2, 3, 6, 7, 10, 11});
  expect<int>(x.narrow({1}, {-4}, {1}), {3, 1}, {0, 4, 8});
  expect_same(x.narrow(0, 0, 3), x);
}

TEST_CASE("narrow: nothing may be kept, also from the end on") {
  const Tensor x = iota<int>({3, 4});
  CHECK(x.narrow(0, 0, 0).shape() == Shape{0, 4});
  CHECK(x.narrow(0, 3, 0).shape() == Shape{0, 4});
  CHECK(x.narrow(1, -4, 0).shape() == Shape{3, 0});
  CHECK(iota<int>({0, 4}).narrow(0, 0, 0).shape() == Shape{0, 4});
}

TEST_CASE("narrow: parameters of another type, rank or length are refused, in that order") {
  const Tensor x = iota<int>({2, 3});
  refuses<DtypeError>("dtype_mismatch", "narrow: length is f32, expected an integer type",
                      [&] { x.narrow(array({{9}}), 0, ints_of(f32, 0, {1})); });
  refuses<ParameterError>("bad_rank", "narrow: start has rank 2, expected a scalar or a list", [&] {
    x.narrow({9, 9}, array({{9}}), 1);
  });
  refuses<ParameterError>("length_mismatch", "narrow: axis has 2 entries, expected one", [&] {
    x.narrow({9, 9}, 0, 1);
  });
}

TEST_CASE("narrow: a stretch that leaves the axis is refused") {
  const Tensor x = iota<int>({2, 5});
  refuses<AxisError>("bad_axis", "narrow: axis 2 is out of range for rank 2 (shape [2, 5])",
                     [&] { x.narrow(2, 9, 9); });
  refuses<AxisError>("bad_axis", "narrow: axis 0 is out of range for rank 0 (shape [])",
                     [] { scalar(1).narrow(0, 0, 1); });
  refuses<IndexError>("bad_index", "narrow: start 6 is out of range for axis 1 of extent 5",
                      [&] { x.narrow(1, 6, 0); });
  refuses<IndexError>("bad_index", "narrow: start -6 is out of range for axis 1 of extent 5",
                      [&] { x.narrow(-1, -6, 1); });
  refuses<IndexError>("bad_index",
                      "narrow: length 3 from start -2 of axis 1 of extent 5, expected 0 to 2",
                      [&] { x.narrow(1, -2, 3); });
  refuses<IndexError>("bad_index",
                      "narrow: length -1 from start 1 of axis 1 of extent 5, expected 0 to 4",
                      [&] { x.narrow(1, 1, -1); });
  refuses<IndexError>("bad_index",
                      "narrow: start 18446744073709551615 is out of range for axis 1 of extent 5",
                      [&] { x.narrow(1, u64s({18446744073709551615u}), 1); });
  for (const std::int64_t far : {lowest, highest}) {
    CHECK_THROWS_AS(x.narrow(far, 0, 1), AxisError);
    CHECK_THROWS_AS(x.narrow(1, far, 1), IndexError);
    CHECK_THROWS_AS(x.narrow(1, 1, far), IndexError);
  }
}

TEST_CASE("narrow: moves the bytes of any element, and leaves its operand") {
  moves_any_element({3, 5}, [](const Tensor& x) { return x.narrow(1, 1, 3); });
}

TEST_CASE("narrow: the length is all that is needed of the extent") {
  CHECK(shape_of(open({"n", "m"}).narrow(0, 0, 1)) == "[1, m]");
  CHECK(shape_of(open({"n", 5}).narrow(1, integers({1}), 3)) == "[n, 3]");
  CHECK(shape_of(open({"n", 5}).narrow(1, 0, integers({1}))) == "[n, 0..5]");
  CHECK(shape_of(open({"n", 5}).narrow(integers({1}), 0, 1)) == "[?, 0..5]");
  CHECK(shape_of(open(PartialShape::any()).narrow(0, 1, 3)) == "[...]");
  CHECK_THROWS_WITH_AS(open({"n", 4}).narrow(2, 0, 1),
                       "narrow: axis 2 is out of range for rank 2 (shape [n, 4])", AxisError);
}

TEST_CASE("narrow: a stretch is looked for in what is known of the shape") {
  CHECK(shape_of(open({"n", 5}).narrow(0, 3, 4)) == "[4, 5]");
  CHECK(shape_of(open({"n", 5}).narrow(1, -3, 2)) == "[n, 2]");
  CHECK_THROWS_WITH_AS(open({"n", 5}).narrow(1, 6, 0),
                       "narrow: start 6 is out of range for axis 1 of extent 5", IndexError);
}

namespace weft::testing {

void draw_narrow(Drawing& drawing) {
  if (drawing.rank() == 0) return;
  Random& random = drawing.random();
  const std::size_t axis = drawing.random_axis();
  const std::int64_t extent = drawing.shape()[axis];
  const std::int64_t start = random.in(0, extent);
  const std::int64_t length = random.in(start < extent ? 1 : 0, extent - start);
  const bool is_from_end = start < extent && random.one_in(3);
  drawing.add("narrow", {drawing.x()},
              {List{drawing.with_sign(axis, drawing.rank())},
               List{is_from_end ? start - extent : start}, List{length}});
}

}  // namespace weft::testing

// SPDX-License-Identifier: Apache-2.0
// diagonal: where two axes have equal indices.
#include "ops/expect.h"

#include <weft/graph/plan/plan.h>

using namespace weft;
using namespace weft::testing;

TEST_CASE("diagonal: of a matrix, with offsets to both sides") {
  const Tensor x = iota<int>({3, 4});
  expect<int>(x.diagonal(), {3}, {0, 5, 10});
  expect<int>(x.diagonal(1), {3}, {1, 6, 11});
  expect<int>(x.diagonal(2), {2}, {2, 7});
  expect<int>(x.diagonal(-1), {2}, {4, 9});
  expect<int>(x.diagonal(0, 1, 0), {3}, {0, 5, 10});
  expect<int>(x.diagonal(1, 1, 0), {2}, {4, 9});
  expect<int>(x.transpose().diagonal(), {3}, {0, 5, 10});
}

TEST_CASE("diagonal: becomes the last axis") {
  const Tensor x = iota<int>({2, 2, 2});
  expect<int>(x.diagonal(), {2, 2}, {0, 6, 1, 7});  // the example of NumPy
  expect<int>(x.diagonal(0, 1, 2), {2, 2}, {0, 3, 4, 7});
  expect<int>(x.diagonal(0, -3, -1), {2, 2}, {0, 5, 2, 7});
  CHECK(iota<int>({2, 3, 4, 5}).diagonal(1, 3, 0).shape() == Shape{3, 4, 1});
}

TEST_CASE("diagonal: beyond the extents it is empty") {
  const Tensor x = iota<int>({3, 4});
  for (const std::int64_t offset : {std::int64_t{4}, std::int64_t{-3}, lowest, highest})
    CHECK(x.diagonal(offset).shape() == Shape{0});
  CHECK(x.diagonal(u64s({18446744073709551615u})).shape() == Shape{0});
  expect<int>(x.diagonal(3), {1}, {3});
  expect<int>(x.diagonal(-2), {1}, {8});
}

TEST_CASE("diagonal: extents of 0 and 1") {
  CHECK(iota<int>({0, 4}).diagonal().shape() == Shape{0});
  CHECK(iota<int>({4, 0}).diagonal(-1).shape() == Shape{0});
  CHECK(iota<int>({0, 3, 4}).diagonal(0, 1, 2).shape() == Shape{0, 3});
  const std::int64_t large = std::int64_t{1} << 40;
  CHECK(iota<int>({0, large, large}).diagonal(-1, 1, 2).shape() == Shape{0, large - 1});
  CHECK(iota<int>({0, large, large}).diagonal(lowest, 1, 2).shape() == Shape{0, 0});
  expect<int>(iota<int>({1, 3}).diagonal(), {1}, {0});
  expect<int>(iota<int>({3, 1}).diagonal(-2), {1}, {2});
}

TEST_CASE("diagonal: a tensor of rank below 2 is refused before all else") {
  refuses<ParameterError>("bad_rank", "diagonal: x has rank 1, expected at least 2",
                          [] { iota<int>(3).diagonal(ints_of(f32, 0, {0})); });
  CHECK_THROWS_AS(scalar(1).diagonal(), ParameterError);
}

TEST_CASE("diagonal: parameters of another type, rank or length are refused, in that order") {
  const Tensor x = iota<int>({2, 3});
  refuses<DtypeError>("dtype_mismatch", "diagonal: axis2 is f32, expected an integer type",
                      [&] { x.diagonal(array({{9}}), 0, ints_of(f32, 0, {1})); });
  refuses<ParameterError>("bad_rank", "diagonal: axis1 has rank 2, expected a scalar or a list",
                          [&] {
                            x.diagonal({0, 0}, array({{9}}), 1);
                          });
  refuses<ParameterError>("length_mismatch", "diagonal: offset has 2 entries, expected one", [&] {
    x.diagonal({0, 0}, 9, 9);
  });
}

TEST_CASE("diagonal: axes out of range are refused before equal ones") {
  const Tensor x = iota<int>({2, 3});
  refuses<AxisError>("bad_axis", "diagonal: axis 2 is out of range for rank 2 (shape [2, 3])",
                     [&] { x.diagonal(0, 2, 2); });
  refuses<AxisError>("duplicate_axes", "diagonal: axis1 1 and axis2 -1 are the same axis (rank 2)",
                     [&] { x.diagonal(0, 1, -1); });
  CHECK_THROWS_AS(x.diagonal(0, lowest, 0), AxisError);
  CHECK_THROWS_AS(x.diagonal(0, 0, highest), AxisError);
}

TEST_CASE("diagonal: moves the bytes of any element, and leaves its operand") {
  moves_any_element({3, 4, 5}, [](const Tensor& x) { return x.diagonal(1, 0, 2); });
}

TEST_CASE("diagonal: is as long as what is known of both extents lets it be") {
  CHECK(shape_of(open({"n", "n", 5}).diagonal()) == "[5, n]");
  CHECK(shape_of(open({"n", "m", 5}).diagonal()) == "[5, ?]");
  CHECK(shape_of(open({"n", "n", 5}).diagonal(1)) == "[5, ?]");
  CHECK(shape_of(open({"n", 4, 5}).diagonal(1)) == "[5, 0..3]");
  CHECK(shape_of(open({"n", 4, 5}).diagonal(-1)) == "[5, 0..4]");
  CHECK(shape_of(open({"n", 4, 5}).diagonal(lowest)) == "[5, 0]");
  CHECK(shape_of(open({"n", 4, 5}).diagonal(1, 1, 2)) == "[n, 4]");
  CHECK(shape_of(open({Dim(3, 6), Dim(2, 9)}).diagonal(-1)) == "[2..5]");
  CHECK(shape_of(open({"n", 4, 5}).diagonal(integers({1}))) == "[5, 0..4]");
  CHECK(shape_of(open({"n", 4, 5}).diagonal(0, integers({1}))) == "[?, ?]");
  CHECK(shape_of(open(PartialShape::any()).diagonal()) == "[...]");
  CHECK_THROWS_WITH_AS(open({"n", 4}).diagonal(0, 0, 2),
                       "diagonal: axis 2 is out of range for rank 2 (shape [n, 4])", AxisError);
  CHECK_THROWS_AS(open({"n"}).diagonal(integers({})), ParameterError);
}

namespace weft::testing {

void draw_diagonal(Drawing& drawing) {
  const List shape = drawing.shape();
  if (shape.size() < 2) return;
  Random& random = drawing.random();
  const std::size_t row = drawing.random_axis();
  const std::size_t column = (row + 1 + random.below(shape.size() - 1)) % shape.size();
  // On the diagonal mostly, at times beyond it.
  const std::int64_t offset = random.one_in(30) ? (random.one_in(2) ? INT64_MIN : INT64_MAX)
                              : random.one_in(2) || shape[row] == 0 || shape[column] == 0
                                  ? 0
                                  : random.in(1 - shape[row], shape[column] - 1);
  drawing.add("diagonal", {drawing.x()},
              {List{offset}, List{drawing.with_sign(row, shape.size())},
               List{drawing.with_sign(column, shape.size())}});
}

}  // namespace weft::testing

TEST_CASE("diagonal: of a stored tensor it is one box, whatever its axes and extents") {
  const Tensor x = iota<int>({40, 3, 50, 2});
  for (const auto& [axis1, axis2] : {std::pair(0, 1), {0, 2}, {2, 0}, {1, 3}, {3, 2}})
    for (const std::int64_t offset : {-1, 0, 1}) {
      const Plan plan = make_plan(x.diagonal(offset, axis1, axis2).node_ptr());
      CHECK(plan.passes.size() == 1);
      CHECK(plan.passes[0].copies.size() == 1);
    }
  const Plan large = make_plan(full<std::uint8_t>({4096, 4096}, 1).eval().diagonal().node_ptr());
  CHECK(large.passes.size() == 1);
  CHECK(large.passes[0].copies.size() == 1);
}

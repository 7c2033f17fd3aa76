// SPDX-License-Identifier: Apache-2.0
// What is inferred of calls that will be refused when their arguments are known: nothing is read
// that is not there.
#include <doctest/doctest.h>
#include <weft/weft.h>

namespace weft {
namespace {

Tensor open(PartialShape shape) { return placeholder(f32, std::move(shape)); }
const PartialShape any_shape = PartialShape::any();

TEST_CASE("rot90 by a k of unknown length does not read beyond the axes") {
  const Tensor k = placeholder(i64, {Dim()});
  CHECK_THROWS_AS(open({2, 3}).rot90(k, {0}), ParameterError);
  CHECK_THROWS_AS(open({2, 3}).rot90(k, Ints()), ParameterError);
  CHECK_THROWS_AS(open({2, 3}).rot90(placeholder(i64, any_shape), {1}), ParameterError);
}

TEST_CASE("a rank below 0 is refused, not taken for a huge one") {
  const Tensor of_any_rank = open(any_shape), axis = placeholder(i64, any_shape);
  CHECK_THROWS_AS(select_scatter(open({}), of_any_rank, axis, 0), ParameterError);
  CHECK_THROWS_AS(open({}).diagonal(0, axis, axis), ParameterError);
  CHECK_THROWS_AS(open({3}).diagonal(0, axis, 0), ParameterError);
}

TEST_CASE("what a parameter does not have cannot be read") {
  CHECK_THROWS_AS(Ints{1}[1], ParameterError);
  const Ints not_given = none;
  CHECK_THROWS_AS(not_given[0], ParameterError);
  CHECK_THROWS_AS(Ints(placeholder(i64, {2}))[0], ParameterError);
  CHECK_THROWS_AS(Ints{1}.bits(1), ParameterError);
  CHECK_THROWS_AS(Ints{1}.exceeds_int64(1), ParameterError);
}

TEST_CASE("what a partial shape does not have cannot be read") {
  PartialShape shape{1, 2};
  CHECK_THROWS_AS(shape[2], ParameterError);
  CHECK_THROWS_AS(PartialShape::any()[0], ParameterError);
  CHECK_THROWS_AS(PartialShape::of_rank(static_cast<std::size_t>(-1)), ParameterError);
  CHECK_THROWS_AS(PartialShape::of_rank(17), ParameterError);
}

TEST_CASE("an index into an axis without elements is refused, whatever it is") {
  const Tensor nothing = full<int>({0, 3}, 0);
  for (const std::int64_t index : {INT64_MIN, INT64_MIN + 1, std::int64_t{-1}, INT64_MAX}) {
    CHECK_THROWS_AS(nothing.take({index}, 0), IndexError);
    CHECK_THROWS_AS(nothing.take(array<std::int64_t>({index}), 0), IndexError);
  }
  CHECK_THROWS_AS(nothing.take(array<std::uint64_t>({UINT64_MAX}), 0), IndexError);
}

}  // namespace
}  // namespace weft

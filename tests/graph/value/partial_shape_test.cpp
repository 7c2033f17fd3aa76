// SPDX-License-Identifier: Apache-2.0
// Partial shapes: bounds, names, how they read.
#include <doctest/doctest.h>

#include <weft/weft.h>

namespace weft {
namespace {

TEST_CASE("a dim is an extent, any, between bounds, or named") {
  CHECK(to_string(Dim(3)) == "3");
  CHECK(to_string(Dim(-1)) == "?");
  CHECK(to_string(Dim(1, 64)) == "1..64");
  CHECK(to_string(Dim(2, Dim::unbounded)) == "2..");
  CHECK(to_string(Dim("batch")) == "batch");
  CHECK(to_string(Dim(1, 64, "batch")) == "batch=1..64");
  CHECK(to_string(PartialShape{8, -1, "tokens", Dim(0, 9)}) == "[8, ?, tokens, 0..9]");
  CHECK(to_string(PartialShape{}) == "[]");
  CHECK(to_string(PartialShape(Shape{2, 3})) == "[2, 3]");
  CHECK(to_string(PartialShape::of_rank(2)) == "[?, ?]");
  CHECK_THROWS_WITH_AS(Dim(-2), "dim: extent -2 is given, expected 0 or more, or -1", ShapeError);
  CHECK_THROWS_AS(Dim(3, 2), ShapeError);
  CHECK_THROWS_AS(Dim(-1, 2), ShapeError);
}

TEST_CASE("a dim times a repeat has bounds that never overflow") {
  CHECK(Dim(3) * 2 == Dim(6));
  CHECK(Dim(1, 4) * 3 == Dim(3, 12));
  CHECK(Dim("n") * 1 == Dim("n"));
  CHECK(Dim("n") * 2 == Dim());
  CHECK(Dim("n") * 0 == Dim(0));
  CHECK(Dim(2, INT64_MAX / 2) * 3 == Dim(6, Dim::unbounded));
}

TEST_CASE("shapes that are known in part may be equal or not") {
  const PartialShape any = placeholder(f32, PartialShape::any()).partial_shape();
  CHECK(can_be_equal(any, {1, 2}));
  CHECK(can_be_equal({1, -1}, {-1, 7}));
  CHECK_FALSE(can_be_equal({1, -1}, {2, -1}));
  CHECK_FALSE(can_be_equal({1, -1}, {1}));
  CHECK_FALSE(can_be_equal({Dim(1, 3)}, {Dim(4, 9)}));
}

}  // namespace
}  // namespace weft

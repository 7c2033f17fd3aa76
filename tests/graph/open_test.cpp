// SPDX-License-Identifier: Apache-2.0
// Tensors that depend on placeholders: what is inferred of their shapes, and what is refused early.
#include <doctest/doctest.h>

#include <weft/weft.h>

namespace weft {
namespace {

Tensor open(PartialShape shape) { return placeholder(f32, std::move(shape)); }
Tensor integers(PartialShape shape) { return placeholder(i64, std::move(shape)); }
std::string shape_of(const Tensor& tensor) { return to_string(tensor.partial_shape()); }

const PartialShape any_shape = PartialShape::any();

TEST_CASE("roll keeps what is known of the shape") {
  CHECK(shape_of(open({"n", Dim(1, 4), 5}).roll(1, 2)) == "[n, 1..4, 5]");
  CHECK(shape_of(open(any_shape).roll(1, 2)) == "[...]");
  CHECK(shape_of(open({2, 3}).roll(integers({}), integers({1}))) == "[2, 3]");
}

TEST_CASE("transpose permutes bounds and names; an order that is not known opens all") {
  CHECK(shape_of(open({"n", Dim(1, 4), 5}).transpose({2, 0, 1})) == "[5, n, 1..4]");
  CHECK(shape_of(open({"n", Dim(1, 4), 5}).transpose()) == "[5, 1..4, n]");
  CHECK(shape_of(open({"n", 4, 5}).transpose(integers({3}))) == "[?, ?, ?]");
  CHECK(shape_of(open(any_shape).transpose({1, 0})) == "[?, ?]");
  CHECK(shape_of(open(any_shape).transpose(integers({3}))) == "[?, ?, ?]");
  CHECK(shape_of(open(any_shape).transpose(integers(any_shape))) == "[...]");
}

TEST_CASE("tile multiplies bounds; repeats that are not known open all") {
  CHECK(shape_of(open({"n", Dim(1, 4), 5}).tile({2, 3, 1})) == "[?, 3..12, 5]");
  CHECK(shape_of(open({"n", 5}).tile({2, 1, 0})) == "[2, n, 0]");
  CHECK(shape_of(open({"n", 5}).tile({3})) == "[n, 15]");
  CHECK(shape_of(open({4, 5}).tile(integers({3}))) == "[?, ?, ?]");
  CHECK(shape_of(open({4, 5}).tile(integers({1}))) == "[?, ?]");
  CHECK(shape_of(open({4, 5}).tile(integers(any_shape))) == "[...]");
  CHECK(shape_of(open(any_shape).tile({2})) == "[...]");
}

TEST_CASE("slice_scatter merges ranks and wants extents that can be equal") {
  const Tensor data = open({"n", Dim(1, 9), 5});
  CHECK(shape_of(data.slice_scatter(open({2, -1, 5}), {0}, {2})) == "[n, 1..9, 5]");
  CHECK(shape_of(data.slice_scatter(open(any_shape), {0}, {2})) == "[n, 1..9, 5]");
  CHECK(shape_of(open(any_shape).slice_scatter(open({2, -1}), {0}, {2})) == "[?, ?]");
  CHECK(shape_of(open({4, 4}).slice_scatter(open({-1, 4}), integers({1}), integers({1}))) ==
        "[4, 4]");
  CHECK_THROWS_WITH_AS(data.slice_scatter(open({2, 5}), {0}, {2}),
                       "slice_scatter: updates have shape [2, 5], expected [0..2, 1..9, 5], the "
                       "slice of [n, 1..9, 5]",
                       ShapeError);
  CHECK_THROWS_AS(data.slice_scatter(open({2, 20, 5}), {0}, {2}), ShapeError);
  CHECK_THROWS_AS(data.slice_scatter(open({3, -1, 5}), {0}, {2}), ShapeError);
}

TEST_CASE("the other ops infer what they can") {
  CHECK(shape_of(open({"n", 6}).flip()) == "[n, 6]");
  CHECK(shape_of(open({"n", 6}).slice({0, 0}, {4, 4})) == "[0..4, 4]");
  CHECK(shape_of(open({Dim(5, 9), 6}).slice({1}, {4})) == "[3, 6]");
  CHECK(shape_of(open({"n", 6}).slice({-3}, {INT64_MAX})) == "[?, 6]");
  CHECK(shape_of(open({8, 6}).slice(integers({1}), integers({1}))) == "[0..8, 6]");
  CHECK(shape_of(open({8, 6}).slice(integers({1}), integers({1}), none, {1})) == "[8, 0..6]");
  CHECK(shape_of(open({"n", 6}).reshape({-1, 3})) == "[?, 3]");
  CHECK(shape_of(open({"n", 6}).reshape(integers({4}))) == "[?, ?, ?, ?]");
  CHECK(shape_of(open({4, 6}).reshape({-1, 3})) == "[8, 3]");
  CHECK(shape_of(open({"n", 1}).broadcast_to({4, 5})) == "[4, 5]");
  CHECK(shape_of(open({"n", 1}).expand_dims({0, -1})) == "[1, n, 1, 1]");
  CHECK(shape_of(open({"n", 1}).squeeze(1)) == "[n]");
  CHECK(shape_of(open({"n", 1}).squeeze()) == "[...]");
  CHECK(shape_of(open({Dim(2, 9), 1}).squeeze()) == "[2..9]");
  CHECK(shape_of(open({"n", 6}).stored()) == "[n, 6]");
  CHECK(shape_of(full(integers({2}), 1.5f)) == "[?, ?]");
}

TEST_CASE("what is certain is refused before the program runs") {
  CHECK_THROWS_WITH_AS(open({"n", 5}).roll(1, 3),
                       "roll: axis 3 is out of range for rank 2 (shape [n, 5])", AxisError);
  CHECK_THROWS_WITH_AS(open(any_shape).roll(placeholder(f32, {}), 0),
                       "roll: shift is f32, expected i32 or i64", DtypeError);
  CHECK_THROWS_WITH_AS(open({"n", 5}).transpose({0, 0}),
                       "transpose: order [0, 0] is not a permutation of 0 to 1 (shape [n, 5])",
                       AxisError);
  CHECK_THROWS_AS(open({"n", 5}).transpose(integers({3})), ParameterError);
  CHECK_THROWS_WITH_AS(open({"n", 5}).tile({2, -1}),
                       "tile: repeat -1 in [2, -1] is negative, expected 0 or more",
                       ParameterError);
  CHECK_THROWS_AS(open({"n", 5}).tile(integers({2, 2})), ParameterError);
  CHECK_THROWS_AS(open({"n", 5}).slice({0}, {4}, {0}), ParameterError);
  CHECK_THROWS_AS(open({"n", 5}).slice({0, 0, 0}, integers({3})), ParameterError);
  CHECK_THROWS_AS(open({4, 5}).reshape({3, 7}), ShapeError);
  CHECK_THROWS_AS(open({"n", 5}).slice_scatter(placeholder(f64, any_shape), {0}, {1}), DtypeError);
  CHECK_THROWS_AS(open({"n", 5}).slice_scatter(open({}), {0}, {1}), ParameterError);
}

TEST_CASE("parameters whose lengths do not fit are never read past their end") {
  const std::vector<int> eight(8, 0), one{1};
  const Tensor any = open(any_shape);
  CHECK_THROWS_WITH_AS(open({4}).slice_scatter(any, eight, eight),
                       "slice_scatter: 8 slices, expected at most 1 for shape [4]", ParameterError);
  CHECK_THROWS_AS(open({4, 4, 4}).slice_scatter(any, {0}, {1}, {1}, {0, 1, 2}), ParameterError);
  CHECK_THROWS_WITH_AS(open({4, 4}).slice_scatter(any, {0}, {1}, {1}, {5}),
                       "slice_scatter: axis 5 is out of range for rank 2 (shape [4, 4])",
                       AxisError);
  CHECK_THROWS_AS(open({4, 4}).slice_scatter(any, {0}, {1}, {0}), ParameterError);
  CHECK(shape_of(open({4, 4}).slice_scatter(any, {0}, {1}, {1}, {-1})) == "[4, 4]");
  // Not known to be wrong before it is known how many stops there are.
  CHECK(shape_of(open({"n"}).slice(eight, integers({-1}))) == "[?]");
  CHECK(shape_of(open({"n", 5, 6}).slice({0}, integers({-1}), none, {1})) == "[n, 0..5, 6]");
  CHECK(shape_of(open({4, 5, 6}).slice({0}, integers({-1}), none, eight)) == "[0..4, 5, 6]");
}

TEST_CASE("messages about open tensors leave the caller's own numbers alone") {
  const Tensor x = open({"batch", "n"});
  CHECK_THROWS_WITH_AS(x.slice({0, 0}, {1, 1}, none, {1, 1}),
                       "slice: axis 1 is named twice in axes [1, 1] (rank 2)", AxisError);
  CHECK_THROWS_WITH_AS(x.transpose({1, 1}),
                       "transpose: order [1, 1] is not a permutation of 0 to 1 (shape [batch, n])",
                       AxisError);
  CHECK_THROWS_WITH_AS(
      x.roll(integers({2}), {1, 1, 1}),
      "roll: 2 shifts (a tensor) do not fit axes [1, 1, 1], expected one shift, or a list of as "
      "many axes",
      ParameterError);
  CHECK(shape_of(x.reshape({-2})) == "[?]");
}

TEST_CASE("nothing that needs a value or a shape takes an open tensor") {
  const Tensor x = open({"n", 5});
  CHECK(x.is_open());
  CHECK(x.rank() == 2);
  CHECK_THROWS_WITH_AS(
      x.shape(),
      "shape: f32 [n, 5] depends on a placeholder and is not known before its program runs",
      OpenError);
  CHECK_THROWS_AS(x.size(), OpenError);
  CHECK_THROWS_AS(open(any_shape).rank(), OpenError);
  CHECK(open({2, 3}).shape() == Shape{2, 3});
  const Tensor y = open({2, 3}).roll(1, 0);
  CHECK(y.bytes() == 24);
  CHECK_THROWS_AS(y.eval(), OpenError);
  CHECK_THROWS_AS(y.data<float>(), OpenError);
  CHECK_THROWS_AS(explain(y), OpenError);
  CHECK_THROWS_AS(eval(y, y), OpenError);
  std::vector<float> out(6);
  CHECK_THROWS_AS(eval_into(y, out.data(), 24), OpenError);
  CHECK_THROWS_AS(iota<int>(integers({2})), OpenError);
  CHECK(graph_text(y) ==
        "%0 = placeholder()  f32 [2, 3]\n"
        "%1 = roll(%0, shift=1, axes=0)  f32 [2, 3]\n");
}

TEST_CASE("placeholders that no tensor fits are refused") {
  CHECK_THROWS_AS(placeholder(f32, PartialShape::of_rank(17)), ParameterError);
  CHECK_THROWS_AS(placeholder(f32, {std::int64_t{1} << 40, std::int64_t{1} << 40}), OverflowError);
}

TEST_CASE("a chain of a million open calls is freed in constant stack") {
  Tensor x = open({"n", 5});
  for (int i = 0; i < 1'000'000; ++i) x = x.roll(1, 0);
  CHECK(x.is_open());
}

}  // namespace
}  // namespace weft

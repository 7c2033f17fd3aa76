// SPDX-License-Identifier: Apache-2.0
// split: an axis cut into parts.
#include "ops/expect.h"

using namespace weft;
using namespace weft::testing;

TEST_CASE("split: cuts an axis into parts of the lengths given") {
  const Tensor x = iota<int>({2, 5});
  const std::vector<Tensor> parts = x.split({2, 0, 3}, 1);
  REQUIRE(parts.size() == 3);
  expect<int>(parts[0], {2, 2}, {0, 1, 5, 6});
  expect<int>(parts[1], {2, 0}, {});
  expect<int>(parts[2], {2, 3}, {2, 3, 4, 7, 8, 9});
  REQUIRE(x.split({2}).size() == 1);
  expect_same(x.split({2})[0], x);
}

TEST_CASE("split: a number asks for so many parts of one length") {
  const std::vector<Tensor> parts = split(iota<int>({6, 2}), 3);
  REQUIRE(parts.size() == 3);
  expect<int>(parts[0], {2, 2}, {0, 1, 2, 3});
  expect<int>(parts[2], {2, 2}, {8, 9, 10, 11});
  CHECK(iota<int>({2, 6}).split(2, -1)[1].shape() == Shape{2, 3});
}

TEST_CASE("split: an extent of 0 makes empty parts") {
  const Tensor x = iota<int>({0, 3});
  CHECK(x.split(4).size() == 4);
  CHECK(x.split(4)[3].shape() == Shape{0, 3});
  CHECK(x.split({0, 0})[1].shape() == Shape{0, 3});
  CHECK(x.split(Ints{}).empty());
}

TEST_CASE("split: parameters of another type, rank or length are refused, in that order") {
  const Tensor x = iota<int>({2, 3});
  refuses<DtypeError>("dtype_mismatch", "split: axis is f32, expected an integer type",
                      [&] { x.split(array({{9}}), ints_of(f32, 0, {1})); });
  refuses<ParameterError>("bad_rank", "split: lengths has rank 2, expected a scalar or a list",
                          [&] {
                            x.split(array({{9}}), {9, 9});
                          });
  refuses<ParameterError>("bad_rank", "split: lengths is none, expected a scalar or a list",
                          [&] { x.split(none); });
  refuses<ParameterError>("length_mismatch", "split: axis has 2 entries, expected one", [&] {
    x.split({9}, {9, 9});
  });
}

TEST_CASE("split: lengths that do not make the extent are refused") {
  const Tensor x = iota<int>({2, 5});
  refuses<AxisError>("bad_axis", "split: axis 2 is out of range for rank 2 (shape [2, 5])",
                     [&] { x.split({-1}, 2); });
  refuses<AxisError>("bad_axis", "split: axis 0 is out of range for rank 0 (shape [])",
                     [] { scalar(1).split({1}); });
  refuses<ShapeError>("shape_mismatch", "split: length -1 in lengths [6, -1], expected 0 or more",
                      [&] {
                        x.split({6, -1}, 1);
                      });
  for (const Ints& lengths : {Ints{}, Ints{4}, Ints{3, 3}, Ints{5, 1, 0}, Ints{highest, highest}})
    refuses<ShapeError>(
        "shape_mismatch",
        "split: lengths " + lengths.text() + " do not sum to the extent 5 of axis 1",
        [&] { x.split(lengths, 1); });
  CHECK_THROWS_AS(x.split({lowest, 5}, 1), ShapeError);
  CHECK_THROWS_AS(x.split(u64s({18446744073709551615u, 6}), 1), ShapeError);
}

TEST_CASE("split: numbers of parts that do not divide the extent, or are too many, are refused") {
  const Tensor x = iota<int>({2, 5});
  refuses<ShapeError>("shape_mismatch", "split: 2 equal parts do not make the extent 5 of axis 1",
                      [&] { x.split(2, 1); });
  refuses<ShapeError>("shape_mismatch", "split: 10 equal parts do not make the extent 5 of axis 1",
                      [&] { x.split(10, 1); });
  refuses<ShapeError>("shape_mismatch", "split: 0 parts, expected 1 or more", [&] { x.split(0); });
  CHECK_THROWS_AS(x.split(lowest), ShapeError);
  refuses<OverflowError>("overflow",
                         "split: 9223372036854775807 parts, at most 1048576 are allowed",
                         [] { iota<int>({0}).split(highest); });
  CHECK_THROWS_AS(x.split(ints_of(u64, 0, {-1})), OverflowError);
}

TEST_CASE("split: moves the bytes of any element, and leaves its operand") {
  moves_any_element({3, 5}, [](const Tensor& x) { return x.split({2, 3}, 1)[1]; });
  moves_any_element({4, 3}, [](const Tensor& x) { return x.split(2)[1]; });
}

TEST_CASE("split: the parts of an open tensor wait one by one") {
  const std::vector<Tensor> parts = open({"n", "m", 5}).split({2, 3}, 1);
  REQUIRE(parts.size() == 2);
  CHECK(shape_of(parts[0]) == "[n, 2, 5]");
  CHECK(shape_of(parts[1]) == "[n, 3, 5]");
  CHECK(graph_text(parts[1]) ==
        "%0 = placeholder()  f32 [n, m, 5]\n"
        "%1 = split(%0, lengths=[2, 3], axis=1, index=1)  f32 [n, 3, 5]\n");
}

TEST_CASE("split: what is known of equal parts is a share of what is known of the extent") {
  CHECK(open({"n", 6}).split(3, 0).size() == 3);
  CHECK(shape_of(open({"n", 6}).split(3, 1)[2]) == "[n, 2]");
  CHECK(shape_of(open({"n", 6}).split(3, 0)[2]) == "[?, 6]");
  CHECK(shape_of(open({"n", 6}).split(1, 0)[0]) == "[n, 6]");
  CHECK(shape_of(open({Dim(4, 9), 6}).split(2, 0)[0]) == "[2..4, 6]");
  CHECK(shape_of(open({Dim(4, Dim::unbounded), 6}).split(2, 0)[0]) == "[2.., 6]");
  CHECK(shape_of(open(PartialShape::any()).split(2, 0)[0]) == "[...]");
}

TEST_CASE("split: lengths that are not known are as many as their tensor has") {
  const std::vector<Tensor> parts = open({"n", 6}).split(integers({2}), 1);
  REQUIRE(parts.size() == 2);
  CHECK(shape_of(parts[0]) == "[n, 0..6]");
  CHECK(shape_of(open({"n", 6}).split({2, 4}, integers({}))[0]) == "[?, 0..6]");
  for (const PartialShape& shape : {PartialShape{}, PartialShape{"k"}, PartialShape::any()})
    refuses<OpenError>("open_tensor", "split: how many parts lengths make depends on a placeholder",
                       [&] { iota<int>(6).split(integers(shape)); });
}

TEST_CASE("split: what is certain of an open tensor is refused early") {
  refuses<AxisError>("bad_axis", "split: axis 2 is out of range for rank 2 (shape [n, 5])", [] {
    open({"n", 5}).split({2, 3}, 2);
  });
  refuses<ShapeError>("shape_mismatch",
                      "split: lengths [2, 2] do not sum to the extent 5 of axis 1", [] {
                        open({"n", 5}).split({2, 2}, 1);
                      });
  refuses<ShapeError>("shape_mismatch", "split: 0 parts, expected 1 or more", [] {
    open({"n", 5}).split(0);
  });
  refuses<OverflowError>("overflow", "split: 1048577 parts, at most 1048576 are allowed", [] {
    open({"n", 5}).split(1048577);
  });
  refuses<DtypeError>("dtype_mismatch", "split: lengths is f32, expected an integer type", [] {
    open({"n", 5}).split(open({2}));
  });
}

TEST_CASE("split: the op makes one part, and refuses an index of none") {
  const auto part = [](Ints lengths, Ints index) {
    return split_op.build({{iota<int>(6)}, {std::move(lengths), Ints(0), std::move(index)}});
  };
  expect<int>(part({1, 2, 3}, 2), {3}, {3, 4, 5});
  expect<int>(part(3, 1), {2}, {2, 3});
  refuses<IndexError>("bad_index", "split: index 3 is out of range for 3 parts", [&] {
    part({1, 2, 3}, 3);
  });
  refuses<IndexError>("bad_index", "split: index -1 is out of range for 3 parts",
                      [&] { part(3, -1); });
  CHECK_THROWS_AS(part({1, 2, 3}, highest), IndexError);
  CHECK_THROWS_AS(part({1, 2, 3}, lowest), IndexError);
}

namespace weft::testing {

void draw_split(Drawing& drawing) {
  if (drawing.rank() == 0) return;
  Random& random = drawing.random();
  const std::size_t axis = drawing.random_axis();
  std::int64_t left = drawing.shape()[axis];
  List lengths;
  for (std::int64_t k = random.in(0, 3); k > 0; --k) {
    lengths.push_back(random.in(0, left));
    left -= lengths.back();
  }
  lengths.push_back(left);
  random.shuffle(lengths);
  // An empty part is rare, for all that follows it is empty too.
  std::size_t index = random.below(lengths.size());
  if (lengths[index] == 0) index = random.below(lengths.size());
  drawing.add("split", {drawing.x()},
              {lengths, List{drawing.with_sign(axis, drawing.rank())},
               List{static_cast<std::int64_t>(index)}});
}

}  // namespace weft::testing

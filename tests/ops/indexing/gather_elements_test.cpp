// SPDX-License-Identifier: Apache-2.0
// gather_elements: an index for every place.
#include <algorithm>

#include "ops/expect.h"

using namespace weft;
using namespace weft::testing;

TEST_CASE("gather_elements: picks along an axis for every place anew") {
  const Tensor x = array({{1, 2}, {3, 4}});
  expect<int>(x.gather_elements(array({{0, 0}, {1, 0}}), 1), {2, 2}, {1, 1, 4, 3});
  expect<int>(x.gather_elements(array({{-1, 0}}), 0), {1, 2}, {3, 2});
  expect<int>(x.gather_elements(array({{0, 0, -1}}), 1), {1, 3}, {1, 1, 2});
}

TEST_CASE("gather_elements: the indices give the shape, beside the axis at most that of x") {
  const Tensor x = iota<int>({2, 3, 2});
  expect<int>(x.gather_elements(array({{{2, 1}}}), 1), {1, 1, 2}, {4, 3});
  expect<int>(x.gather_elements(full({2, 0, 2}, 0), 1), {2, 0, 2}, {});
  expect<int>(x.gather_elements(full({2, 3, 0}, 5), 0), {2, 3, 0}, {});
  expect<int>(iota<int>(3).gather_elements(array({2, 2, -3, 1, 0}), -1), {5}, {2, 2, 0, 1, 0});
  expect<int>(full({0, 2}, 1).gather_elements(full({0, 9}, 0), 1), {0, 9}, {});
}

TEST_CASE("gather_elements: takes along another axis than the last") {
  const Tensor x = iota<int>({3, 2, 2});
  expect<int>(x.gather_elements(array({{{0, 1}, {2, -1}}}), 0), {1, 2, 2}, {0, 5, 10, 11});
  expect<int>(x.gather_elements(array({{{1, 0}}, {{0, 0}}, {{-1, 1}}}), 1), {3, 1, 2},
              {2, 1, 4, 5, 10, 11});
}

TEST_CASE_TEMPLATE("gather_elements: indices may be of any integer type", T, std::int8_t,
                   std::int16_t, std::int32_t, std::int64_t, std::uint8_t, std::uint16_t,
                   std::uint32_t, std::uint64_t) {
  const Tensor indices = array<T>({{2, 0}, {1, 1}});
  expect<int>(iota<int>({2, 3}).gather_elements(indices, 1), {2, 2}, {2, 0, 4, 4});
  expect<int>(iota<int>({2, 3}).gather_elements(indices.flip(0), 1), {2, 2}, {1, 1, 5, 3});
}

TEST_CASE("gather_elements: between other ops, of itself, and on several threads") {
  const Tensor x = iota({4, 4}).roll({1, 1}, {0, 1});
  const Tensor places = array<std::int64_t>({{3, 2, 1, 0}}).broadcast_to({4, 4});
  expect_same(x.gather_elements(places, 1).transpose(), x.flip(1).transpose());
  const Tensor self = iota({4}).roll(1, 0);
  expect<std::int64_t>(self.gather_elements(self, 0), {4}, {2, 3, 0, 1});
  const Tensor large = iota<int>({1024, 1024});
  const Tensor flipped = iota<int>(1024).flip().broadcast_to({1024, 1024});
  CHECK(reference_value(large.gather_elements(flipped, 1).eval()) ==
        reference_value(large.flip(1).eval()));
}

TEST_CASE("gather_elements: what one box of movement brings is read where it lies") {
  const Tensor x = iota<int>({6, 8}).eval();
  const auto check = [&](const Tensor& operand, std::int64_t axis, const std::string& strides) {
    CAPTURE(strides);
    const Shape& shape = operand.shape();
    const std::int64_t extent = shape[static_cast<std::size_t>(axis)];
    List values;
    for (std::int64_t k = 0; k < operand.size(); ++k) values.push_back((k * 7) % extent);
    const Tensor index = from_vector(values).reshape(shape).eval();
    const Tensor y = operand.gather_elements(index, axis);
    const std::string text = explain(y);
    CAPTURE(text);
    CHECK(text.find("1 pass") != std::string::npos);
    CHECK(text.find("0 temporaries") != std::string::npos);
    CHECK(text.find("computed from source 0 by strides " + strides + "\n") != std::string::npos);
    expect_same(y, operand.stored().gather_elements(index, axis));
  };
  for (const std::int64_t axis : {0, 1}) {
    check(x.transpose(), axis, "[1, 8]");
    check(x.flip(1), axis, "[8, -1]");
    check(x.slice({1, 0}, {6, 8}, {2, 3}, {0, 1}), axis, "[16, 3]");
    check(x.slice({2}, {3}).broadcast_to({5, 8}), axis, "[0, 1]");
    check(x.reshape({8, 6}).transpose().flip(0), axis, "[-1, 6]");
    check(x.transpose().reshape({4, 2, 6}).slice({1}, {2}, {1}, {1}).squeeze(1), axis, "[2, 8]");
  }
  // Elements that follow one another are told as before.
  CHECK(explain(x.slice({2}, {5}).gather_elements(full({3, 8}, 0).eval(), 0))
            .find("computed from 1 stored operand\n") != std::string::npos);
  CHECK(explain(x.slice({2}, {5}).gather_elements(full({3, 8}, 0).eval(), 0)).find("1 pass") !=
        std::string::npos);
}

TEST_CASE("gather_elements: rows that are turned are stored first, unless they are few") {
  const Tensor x = iota<int>({60, 1024}).eval();
  const auto told = [&](const Tensor& operand) {
    const Tensor picks = full({operand.shape()[0], 3}, 1).eval();
    const Tensor y = operand.gather_elements(picks, 1);
    const std::string text = explain(y);
    expect_same(y, operand.stored().gather_elements(picks, 1));
    return text;
  };
  CHECK(told(x.transpose()).find("by strides") == std::string::npos);
  CHECK(told(x.transpose().slice({0}, {60})).find("by strides [1, 1024]") != std::string::npos);
  CHECK(told(x.flip()).find("by strides [-1024, -1]") != std::string::npos);
  CHECK(told(x.slice({0}, {1024}, {16}, {1})).find("by strides [1024, 16]") != std::string::npos);
}

TEST_CASE("gather_elements: what more than one box brings is stored, as is what has no strides") {
  const Tensor x = iota<int>({6, 8}).eval();
  const Tensor index = full({6, 8}, 1).eval();
  for (const Tensor& operand :
       {x.roll(1, 0), x.reshape({2, 3, 8}).transpose({1, 0, 2}).reshape({6, 8}),
        concat({x.slice({0}, {3}), x.slice({0}, {3})}, 0)}) {
    const Tensor y = operand.gather_elements(index, 1);
    CHECK(explain(y).find("2 passes") != std::string::npos);
    expect_same(y, operand.stored().gather_elements(index, 1));
  }
  // A part of what is computed is not a reason to store all of that.
  const Tensor large = where(full({600, 8}, true).eval(), full({600, 8}, 1).eval(), scalar(0));
  const Tensor part = large.slice({3}, {9}).transpose().gather_elements(full({8, 6}, 1).eval(), 0);
  CHECK(explain(part).find("1 temporary of 192 B") != std::string::npos);
  CHECK(part.to_vector<int>() == std::vector<int>(48, 1));
}

TEST_CASE("gather_elements: an index out of range is refused as soon as it is known") {
  const Tensor x = iota<int>({2, 3});
  const auto message = [](const std::string& index) {
    return "gather_elements: index " + index + " at [1, 0] is out of range, expected -3 to 2";
  };
  for (const std::int64_t bad : {std::int64_t{3}, std::int64_t{-4}, lowest, highest})
    refuses<IndexError>("bad_index", message(std::to_string(bad)), [&] {
      x.gather_elements(array<std::int64_t>({{0}, {bad}}), 1);
    });
  refuses<IndexError>("bad_index", message("18446744073709551615"), [&] {
    x.gather_elements(array<std::uint64_t>({{0}, {18446744073709551615u}}), 1);
  });
  refuses<IndexError>("bad_index",
                      "gather_elements: index 0 at [0, 0] is out of range, expected none, for the "
                      "extent is 0",
                      [] {
                        full({2, 0}, 1).gather_elements(array({{0}}), 1);
                      });
  const Tensor lazy = x.gather_elements(array({{3}, {0}}).flip(0), 1);
  for (int again = 0; again < 2; ++again)
    refuses<IndexError>("bad_index", message("3"), [&] { lazy.eval(); });
  CHECK_FALSE(lazy.is_stored());
}

TEST_CASE("gather_elements: types, ranks, axes and shapes that do not fit are refused") {
  const Tensor x = iota<int>({2, 3});
  refuses<DtypeError>("dtype_mismatch", "gather_elements: indices is f32, expected an integer type",
                      [&] { x.gather_elements(array({0.5f}), 7); });
  refuses<ParameterError>(
      "bad_rank",
      "gather_elements: indices have rank 1 and x has rank 2, expected the same "
      "of at least 1",
      [&] { x.gather_elements(array({7}), 7); });
  refuses<ParameterError>(
      "bad_rank",
      "gather_elements: indices have rank 0 and x has rank 0, expected the same "
      "of at least 1",
      [&] { scalar(1).gather_elements(scalar(0), 0); });
  refuses<ParameterError>("length_mismatch", "gather_elements: axis has 0 entries, expected one",
                          [&] { x.gather_elements(array({{7}}), Ints()); });
  refuses<ParameterError>("bad_rank", "gather_elements: axis is none, expected a scalar or a list",
                          [&] { x.gather_elements(array({{7}}), none); });
  refuses<AxisError>("bad_axis",
                     "gather_elements: axis -3 is out of range for rank 2 (shape [2, 3])",
                     [&] { x.gather_elements(array({{7}}), -3); });
  refuses<ShapeError>("shape_mismatch",
                      "gather_elements: indices have shape [3, 9], expected at most [2, 3] but on "
                      "axis 1",
                      [&] {
                        x.gather_elements(full({3, 9}, 7), 1);
                      });
}

TEST_CASE("gather_elements: moves the bytes of any element, and rank 16") {
  moves_any_element({2, 3}, [](const Tensor& x) {
    return x.gather_elements(array({{2, 0, 2, -3}, {1, 1, -1, 0}}), 1);
  });
  expect_same(rank_16().gather_elements(full(rank_16().shape(), 1), 0), rank_16().take({1, 1}, 0));
}

TEST_CASE("gather_elements: what is known of open shapes") {
  const Tensor x = placeholder(f32, {"n", 4}), any = placeholder(i64, PartialShape::any());
  const auto shape_of = [](const Tensor& y) { return to_string(y.partial_shape()); };
  CHECK(shape_of(x.gather_elements(placeholder(i64, {"n", "k"}), 1)) == "[n, k]");
  CHECK(shape_of(x.gather_elements(any, 1)) == "[?, ?]");
  CHECK(shape_of(placeholder(f32, PartialShape::any()).gather_elements(any, 1)) == "[...]");
}

namespace weft::testing {

void draw_gather_elements(Drawing& drawing) {
  Random& random = drawing.random();
  if (drawing.rank() == 0) return;
  List shape = drawing.shape();
  const std::size_t axis = drawing.random_axis();
  const std::int64_t extent = shape[axis];
  if (extent == 0) return;
  shape[axis] =
      random.in(0, extent * std::min<std::int64_t>(std::max<std::int64_t>(drawing.room(), 1), 2));
  for (std::size_t k = 0; k < shape.size(); ++k)
    if (k != axis && random.one_in(4)) shape[k] = random.in(0, shape[k]);
  std::int64_t count = 1;
  for (const std::int64_t e : shape) count *= e;
  List indices;
  for (std::int64_t k = 0; k < count; ++k) indices.push_back(random.in(-extent, extent - 1));
  const std::size_t index = drawing.index(shape, indices);
  drawing.add("gather_elements", {drawing.x(), index},
              {List{drawing.with_sign(axis, shape.size())}});
}

}  // namespace weft::testing

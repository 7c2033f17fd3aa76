// SPDX-License-Identifier: Apache-2.0
// select_scatter: what stands at one index of an axis replaced.
#include "ops/expect.h"

using namespace weft;
using namespace weft::testing;

TEST_CASE("select_scatter: replaces one index of an axis") {
  const Tensor x = iota<int>({2, 3});
  expect<int>(x.select_scatter(array({7, 8, 9}), 0, 1), {2, 3}, {0, 1, 2, 7, 8, 9});
  expect<int>(x.select_scatter(array({7, 8}), 1, 0), {2, 3}, {7, 1, 2, 8, 4, 5});
  expect<int>(x, {2, 3}, {0, 1, 2, 3, 4, 5});
}

TEST_CASE("select_scatter: axes and indices may count from the end") {
  const Tensor x = iota<int>({2, 3});
  expect<int>(x.select_scatter(array({7, 8}), -1, -1), {2, 3}, {0, 1, 7, 3, 4, 8});
  expect<int>(x.select_scatter(array({7, 8, 9}), -2, -2), {2, 3}, {7, 8, 9, 3, 4, 5});
}

TEST_CASE("select_scatter: of rank 1 a scalar is put") {
  expect<int>(iota<int>(4).select_scatter(scalar(9), 0, 2), {4}, {0, 1, 9, 3});
  expect<int>(iota<int>(1).select_scatter(scalar(9), 0, -1), {1}, {9});
}

TEST_CASE("select_scatter: extents of 0 beside the axis stay") {
  expect<int>(iota<int>({3, 0}).select_scatter(iota<int>(0), 0, 2), {3, 0}, {});
}

TEST_CASE("select_scatter: updates that alias data are read as they were") {
  const Tensor x = iota<int>({2, 2});
  expect<int>(x.select_scatter(x.slice({0}, {1}).reshape(2), 1, 1), {2, 2}, {0, 0, 2, 1});
}

TEST_CASE("select_scatter: parameters may be of any integer type, also tensors") {
  for (const DType dtype : {i8, i16, i32, i64, u8, u16, u32, u64})
    for (const int rank : {0, 1})
      expect<int>(iota<int>({2, 2}).select_scatter(array({8, 9}), ints_of(dtype, rank, {1}),
                                                   ints_of(dtype, rank, {1})),
                  {2, 2}, {0, 8, 2, 9});
  expect<int>(
      iota<int>(2).select_scatter(scalar(9), scalar<std::int8_t>(-1), array<std::int16_t>({1})),
      {2}, {0, 9});
}

TEST_CASE("select_scatter: of several mistakes the first is told") {
  const Tensor x = iota<int>({2, 3}), updates = array({7, 8, 9});
  const Ints floats = ints_of(f32, 2, {7});
  refuses<DtypeError>("dtype_mismatch", "select_scatter: updates are f32, expected i32 as data",
                      [&] { scalar(1).select_scatter(scalar(1.0f), floats, floats); });
  refuses<ParameterError>("bad_rank", "select_scatter: data has rank 0, expected at least 1",
                          [&] { scalar(1).select_scatter(scalar(1), floats, floats); });
  refuses<DtypeError>("dtype_mismatch", "select_scatter: index is f32, expected an integer type",
                      [&] { x.select_scatter(updates, array({{7}}), floats); });
  refuses<ParameterError>("bad_rank",
                          "select_scatter: index has rank 2, expected a scalar or a "
                          "list",
                          [&] {
                            x.select_scatter(updates, {7, 7}, array({{7}}));
                          });
  refuses<ParameterError>("length_mismatch", "select_scatter: axis has 2 entries, expected one",
                          [&] {
                            x.select_scatter(updates, {7, 7}, {7, 7});
                          });
  refuses<ParameterError>("length_mismatch", "select_scatter: index has 0 entries, expected one",
                          [&] { x.select_scatter(updates, 7, {}); });
  refuses<AxisError>("bad_axis", "select_scatter: axis 2 is out of range for rank 2 (shape [2, 3])",
                     [&] { x.select_scatter(updates, 2, 7); });
  refuses<IndexError>(
      "bad_index", "select_scatter: index 2 is out of range for extent 2 of axis 0 (shape [2, 3])",
      [&] {
        x.select_scatter(array({7, 8}), 0, 2);
      });
  refuses<IndexError>(
      "bad_index", "select_scatter: index -4 is out of range for extent 3 of axis 1 (shape [2, 3])",
      [&] { x.select_scatter(updates, -1, -4); });
  refuses<IndexError>("bad_index",
                      "select_scatter: index 18446744073709551615 is out of range for extent 2 of "
                      "axis 0 (shape [2, 3])",
                      [&] { x.select_scatter(updates, 0, u64s({18446744073709551615u})); });
  refuses<IndexError>("bad_index",
                      "select_scatter: index 0 is out of range for extent 0 of axis 0 (shape [0])",
                      [] { iota<int>(0).select_scatter(scalar(1), 0, 0); });
  refuses<ShapeError>("shape_mismatch",
                      "select_scatter: updates have shape [2], expected [3] (shape [2, 3])", [&] {
                        x.select_scatter(array({7, 8}), 0, 1);
                      });
  refuses<ShapeError>("shape_mismatch",
                      "select_scatter: updates have shape [1, 3], expected [3] (shape [2, 3])",
                      [&] {
                        x.select_scatter(array({{7, 8, 9}}), 0, 1);
                      });
  for (const std::int64_t index : {lowest, highest})
    CHECK_THROWS_AS(x.select_scatter(updates, 0, index), IndexError);
}

TEST_CASE("select_scatter: data given up is written in place") {
  Tensor x = iota<int>({4, 3}).transpose().eval();
  const int* const memory = x.data<int>();
  x = std::move(x).select_scatter(array({7, 8, 9, 10}), 0, 1).eval();
  CHECK(x.data<int>() == memory);
  expect<int>(x, {3, 4}, {0, 3, 6, 9, 7, 8, 9, 10, 2, 5, 8, 11});
  x = select_scatter(std::move(x), array({-1, -2, -3}), 1, -1).eval();
  CHECK(x.data<int>() == memory);
  expect<int>(x, {3, 4}, {0, 3, 6, -1, 7, 8, 9, -2, 2, 5, 8, -3});
}

TEST_CASE("select_scatter: data given up to a refused call stays") {
  Tensor x = iota<int>(3);
  CHECK_THROWS_AS(std::move(x).select_scatter(scalar(1), 0, 3), IndexError);
  expect<int>(x, {3}, {0, 1, 2});
}

TEST_CASE("select_scatter: moves the bytes of any element, and leaves its operands") {
  moves_any_element({3, 5}, [](const Tensor& x) {
    return x.select_scatter(x.slice({0}, {1}, none, {1}).squeeze(1), 1, 3);
  });
}

TEST_CASE("select_scatter: rank 16 takes updates of rank 15") {
  const Tensor x = rank_16();
  std::vector<int> expected;
  for (int k = 0; k < 256; ++k) expected.push_back(k < 128 ? k : -1);
  Shape shape = x.shape();
  shape[0] = 1;
  expect<int>(x.select_scatter(full<int>(shape, -1).squeeze(0), 0, 1), x.shape(), expected);
}

TEST_CASE("select_scatter: keeps what is known of data, and wants updates that can be equal") {
  const auto open = [](PartialShape shape) { return placeholder(f32, std::move(shape)); };
  const auto shape_of = [](const Tensor& x) { return to_string(x.partial_shape()); };
  const Tensor data = open({"n", Dim(2, 9), 5}), number = placeholder(i64, {});
  CHECK(shape_of(data.select_scatter(open({-1, 5}), 1, 0)) == "[n, 2..9, 5]");
  CHECK(shape_of(data.select_scatter(open({-1, 5}), number, number)) == "[n, 2..9, 5]");
  CHECK(shape_of(data.select_scatter(open({9, 5}), 0, 7)) == "[n, 2..9, 5]");
  CHECK(shape_of(open(PartialShape::any()).select_scatter(open({4, "m"}), 0, 7)) == "[?, ?, ?]");
  CHECK(shape_of(open(PartialShape::any()).select_scatter(open(PartialShape::any()), 0, 7)) ==
        "[...]");
  CHECK_THROWS_WITH_AS(data.select_scatter(open({-1, 4}), 1, 0),
                       "select_scatter: updates have shape [?, 4], expected [n, 5] (shape [n, "
                       "2..9, 5])",
                       ShapeError);
  CHECK_THROWS_AS(data.select_scatter(open({-1, 4, 4}), number, 0), ShapeError);
  CHECK_THROWS_AS(data.select_scatter(open({-1, 4}), 3, number), AxisError);
}

namespace weft::testing {

void draw_select_scatter(Drawing& drawing) {
  List shape = drawing.shape();
  if (shape.empty()) return;
  const std::size_t axis = drawing.random_axis();
  const std::int64_t extent = shape[axis];
  if (extent == 0) return;
  shape.erase(shape.begin() + static_cast<std::ptrdiff_t>(axis));
  const std::size_t updates = drawing.value_like(shape);
  drawing.add("select_scatter", {drawing.x(), updates},
              {List{drawing.with_sign(axis, drawing.rank())},
               List{drawing.random().in(-extent, extent - 1)}});
}

}  // namespace weft::testing

// SPDX-License-Identifier: Apache-2.0
// scatter_nd: slices replaced by tuples of indices.
#include <algorithm>

#include "ops/expect.h"

using namespace weft;
using namespace weft::testing;

TEST_CASE("scatter_nd: replaces a slice for every tuple, the last update stays") {
  const Tensor x = array({{1, 2}, {3, 4}});
  expect<int>(x.scatter_nd(array({{0, 0}, {1, -1}, {0, 0}}), array({10, 20, 30})), {2, 2},
              {30, 2, 3, 20});
  expect<int>(x.scatter_nd(array({{-1}}), array({{10, 20}})), {2, 2}, {1, 2, 10, 20});
}

TEST_CASE("scatter_nd: tuples name some of the axes, or all") {
  const Tensor x = iota<int>({2, 2, 2});
  expect<int>(x.scatter_nd(array({{1, -2}}), array({{20, 30}})), {2, 2, 2},
              {0, 1, 2, 3, 20, 30, 6, 7});
  expect<int>(x.scatter_nd(array({-1, 0, 1}), scalar(9)), {2, 2, 2}, {0, 1, 2, 3, 4, 9, 6, 7});
  expect<int>(x.scatter_nd(array({{{0, 0, 0}}, {{1, 1, 1}}}), array({{8}, {9}})), {2, 2, 2},
              {8, 1, 2, 3, 4, 5, 6, 9});
}

TEST_CASE("scatter_nd: extents of 0 write nothing") {
  const Tensor x = iota<int>({2, 3}).roll(1, 0);
  expect<int>(x.scatter_nd(full({0, 1}, 9), full({0, 3}, 5)), {2, 3}, {3, 4, 5, 0, 1, 2});
  expect<int>(full({2, 0}, 1).scatter_nd(array({{1}}), full({1, 0}, 5)), {2, 0}, {});
  expect<int>(full({0, 3}, 1).scatter_nd(full({0, 2}, 0), full({0}, 5)), {0, 3}, {});
}

TEST_CASE_TEMPLATE("scatter_nd: indices may be of any integer type", T, std::int8_t, std::int16_t,
                   std::int32_t, std::int64_t, std::uint8_t, std::uint16_t, std::uint32_t,
                   std::uint64_t) {
  const Tensor indices = array<T>({{2}, {0}}), updates = array({10, 20});
  expect<int>(iota<int>(3).scatter_nd(indices, updates), {3}, {20, 1, 10});
  expect<int>(iota<int>(3).scatter_nd(indices.flip(), updates), {3}, {10, 1, 20});
}

TEST_CASE("scatter_nd: updates and indices that are data itself read its old values") {
  const Tensor x = array<std::int64_t>({2, 0, 1});
  expect<std::int64_t>(x.scatter_nd(x.expand_dims(1), x), {3}, {0, 1, 2});
  expect<std::int64_t>(x.scatter_nd(x.flip().expand_dims(1), x).flip(), {3}, {1, 2, 0});
  expect<std::int64_t>(x, {3}, {2, 0, 1});
}

TEST_CASE("scatter_nd: an index out of range is refused as soon as it is known") {
  const Tensor x = iota<int>({2, 3});
  refuses<IndexError>("bad_index",
                      "scatter_nd: index 3 at [1, 1] is out of range, expected -3 to 2", [&] {
                        x.scatter_nd(array({{1, 2}, {1, 3}}), array({1, 2}));
                      });
  for (const std::int64_t bad : {std::int64_t{2}, std::int64_t{-3}, lowest, highest})
    refuses<IndexError>(
        "bad_index",
        "scatter_nd: index " + std::to_string(bad) + " at [0] is out of range, expected -2 to 1",
        [&] {
          x.scatter_nd(array({bad}), array({1, 2, 3}));
        });
  const Tensor lazy = x.scatter_nd(array({{0, 3}}).roll(1, 1), array({9}));
  std::vector<int> out(6, 7);
  for (int again = 0; again < 2; ++again) {
    const std::string message = "scatter_nd: index 3 at [0, 0] is out of range, expected -2 to 1";
    refuses<IndexError>("bad_index", message, [&] { lazy.eval(); });
    refuses<IndexError>("bad_index", message, [&] { eval_into(lazy, out.data(), 24); });
  }
  CHECK_FALSE(lazy.is_stored());
  CHECK(out == std::vector<int>(6, 7));
}

TEST_CASE("scatter_nd: types, ranks, tuples and shapes that do not fit are refused") {
  const Tensor x = iota<int>({2, 3});
  refuses<DtypeError>("dtype_mismatch", "scatter_nd: indices is f32, expected an integer type",
                      [&] { x.scatter_nd(array({0.5f}), array({0.5f})); });
  refuses<DtypeError>("dtype_mismatch", "scatter_nd: updates are f32, expected i32 as data",
                      [&] { x.scatter_nd(array({7}), array({0.5f})); });
  const std::string ranks = ", expected at least 1 of both";
  refuses<ParameterError>("bad_rank", "scatter_nd: data has rank 0 and indices have rank 1" + ranks,
                          [] { scalar(1).scatter_nd(array({7}), scalar(1)); });
  refuses<ParameterError>("bad_rank", "scatter_nd: data has rank 2 and indices have rank 0" + ranks,
                          [&] { x.scatter_nd(scalar(7), scalar(1)); });
  for (const std::int64_t length : {0, 3})
    refuses<ShapeError>("shape_mismatch",
                        "scatter_nd: indices have shape [2, " + std::to_string(length) +
                            "], expected 1 to 2 on the last axis, for data has rank 2",
                        [&] {
                          x.scatter_nd(full({2, length}, 7), array({1, 2}));
                        });
  refuses<ShapeError>("shape_mismatch", "scatter_nd: updates have shape [3, 1], expected [1, 3]",
                      [&] {
                        x.scatter_nd(array({{7}}), full({3, 1}, 1));
                      });
  refuses<OverflowError>("overflow",
                         "scatter_nd: the first 2 extents of [9223372036854775807, 2, 0] have no "
                         "product in int64",
                         [] {
                           full({highest, 2, 0}, 1).scatter_nd(array({{0, 0}}), full({1, 0}, 1));
                         });
}

TEST_CASE("scatter_nd: updates are read where they lie, and data is moved into the result") {
  const Tensor x = iota<int>({5, 4, 6}).eval(), y = iota<int>({6, 4, 3}).eval();
  const auto check = [&](const Tensor& data, const Tensor& index, const Tensor& updates,
                         const std::string& told) {
    const Tensor made = data.scatter_nd(index, updates);
    const std::string text = explain(made);
    CAPTURE(text);
    CHECK(text.find("1 pass") != std::string::npos);
    CHECK(text.find("0 temporaries") != std::string::npos);
    CHECK(text.find(told) != std::string::npos);
    expect_same(made, data.stored().scatter_nd(index, updates.stored()));
  };
  const Tensor rows = array({{4}, {0}, {4}}), cells = array({{1, 2}, {4, 3}, {0, 0}});
  const Tensor places = array({{1, 2, 5}, {4, 3, 0}, {1, 2, 5}});
  check(x, rows, y.reshape({3, 4, 6}), "computed from 2 stored operands\n");
  check(x, rows, y.transpose(), "computed from source 1, source 0 by strides [1, 3, 12]\n");
  check(x, rows, y.transpose({2, 1, 0}).flip({0, 2}), "source 0 by strides [-1, 3, -12]\n");
  check(x.flip(0), rows, y.transpose(), "1 box, then computed from source 0 by strides");
  check(x.roll(1, 2), cells, y.slice({0, 1}, {6, 2}).squeeze(1).transpose(),
        "2 boxes, then computed from source 0 by strides [1, 12]\n");
  check(x, places, y.flatten().slice({0}, {9}, {3}, {0}), "source 0 by strides [3]\n");
  check(x, array({1, 2, 5}), y.slice({2, 1, 1}, {3, 2, 2}).reshape({}), "from 2 stored operands\n");
}

TEST_CASE("scatter_nd: moves the bytes of any element, and rank 16") {
  moves_any_element({3, 2}, [](const Tensor& x) {
    return x.scatter_nd(array({{2}, {0}, {2}}), x.roll(1, 0));
  });
  std::vector<int> expected(256);
  for (int k = 0; k < 256; ++k) expected[static_cast<std::size_t>(k)] = k == 255 ? -1 : k;
  expect<int>(rank_16().scatter_nd(full({1, 16}, -1), array({-1})), rank_16().shape(), expected);
}

TEST_CASE("scatter_nd: what is known of open shapes") {
  const Tensor any = placeholder(f32, PartialShape::any());
  const Tensor indices = placeholder(i64, PartialShape::any());
  const auto shape_of = [](const Tensor& y) { return to_string(y.partial_shape()); };
  CHECK(shape_of(placeholder(f32, {"n", 4}).scatter_nd(indices, any)) == "[n, 4]");
  CHECK(shape_of(any.scatter_nd(indices, any)) == "[...]");
}

namespace weft::testing {

void draw_scatter_nd(Drawing& drawing) {
  Random& random = drawing.random();
  const List shape = drawing.shape();
  if (shape.empty()) return;
  const std::size_t length = random.below(shape.size()) + 1;
  std::int64_t leading = 1;
  for (std::size_t k = 0; k < length; ++k) leading *= shape[k];
  const std::int64_t count =
      leading == 0 ? 0 : random.in(0, std::min<std::int64_t>(leading + 1, 9));
  List indices, updates_shape{count};
  for (std::int64_t i = 0; i < count; ++i)
    for (std::size_t k = 0; k < length; ++k) indices.push_back(random.in(-shape[k], shape[k] - 1));
  updates_shape.insert(updates_shape.end(), shape.begin() + static_cast<std::ptrdiff_t>(length),
                       shape.end());
  const std::size_t x = drawing.x();
  const std::size_t index = drawing.index({count, static_cast<std::int64_t>(length)}, indices);
  const std::size_t updates = drawing.value_like(updates_shape);
  drawing.add("scatter_nd", {x, index, updates}, {}, {drawing.reduction()});
}

}  // namespace weft::testing

// SPDX-License-Identifier: Apache-2.0
// index_put: positions of an axis replaced by index.
#include "ops/expect.h"

using namespace weft;
using namespace weft::testing;

TEST_CASE("index_put: replaces positions of an axis, the last update stays") {
  const Tensor x = iota<int>({3, 2});
  expect<int>(x.index_put({2, 0, -1}, array({{10, 11}, {20, 21}, {30, 31}})), {3, 2},
              {20, 21, 2, 3, 30, 31});
  expect<int>(x.index_put({-1}, array({{10}, {20}, {30}}), 1), {3, 2}, {0, 10, 2, 20, 4, 30});
}

TEST_CASE("index_put: data that is given up is written in place") {
  Tensor cache = iota<int>({64, 512}).roll(1, 0).eval();
  const void* const memory = cache.data<int>();
  cache = std::move(cache).index_put({60, 3, 17}, full({3, 512}, -1)).eval();
  CHECK(cache.data<int>() == memory);
  CHECK(cache.data<int>()[17 * 512 + 5] == -1);
  CHECK(cache.data<int>()[18 * 512] == 17 * 512);
}

TEST_CASE("index_put: no index replaces nothing, all of them everything") {
  const Tensor x = iota<int>({2, 3});
  expect<int>(x.index_put(Ints(), full({0, 3}, 5)), {2, 3}, {0, 1, 2, 3, 4, 5});
  expect<int>(x.index_put({1, 0}, x), {2, 3}, {3, 4, 5, 0, 1, 2});
  expect<int>(x.index_put({0, 1, 2}, x.flip(), -1), {2, 3}, {5, 4, 3, 2, 1, 0});
  expect<int>(full({0, 3}, 1).index_put({2}, full({0, 1}, 5), 1), {0, 3}, {});
  expect<int>(full({2, 0}, 1).index_put({1}, full({1, 0}, 5)), {2, 0}, {});
}

TEST_CASE_TEMPLATE("index_put: indices may be of any integer type", T, std::int8_t, std::int16_t,
                   std::int32_t, std::int64_t, std::uint8_t, std::uint16_t, std::uint32_t,
                   std::uint64_t) {
  const Tensor indices = array<T>({2, 0}), updates = array({10, 20});
  expect<int>(iota<int>(3).index_put(indices, updates), {3}, {20, 1, 10});
  expect<int>(iota<int>(3).index_put(indices.flip(), updates), {3}, {10, 1, 20});
  expect<int>(iota<int>(3).index_put(std::vector<T>{2, 0}, updates), {3}, {20, 1, 10});
}

TEST_CASE("index_put: updates and indices that are data itself read its old values") {
  const Tensor x = array<std::int64_t>({2, 0, 1});
  expect<std::int64_t>(x.index_put(x, x), {3}, {0, 1, 2});
  expect<std::int64_t>(x.index_put(x.roll(1, 0), x.flip()), {3}, {2, 1, 0});
  expect<std::int64_t>(x, {3}, {2, 0, 1});
}

TEST_CASE("index_put: many positions here and there, over rows, columns and what is turned") {
  std::vector<int> indices;
  for (int k = 0; k < 150; ++k) indices.push_back(k * k % 211 - (k % 3 == 0 ? 211 : 0));
  const Tensor updates = iota<int>({150, 2}).roll(7, 0), data = full({211, 2}, -1);
  std::vector<int> expected(422, -1);
  for (std::size_t k = 0; k < 150; ++k)
    for (std::size_t j = 0; j < 2; ++j)
      expected[static_cast<std::size_t>((indices[k] + 211) % 211) * 2 + j] =
          reference_values<int>(updates)[k * 2 + j];
  const Tensor result = from_vector(expected, {211, 2});
  expect<int>(data.index_put(indices, updates), {211, 2}, expected);
  expect_same(data.index_put(indices, updates).flip(0).slice({3}, {200}, {4}),
              result.flip(0).slice({3}, {200}, {4}));
  expect_same(data.transpose().index_put(indices, updates.transpose(), 1), result.transpose());
  expect_same(data.index_put(indices, updates).tile({3, 1}).roll(5, 0),
              result.tile({3, 1}).roll(5, 0));
  expect_same(concat({data.index_put(indices, updates), data}).reshape({2, -1}),
              concat({result, data}).reshape({2, -1}));
}

TEST_CASE("index_put: what it costs does not depend on how long the axis is") {
  const Tensor x = full({std::int64_t{1} << 40}, 1);
  expect<int>(x.index_put({5, -1}, array({7, 8})).slice({4}, {8}), {4}, {1, 7, 1, 1});
  std::vector<int> twenty;
  for (int k = 0; k < 20; ++k) twenty.push_back(3 * k);
  expect<int>(x.index_put(twenty, iota<int>(20)).slice({4}, {8}), {4}, {1, 1, 2, 1});
}

TEST_CASE("index_put: an index out of range is refused as soon as it is known") {
  const Tensor x = iota<int>({2, 3}), updates = full({2, 3}, 9);
  const auto message = [](const std::string& index) {
    return "index_put: index " + index + " at [1] is out of range, expected -2 to 1";
  };
  for (const std::int64_t bad : {std::int64_t{2}, std::int64_t{-3}, lowest, highest})
    refuses<IndexError>("bad_index", message(std::to_string(bad)), [&] {
      x.index_put({std::int64_t{0}, bad}, updates);
    });
  refuses<IndexError>("bad_index", message("18446744073709551615"), [&] {
    x.index_put(u64s({0, 18446744073709551615u}), updates);
  });
  const Tensor lazy = x.index_put(array({2, 0}).flip(), updates);
  std::vector<int> out(6, 7);
  for (int again = 0; again < 2; ++again) {
    refuses<IndexError>("bad_index", message("2"), [&] { lazy.eval(); });
    refuses<IndexError>("bad_index", message("2"), [&] { eval_into(lazy, out.data(), 24); });
  }
  CHECK_FALSE(lazy.is_stored());
  CHECK(out == std::vector<int>(6, 7));
}

TEST_CASE("index_put: types, ranks, axes and shapes that do not fit are refused") {
  const Tensor x = iota<int>({2, 3});
  refuses<DtypeError>("dtype_mismatch", "index_put: indices is f32, expected an integer type",
                      [&] { x.index_put(scalar(0.5f), scalar(0.5f), 7); });
  refuses<DtypeError>("dtype_mismatch", "index_put: updates are f32, expected i32 as data",
                      [&] { x.index_put(scalar(7), scalar(0.5f), 7); });
  refuses<ParameterError>("bad_rank", "index_put: indices have rank 0, expected 1",
                          [&] { x.index_put(7, scalar(1), 7); });
  refuses<ParameterError>("bad_rank", "index_put: indices have rank 2, expected 1",
                          [&] { x.index_put(array({{7}}), scalar(1), array({{7}})); });
  refuses<ParameterError>("length_mismatch", "index_put: axis has 2 entries, expected one", [&] {
    x.index_put({7}, x, {0, 1});
  });
  refuses<AxisError>("bad_axis", "index_put: axis 2 is out of range for rank 2 (shape [2, 3])",
                     [&] { x.index_put({7}, x, 2); });
  refuses<AxisError>("bad_axis", "index_put: axis 0 is out of range for rank 0 (shape [])",
                     [] { scalar(1).index_put({0}, array({1})); });
  refuses<ShapeError>("shape_mismatch", "index_put: updates have shape [2, 3], expected [1, 3]",
                      [&] { x.index_put({7}, x); });
}

TEST_CASE("index_put: moves the bytes of any element, and rank 16") {
  moves_any_element({4, 2}, [](const Tensor& x) { return x.index_put({3, 0}, x.slice({0}, {2})); });
  expect_same(rank_16().index_put({1, 0}, rank_16(), -2), rank_16().flip(-2));
}

TEST_CASE("index_put: what is known of open shapes") {
  const Tensor any = placeholder(f32, PartialShape::any());
  const Tensor indices = placeholder(i64, {-1}), axis = placeholder(i64, {});
  const auto shape_of = [](const Tensor& y) { return to_string(y.partial_shape()); };
  CHECK(shape_of(placeholder(f32, {"n", 4}).index_put(indices, any)) == "[n, 4]");
  CHECK(shape_of(any.index_put(indices, placeholder(f32, {"n", 4}), 1)) == "[n, ?]");
  CHECK(shape_of(any.index_put(indices, placeholder(f32, {"n", 4}), axis)) == "[?, ?]");
  CHECK(shape_of(any.index_put(indices, any)) == "[...]");
}

namespace weft::testing {

void draw_index_put(Drawing& drawing) {
  Random& random = drawing.random();
  List shape = drawing.shape();
  if (shape.empty()) return;
  const std::size_t axis = drawing.random_axis();
  const std::int64_t extent = shape[axis];
  const std::int64_t count = extent == 0 ? 0 : random.in(0, random.one_in(2) ? extent + 1 : 3);
  List indices;
  for (std::int64_t k = 0; k < count; ++k) indices.push_back(random.in(-extent, extent - 1));
  shape[axis] = count;
  const std::size_t x = drawing.x(), index = drawing.index({count}, indices);
  const std::size_t updates = drawing.value_like(shape);
  drawing.add("index_put", {x, index, updates}, {List{drawing.with_sign(axis, shape.size())}},
              {drawing.reduction()});
}

}  // namespace weft::testing

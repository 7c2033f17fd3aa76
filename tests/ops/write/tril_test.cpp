// SPDX-License-Identifier: Apache-2.0
// tril: a triangle.
#include "ops/expect.h"

#include <weft/graph/plan/plan.h>

using namespace weft;
using namespace weft::testing;

TEST_CASE("tril: keeps one side of a diagonal") {
  expect<int>(array({{1, 2, 3}, {4, 5, 6}}).tril(), {2, 3}, {1, 0, 0, 4, 5, 0});
}

TEST_CASE("tril: diagonals above and below the main one, to the corners and beyond") {
  const Tensor x = array({{1, 2, 3}, {4, 5, 6}});
  expect<int>(x.tril(1), {2, 3}, {1, 2, 0, 4, 5, 6});
  expect<int>(x.tril(-1), {2, 3}, {0, 0, 0, 4, 0, 0});
  expect<int>(x.tril(2), {2, 3}, {1, 2, 3, 4, 5, 6});
  expect<int>(x.tril(-2), {2, 3}, {0, 0, 0, 0, 0, 0});
  for (const std::int64_t k : {lowest, std::int64_t{-4}})
    expect<int>(x.tril(k), {2, 3}, {0, 0, 0, 0, 0, 0});
  for (const std::int64_t k : {std::int64_t{4}, highest})
    expect<int>(x.tril(k), {2, 3}, {1, 2, 3, 4, 5, 6});
  expect<int>(x.tril(u64s({18446744073709551615u})), {2, 3}, {1, 2, 3, 4, 5, 6});
}

TEST_CASE("tril: of the last two axes") {
  const Tensor x = iota<int>({2, 2, 2});
  expect<int>(x.tril(), {2, 2, 2}, {0, 0, 2, 3, 4, 0, 6, 7});
  expect<int>(array({{1}, {2}, {3}}).tril(-1), {3, 1}, {0, 2, 3});
}

TEST_CASE("tril: extents of 0, of any size beside them") {
  expect<int>(full({0, 3}, 1).tril(), {0, 3}, {});
  expect<int>(full({2, 0}, 1).tril(-1), {2, 0}, {});
  for (const std::int64_t k : {lowest, std::int64_t{0}, highest}) {
    CHECK(full({0, highest}, 1).tril(k).eval().size() == 0);
    CHECK(full({highest, 0}, 1).tril(k).eval().size() == 0);
  }
}

TEST_CASE("tril: between other ops, and of huge tensors of which a part is asked for") {
  const Tensor x = iota<int>({5, 5});
  expect_same(x.transpose().tril(1).transpose(), x.triu(-1));
  expect_same(x.tile({2, 2}).tril(5).slice({0, 5}, {5, 10}), x.tril());
  const std::int64_t million = 1 << 20;
  const Tensor huge = full({million, million}, 1).tril();
  expect<int>(huge.slice({million - 2, million - 2}, {million, million}), {2, 2}, {1, 0, 1, 1});
}

TEST_CASE("tril: of stored matrices of all shapes, whole and through what others ask of them") {
  for (const std::int64_t rows : {1, 2, 5, 9, 17})
    for (const std::int64_t columns : {1, 3, 4, 16, 23})
      for (const std::int64_t k : {-16, -5, -1, 0, 1, 3, 15, 22}) {
        const Tensor x = iota<int>({2, rows, columns}, 1).eval();
        std::vector<int> expected;
        for (std::int64_t at = 0; at < 2 * rows * columns; ++at) {
          const std::int64_t j = at % columns, i = at / columns % rows;
          expected.push_back(j - i <= k ? static_cast<int>(at) + 1 : 0);
        }
        const Tensor y = x.tril(k);
        expect<int>(y, {2, rows, columns}, expected);
        expect_same(x.tril(k).transpose({0, 2, 1}), x.transpose({0, 2, 1}).triu(-k));
        expect_same(x.tril(k).flip(1).roll(1, 2), y.flip(1).roll(1, 2));
        expect_same(x.tril(k).slice({1, rows / 2}, {2, rows}), y.slice({1, rows / 2}, {2, rows}));
      }
}

TEST_CASE("tril: boxes are as many as the root of rows, not as rows") {
  const Plan plan = make_plan(full({400, 400}, 1).eval().tril().node_ptr());
  REQUIRE(plan.passes.size() == 1);
  CHECK(plan.passes[0].copies.size() <= 80);
}

TEST_CASE("tril: k may be of any integer type, also a tensor") {
  for (const DType dtype : {i8, i16, i32, i64, u8, u16, u32, u64})
    for (const int rank : {0, 1})
      expect<int>(full({2, 2}, 1).tril(ints_of(dtype, rank, {1})), {2, 2}, {1, 1, 1, 1});
  expect_same(full({2, 2}, 1).tril(scalar<std::int8_t>(-1)), full({2, 2}, 1).tril(-1));
}

TEST_CASE("tril: ranks below 2 and other types of k are refused") {
  for (const Tensor& x : {scalar(1), iota<int>(3)})
    refuses<ParameterError>(
        "bad_rank", "tril: x has rank " + std::to_string(x.rank()) + ", expected at least 2",
        [&] { x.tril(array({0.5f})); });
  const Tensor x = iota<int>({2, 3});
  for (const DType dtype : all_types())
    if (!dtype.is_integer())
      refuses<DtypeError>("dtype_mismatch",
                          "tril: k is " + dtype.name() + ", expected an integer type",
                          [&] { x.tril(ints_of(dtype, 2, {0})); });
  refuses<ParameterError>("bad_rank", "tril: k has rank 2, expected a scalar or a list",
                          [&] { x.tril(array({{0}})); });
  refuses<ParameterError>("bad_rank", "tril: k is none, expected a scalar or a list",
                          [&] { x.tril(none); });
  refuses<ParameterError>("length_mismatch", "tril: k has 2 entries, expected one", [&] {
    x.tril({0, 1});
  });
}

TEST_CASE("tril: keeps the bytes of any element, and writes its zero") {
  for (const DType dtype : all_types()) {
    const std::vector<std::byte> before = telling_bytes(dtype, 6);
    std::vector<std::byte> after = before;
    for (const int k : {1, 2, 5})
      std::fill_n(after.begin() + k * dtype.size(), dtype.size(), std::byte{0});
    expect_bytes(copy_from(before.data(), dtype, {2, 3}).tril(), after, Where::current());
  }
}

TEST_CASE("tril: rank 16") {
  const Tensor x = rank_16();  // axis 14 has extent 2 or 1, axis 15 the other
  expect_same(
      x.tril(-1),
      concat({full(x.slice({0}, {1}, none, {-2}).shape(), 0), x.slice({1}, {2}, none, {-2})}, -2));
}

TEST_CASE("tril: what is known of open shapes") {
  const auto shape_of = [](const Tensor& y) { return to_string(y.partial_shape()); };
  CHECK(shape_of(placeholder(f32, {"n", 4}).tril(placeholder(i64, {}))) == "[n, 4]");
  CHECK(shape_of(iota<int>({3, 4}).tril(placeholder(i64, {}))) == "[3, 4]");
  CHECK(shape_of(placeholder(f32, PartialShape::any()).tril(2)) == "[...]");
}

namespace weft::testing {

void draw_tril(Drawing& drawing) {
  const List shape = drawing.shape();
  if (shape.size() < 2) return;
  drawing.add("tril", {drawing.x()},
              {List{drawing.random().in(-shape[shape.size() - 2] - 1, shape.back() + 1)}});
}

}  // namespace weft::testing

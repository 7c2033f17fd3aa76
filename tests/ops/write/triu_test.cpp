// SPDX-License-Identifier: Apache-2.0
// triu: a triangle.
#include "ops/expect.h"

#include <weft/graph/plan/plan.h>

using namespace weft;
using namespace weft::testing;

TEST_CASE("triu: keeps one side of a diagonal") {
  expect<int>(array({{1, 2, 3}, {4, 5, 6}}).triu(), {2, 3}, {1, 2, 3, 0, 5, 6});
}

TEST_CASE("triu: diagonals above and below the main one, to the corners and beyond") {
  const Tensor x = array({{1, 2, 3}, {4, 5, 6}});
  expect<int>(x.triu(1), {2, 3}, {0, 2, 3, 0, 0, 6});
  expect<int>(x.triu(2), {2, 3}, {0, 0, 3, 0, 0, 0});
  expect<int>(x.triu(-1), {2, 3}, {1, 2, 3, 4, 5, 6});
  expect<int>(x.triu(3), {2, 3}, {0, 0, 0, 0, 0, 0});
  for (const std::int64_t k : {lowest, std::int64_t{-4}})
    expect<int>(x.triu(k), {2, 3}, {1, 2, 3, 4, 5, 6});
  for (const std::int64_t k : {std::int64_t{4}, highest})
    expect<int>(x.triu(k), {2, 3}, {0, 0, 0, 0, 0, 0});
  expect<int>(x.triu(u64s({18446744073709551615u})), {2, 3}, {0, 0, 0, 0, 0, 0});
}

TEST_CASE("triu: of the last two axes") {
  const Tensor x = iota<int>({2, 2, 2});
  expect<int>(x.triu(), {2, 2, 2}, {0, 1, 0, 3, 4, 5, 0, 7});
  expect<int>(array({{1}, {2}, {3}}).triu(-1), {3, 1}, {1, 2, 0});
}

TEST_CASE("triu: extents of 0, of any size beside them") {
  expect<int>(full({0, 3}, 1).triu(), {0, 3}, {});
  expect<int>(full({2, 0}, 1).triu(-1), {2, 0}, {});
  for (const std::int64_t k : {lowest, std::int64_t{0}, highest}) {
    CHECK(full({0, highest}, 1).triu(k).eval().size() == 0);
    CHECK(full({highest, 0}, 1).triu(k).eval().size() == 0);
  }
}

TEST_CASE("triu: between other ops, and of huge tensors of which a part is asked for") {
  const Tensor x = iota<int>({5, 5});
  expect_same(x.transpose().triu(1).transpose(), x.tril(-1));
  expect_same(x.tile({2, 2}).triu(5).slice({0, 5}, {5, 10}), x.triu());
  const std::int64_t million = 1 << 20;
  const Tensor huge = full({million, million}, 1).triu();
  expect<int>(huge.slice({million - 2, million - 2}, {million, million}), {2, 2}, {1, 1, 0, 1});
}

TEST_CASE("triu: of stored matrices of all shapes, whole and through what others ask of them") {
  for (const std::int64_t rows : {1, 2, 5, 9, 17})
    for (const std::int64_t columns : {1, 3, 4, 16, 23})
      for (const std::int64_t k : {-16, -5, -1, 0, 1, 3, 15, 22}) {
        const Tensor x = iota<int>({2, rows, columns}, 1).eval();
        std::vector<int> expected;
        for (std::int64_t at = 0; at < 2 * rows * columns; ++at) {
          const std::int64_t j = at % columns, i = at / columns % rows;
          expected.push_back(j - i >= k ? static_cast<int>(at) + 1 : 0);
        }
        const Tensor y = x.triu(k);
        expect<int>(y, {2, rows, columns}, expected);
        expect_same(x.triu(k).transpose({0, 2, 1}), x.transpose({0, 2, 1}).tril(-k));
        expect_same(x.triu(k).flip(1).roll(1, 2), y.flip(1).roll(1, 2));
        expect_same(x.triu(k).slice({1, rows / 2}, {2, rows}), y.slice({1, rows / 2}, {2, rows}));
      }
}

TEST_CASE("triu: boxes are as many as the root of rows, not as rows") {
  const Plan plan = make_plan(full({400, 400}, 1).eval().triu().node_ptr());
  REQUIRE(plan.passes.size() == 1);
  CHECK(plan.passes[0].copies.size() <= 80);
}

TEST_CASE("triu: k may be of any integer type, also a tensor") {
  for (const DType dtype : {i8, i16, i32, i64, u8, u16, u32, u64})
    for (const int rank : {0, 1})
      expect<int>(full({2, 2}, 1).triu(ints_of(dtype, rank, {1})), {2, 2}, {0, 1, 0, 0});
  expect_same(full({2, 2}, 1).triu(scalar<std::int8_t>(-1)), full({2, 2}, 1).triu(-1));
}

TEST_CASE("triu: ranks below 2 and other types of k are refused") {
  for (const Tensor& x : {scalar(1), iota<int>(3)})
    refuses<ParameterError>(
        "bad_rank", "triu: x has rank " + std::to_string(x.rank()) + ", expected at least 2",
        [&] { x.triu(array({0.5f})); });
  const Tensor x = iota<int>({2, 3});
  for (const DType dtype : all_types())
    if (!dtype.is_integer())
      refuses<DtypeError>("dtype_mismatch",
                          "triu: k is " + dtype.name() + ", expected an integer type",
                          [&] { x.triu(ints_of(dtype, 2, {0})); });
  refuses<ParameterError>("bad_rank", "triu: k has rank 2, expected a scalar or a list",
                          [&] { x.triu(array({{0}})); });
  refuses<ParameterError>("bad_rank", "triu: k is none, expected a scalar or a list",
                          [&] { x.triu(none); });
  refuses<ParameterError>("length_mismatch", "triu: k has 2 entries, expected one", [&] {
    x.triu({0, 1});
  });
}

TEST_CASE("triu: keeps the bytes of any element, and writes its zero") {
  for (const DType dtype : all_types()) {
    const std::vector<std::byte> before = telling_bytes(dtype, 6);
    std::vector<std::byte> after = before;
    for (const int k : {3})
      std::fill_n(after.begin() + k * dtype.size(), dtype.size(), std::byte{0});
    expect_bytes(copy_from(before.data(), dtype, {2, 3}).triu(), after, Where::current());
  }
}

TEST_CASE("triu: rank 16") {
  const Tensor x = rank_16();  // axis 14 has extent 2 or 1, axis 15 the other
  expect_same(x.triu(-1), x);
}

TEST_CASE("triu: what is known of open shapes") {
  const auto shape_of = [](const Tensor& y) { return to_string(y.partial_shape()); };
  CHECK(shape_of(placeholder(f32, {"n", 4}).triu(placeholder(i64, {}))) == "[n, 4]");
  CHECK(shape_of(iota<int>({3, 4}).triu(placeholder(i64, {}))) == "[3, 4]");
  CHECK(shape_of(placeholder(f32, PartialShape::any()).triu(2)) == "[...]");
}

namespace weft::testing {

void draw_triu(Drawing& drawing) {
  const List shape = drawing.shape();
  if (shape.size() < 2) return;
  drawing.add("triu", {drawing.x()},
              {List{drawing.random().in(-shape[shape.size() - 2] - 1, shape.back() + 1)}});
}

}  // namespace weft::testing

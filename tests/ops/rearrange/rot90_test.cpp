// SPDX-License-Identifier: Apache-2.0
// rot90: quarter turns.
#include "ops/expect.h"

using namespace weft;
using namespace weft::testing;

TEST_CASE("rot90: the examples of NumPy") {
  const Tensor x = array({{1, 2}, {3, 4}});
  expect<int>(x.rot90(), {2, 2}, {2, 4, 1, 3});
  expect<int>(x.rot90(2), {2, 2}, {4, 3, 2, 1});
  expect<int>(iota<int>({2, 2, 2}).rot90(1, {1, 2}), {2, 2, 2}, {1, 3, 0, 2, 5, 7, 4, 6});
}

TEST_CASE("rot90: each number of quarters") {
  const Tensor x = iota<int>({2, 3});
  expect<int>(x.rot90(0), {2, 3}, {0, 1, 2, 3, 4, 5});
  expect<int>(x.rot90(1), {3, 2}, {2, 5, 1, 4, 0, 3});
  expect<int>(x.rot90(2), {2, 3}, {5, 4, 3, 2, 1, 0});
  expect<int>(x.rot90(3), {3, 2}, {3, 0, 4, 1, 5, 2});
}

TEST_CASE("rot90: the quarters are taken modulo four") {
  const Tensor x = iota<int>({2, 3});
  for (const std::int64_t k : {-1, -5, 7, 4003}) expect_same(x.rot90(k), x.rot90(3));
  expect_same(x.rot90(lowest), x);
  expect_same(x.rot90(highest), x.rot90(3));
  expect_same(x.rot90(u64s({9223372036854775807u})), x.rot90(3));
}

TEST_CASE("rot90: axes exchanged turn the other way, negative ones count from the end") {
  const Tensor x = iota<int>({2, 3, 4});
  expect_same(x.rot90(1, {2, 0}), x.rot90(-1, {0, 2}));
  expect_same(x.rot90(1, {-1, -3}), x.rot90(3, {0, 2}));
  expect_same(x.rot90(1, {1, 2}).rot90(1, {2, 1}), x);
}

TEST_CASE("rot90: extents of 0 and 1 change places too") {
  expect<int>(iota<int>({0, 3}).rot90(), {3, 0}, {});
  expect<int>(iota<int>({1, 3}).rot90(), {3, 1}, {2, 1, 0});
}

TEST_CASE("rot90: parameters may be of any integer type, also tensors") {
  for (const DType dtype : {i8, i16, i32, i64, u8, u16, u32, u64})
    for (const int rank : {0, 1})
      expect<int>(iota<int>({2, 2}).rot90(ints_of(dtype, rank, {3}), ints_of(dtype, 1, {1, 0})),
                  {2, 2}, {1, 3, 0, 2});
  expect<int>(iota<int>({2, 2}).rot90(scalar<std::int8_t>(-3)), {2, 2}, {1, 3, 0, 2});
}

TEST_CASE("rot90: of several mistakes the first is told") {
  const Tensor x = iota<int>({2, 3});
  refuses<DtypeError>("dtype_mismatch", "rot90: axes is f32, expected an integer type", [&] {
    x.rot90(array({{1}}), ints_of(f32, 1, {0, 1}));
  });
  refuses<ParameterError>("bad_rank", "rot90: axes has rank 0, expected a list (rank 1)", [&] {
    x.rot90({1, 2}, 0);
  });
  refuses<ParameterError>("length_mismatch", "rot90: k has 2 entries, expected one", [&] {
    x.rot90({1, 2}, {0});
  });
  refuses<ParameterError>("length_mismatch", "rot90: axes [0] has 1 entries, expected two",
                          [&] { x.rot90(1, {0}); });
  refuses<AxisError>("bad_axis", "rot90: axis 2 is out of range for rank 2 (shape [2, 3])", [&] {
    x.rot90(1, {0, 2});
  });
  refuses<AxisError>("bad_axis", "rot90: axis 1 is out of range for rank 1 (shape [3])",
                     [] { iota<int>(3).rot90(4); });
  refuses<AxisError>("duplicate_axes", "rot90: axis 1 is named twice in axes [1, -1] (rank 2)",
                     [&] {
                       x.rot90(u64s({18446744073709551615u}), {1, -1});
                     });
  refuses<OverflowError>("overflow", "rot90: k 18446744073709551615 is beyond int64",
                         [&] { x.rot90(u64s({18446744073709551615u})); });
  CHECK_THROWS_AS(x.rot90(1, {lowest, highest}), AxisError);
}

TEST_CASE("rot90: moves the bytes of any element, and leaves its operand") {
  for (const int k : {0, 1, 2, 3})
    moves_any_element({3, 5}, [&](const Tensor& x) { return x.rot90(k); });
}

TEST_CASE("rot90: rank 16 turns in any plane") {
  expect_same(rank_16().rot90(2, {0, 14}), rank_16().flip({0, 14}));
  expect_same(rank_16().rot90(1, {15, 0}).rot90(1, {0, 15}), rank_16());
}

TEST_CASE("rot90: what is known of open shapes is exchanged, or joined where k is open") {
  const auto shape_of = [](PartialShape shape, const Ints& k, const Ints& axes) {
    return to_string(placeholder(f32, std::move(shape)).rot90(k, axes).partial_shape());
  };
  const Tensor open_k = placeholder(i64, {}), open_axes = placeholder(i64, {2});
  const PartialShape x{"n", Dim(1, 4), 5};
  CHECK(shape_of(x, 1, {0, 1}) == "[1..4, n, 5]");
  CHECK(shape_of(x, -1, {-1, 0}) == "[5, 1..4, n]");
  CHECK(shape_of(x, 2, {0, 1}) == "[n, 1..4, 5]");
  CHECK(shape_of(x, 2, open_axes) == "[n, 1..4, 5]");
  CHECK(shape_of(x, 1, open_axes) == "[?, ?, ?]");
  CHECK(shape_of(x, open_k, {1, 2}) == "[n, 1..5, 1..5]");
  CHECK(shape_of({"n", "n", 5}, open_k, {1, 0}) == "[n, n, 5]");
  CHECK(shape_of(PartialShape::any(), 1, {0, 1}) == "[...]");
  CHECK_THROWS_AS(shape_of(x, open_k, {1, 3}), AxisError);
  CHECK_THROWS_AS(shape_of(x, open_k, {1, 1}), AxisError);
}

namespace weft::testing {

void draw_rot90(Drawing& drawing) {
  if (drawing.rank() < 2) return;
  Random& random = drawing.random();
  const std::size_t first = drawing.random_axis();
  const std::size_t second = (first + 1 + random.below(drawing.rank() - 1)) % drawing.rank();
  const std::int64_t k = random.one_in(20) ? INT64_MIN + random.in(0, 3) : random.in(-5, 5);
  drawing.add("rot90", {drawing.x()},
              {List{k}, List{drawing.with_sign(first, drawing.rank()),
                             drawing.with_sign(second, drawing.rank())}});
}

}  // namespace weft::testing

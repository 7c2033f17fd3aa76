// SPDX-License-Identifier: Apache-2.0
// transpose: axes permuted, out.shape[k] = x.shape[order[k]].
#include <numeric>

#include "ops/expect.h"

using namespace weft;
using namespace weft::testing;

TEST_CASE("transpose: the table of the nGraph text") {
  const auto shape_of = [](const Shape& shape, const Ints& order) {
    return transpose(iota<int>(shape), order).shape();
  };
  CHECK(shape_of({3, 4}, {1, 0}) == Shape{4, 3});
  CHECK(shape_of({3, 3}, {1, 0}) == Shape{3, 3});
  CHECK(shape_of({3, 4, 8}, {2, 0, 1}) == Shape{8, 3, 4});
}

TEST_CASE("transpose: turns a matrix over") {
  const Tensor x = array({{1, 2, 3}, {4, 5, 6}});
  expect<int>(transpose(x, {1, 0}), {3, 2}, {1, 4, 2, 5, 3, 6});
  expect<int>(transpose(array({{1, 2}, {3, 4}}), {1, 0}), {2, 2}, {1, 3, 2, 4});
}

TEST_CASE("transpose: follows the table, not the formula, so [2, 0, 1] puts the last axis first") {
  const Tensor x = iota<int>({2, 3, 2});
  expect<int>(x.transpose({2, 0, 1}), {2, 2, 3}, {0, 2, 4, 6, 8, 10, 1, 3, 5, 7, 9, 11});
  expect<int>(x.transpose({1, 2, 0}), {3, 2, 2}, {0, 6, 1, 7, 2, 8, 3, 9, 4, 10, 5, 11});
}

TEST_CASE("transpose: the inverse order, the gradient's, undoes it") {
  const Tensor x = iota<int>({3, 4, 8});
  expect_same(x.transpose({2, 0, 1}).transpose({1, 2, 0}), x);
}

TEST_CASE("transpose: an empty order, or none at all, reverses all axes") {
  const Tensor x = iota<int>({2, 3, 2});
  const std::vector<int> reversed{0, 6, 2, 8, 4, 10, 1, 7, 3, 9, 5, 11};
  expect<int>(x.transpose(), {2, 3, 2}, reversed);
  expect<int>(x.transpose({}), {2, 3, 2}, reversed);
  expect<int>(transpose(x), {2, 3, 2}, reversed);
  expect<int>(x.transpose(std::vector<std::uint8_t>{}), {2, 3, 2}, reversed);
}

TEST_CASE("transpose: the order of the axes as they are changes nothing") {
  expect<int>(iota<int>({2, 2}).transpose({0, 1}), {2, 2}, {0, 1, 2, 3});
  expect<int>(iota<int>(3).transpose(), {3}, {0, 1, 2});
  expect<int>(iota<int>(3).transpose({0}), {3}, {0, 1, 2});
}

TEST_CASE("transpose: a scalar has the empty order only") {
  expect<int>(scalar(7).transpose(), {}, {7});
  refuses<ParameterError>("length_mismatch",
                          "transpose: order [0] has 1 entries, expected 0 (shape [])",
                          [] { scalar(7).transpose({0}); });
}

TEST_CASE("transpose: extents of 0 and 1 move too") {
  expect<int>(iota<int>({2, 0, 3}).transpose({1, 2, 0}), {0, 3, 2}, {});
  expect<int>(iota<int>({1, 3, 1}).transpose({1, 0, 2}), {3, 1, 1}, {0, 1, 2});
}

TEST_CASE("transpose: the order may be of any integer type, also a tensor") {
  const Tensor x = iota<int>({2, 3});
  const std::vector<int> turned{0, 3, 1, 4, 2, 5};
  for (const DType dtype : {i8, i16, i32, i64, u8, u16, u32, u64})
    expect<int>(x.transpose(ints_of(dtype, 1, {1, 0})), {3, 2}, turned);
  expect<int>(x.transpose(array<std::uint16_t>({1, 0})), {3, 2}, turned);
}

TEST_CASE("transpose: an order of another type is refused") {
  for (const DType dtype : all_types())
    if (!dtype.is_integer())
      refuses<DtypeError>("dtype_mismatch",
                          "transpose: order is " + dtype.name() + ", expected an integer type",
                          [&] {
                            iota<int>({2, 3}).transpose(ints_of(dtype, 1, {1, 0}));
                          });
}

TEST_CASE("transpose: an order that is no list is refused") {
  refuses<ParameterError>("bad_rank", "transpose: order has rank 0, expected a list (rank 1)",
                          [] { iota<int>(3).transpose(0); });
  refuses<ParameterError>("bad_rank", "transpose: order has rank 2, expected a list (rank 1)", [] {
    iota<int>({2, 3}).transpose(array({{1, 0}}));
  });
}

TEST_CASE("transpose: an order of another length is refused") {
  refuses<ParameterError>("length_mismatch",
                          "transpose: order [0] has 1 entries, expected 2 (shape [2, 3])", [] {
                            iota<int>({2, 3}).transpose({0});
                          });
  refuses<ParameterError>(
      "length_mismatch", "transpose: order [0, 1, 2] has 3 entries, expected 2 (shape [2, 3])", [] {
        iota<int>({2, 3}).transpose({0, 1, 2});
      });
}

TEST_CASE("transpose: an order that repeats, is negative or leaves the range is no permutation") {
  const auto is_refused = [](const Ints& order) {
    refuses<AxisError>(
        "not_a_permutation",
        "transpose: order " + order.text() + " is not a permutation of 0 to 1 (shape [2, 3])", [&] {
          iota<int>({2, 3}).transpose(order);
        });
  };
  is_refused({1, 1});
  is_refused({-1, 0});
  is_refused({0, 2});
  is_refused({lowest, highest});
  is_refused(u64s({18446744073709551615u, 0}));
}

TEST_CASE("transpose: of several mistakes the first is told: type, rank, length, values") {
  const Tensor x = iota<int>({2, 3});
  refuses<DtypeError>("dtype_mismatch", "transpose: order is f64, expected an integer type", [&] {
    x.transpose(ints_of(f64, 2, {5, 5, 5}));
  });
  refuses<ParameterError>("bad_rank", "transpose: order has rank 2, expected a list (rank 1)", [&] {
    x.transpose(ints_of(i64, 2, {5, 5, 5}));
  });
  refuses<ParameterError>("length_mismatch",
                          "transpose: order [5, 5, 5] has 3 entries, expected 2 (shape [2, 3])",
                          [&] {
                            x.transpose({5, 5, 5});
                          });
}

TEST_CASE("transpose: a refused call leaves its operand as it was") {
  const Tensor lazy = iota<int>({2, 2}).flip();
  CHECK_THROWS_AS(lazy.transpose({0, 0}), AxisError);
  CHECK_FALSE(lazy.is_stored());
  expect<int>(lazy, {2, 2}, {3, 2, 1, 0});
}

TEST_CASE("transpose: moves the bytes of any element, and leaves its operand") {
  moves_any_element({3, 5}, [](const Tensor& x) { return x.transpose(); });
  moves_any_element({2, 3, 4}, [](const Tensor& x) { return x.transpose({1, 0, 2}); });
}

TEST_CASE("transpose: rank 16 turns over") {
  const Tensor y = rank_16().transpose();
  CHECK(y.shape() == Shape{1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2});
  // The bits of the position are reversed.
  std::vector<int> expected;
  for (int i = 0; i < 256; ++i) {
    int reversed = 0;
    for (int bit = 0; bit < 8; ++bit) reversed |= (i >> bit & 1) << (7 - bit);
    expected.push_back(reversed);
  }
  expect<int>(y, y.shape(), expected);
}

namespace weft::testing {

void draw_transpose(Drawing& drawing) {
  List order(drawing.rank());
  std::iota(order.begin(), order.end(), 0);
  drawing.random().shuffle(order);
  if (drawing.random().one_in(4)) order.clear();
  drawing.add("transpose", {drawing.x()}, {order});
}

}  // namespace weft::testing

// SPDX-License-Identifier: Apache-2.0
// roll: cyclic shifts, one for all axes or one for each, of any size.
#include "ops/expect.h"

using namespace weft;
using namespace weft::testing;

namespace {

Tensor four_rows() { return array({{1, 2, 3}, {4, 5, 6}, {7, 8, 9}, {10, 11, 12}}); }

}  // namespace

TEST_CASE("roll: example 1 of Roll-7, a shift of 1 along axis 0") {
  expect<int>(roll(four_rows(), 1, 0), {4, 3}, {10, 11, 12, 1, 2, 3, 4, 5, 6, 7, 8, 9});
}

TEST_CASE("roll: example 2 of Roll-7, a shift for each axis") {
  expect<int>(roll(four_rows(), {-1, 2}, {0, 1}), {4, 3}, {5, 6, 4, 8, 9, 7, 11, 12, 10, 2, 3, 1});
}

TEST_CASE("roll: example 3 of Roll-7, an axis named twice turns by the sum") {
  expect<int>(roll(four_rows(), {1, 2, 1}, {0, 1, 0}), {4, 3},
              {8, 9, 7, 11, 12, 10, 2, 3, 1, 5, 6, 4});
}

TEST_CASE("roll: the first XML example of Roll-7 keeps its shape") {
  CHECK(roll(full<float>({3, 10, 100, 200}, 0), {1, 2}, {0, 1}).shape() == Shape{3, 10, 100, 200});
}

TEST_CASE("roll: the second XML example of Roll-7, one shift in a list for two axes") {
  const Tensor x = iota<int>({3, 10, 5, 4});
  const Tensor y = x.roll({7}, {1, 3});
  CHECK(y.shape() == Shape{3, 10, 5, 4});
  expect_same(y, x.roll({7, 7}, {1, 3}));
}

TEST_CASE("roll: the method is the function") {
  expect_same(four_rows().roll({1, 2}, {0, -1}), roll(four_rows(), {1, 2}, {0, -1}));
}

TEST_CASE("roll: a scalar shift, or a list of one, applies to every axis") {
  for (const Ints& shift : {Ints(1), Ints({1}), Ints(std::vector<std::int32_t>{1})})
    expect<int>(roll(array({{1, 2}, {3, 4}}), shift, {0, 1}), {2, 2}, {4, 3, 2, 1});
}

TEST_CASE("roll: one shift for an axis named twice turns it twice") {
  expect<int>(roll(iota<int>(5), 1, {0, 0}), {5}, {3, 4, 0, 1, 2});
}

TEST_CASE("roll: a negative axis counts from the end, and may name the same axis again") {
  expect<int>(roll(four_rows(), 1, -1), {4, 3}, {3, 1, 2, 6, 4, 5, 9, 7, 8, 12, 10, 11});
  expect<int>(roll(four_rows(), {1, 1}, {1, -1}), {4, 3}, {2, 3, 1, 5, 6, 4, 8, 9, 7, 11, 12, 10});
}

TEST_CASE("roll: shifts are taken modulo the extent, INT64_MIN and INT64_MAX too") {
  const Tensor x = iota<int>(7);
  // INT64_MAX = 7 * 1317624576693539401, and INT64_MIN is one below its negative.
  expect<int>(x.roll(0, 0), {7}, {0, 1, 2, 3, 4, 5, 6});
  expect<int>(x.roll(7, 0), {7}, {0, 1, 2, 3, 4, 5, 6});
  expect<int>(x.roll(9, 0), {7}, {5, 6, 0, 1, 2, 3, 4});
  expect<int>(x.roll(-9, 0), {7}, {2, 3, 4, 5, 6, 0, 1});
  expect<int>(x.roll({highest}, 0), {7}, {0, 1, 2, 3, 4, 5, 6});
  expect<int>(x.roll({lowest}, 0), {7}, {1, 2, 3, 4, 5, 6, 0});
  expect<int>(x.roll(std::int32_t{2147483647}, 0), {7}, {6, 0, 1, 2, 3, 4, 5});
  expect<int>(x.roll(std::numeric_limits<std::int32_t>::min(), 0), {7}, {2, 3, 4, 5, 6, 0, 1});
}

TEST_CASE("roll: a sum of shifts that passes int64 is exact") {
  const Tensor x = iota<int>(5);
  // INT64_MAX is 2 modulo 5, and INT64_MIN is -3.
  expect<int>(x.roll({highest, highest, highest}, {0, 0, 0}), {5}, {4, 0, 1, 2, 3});
  expect<int>(x.roll({lowest, lowest}, {0, -1}), {5}, {1, 2, 3, 4, 0});
  expect<int>(x.roll({highest, lowest}, {0, 0}), {5}, {1, 2, 3, 4, 0});
}

TEST_CASE("roll: sums stay exact along an extent near INT64_MAX") {
  // One stored element everywhere, one other at its place: nothing of this size is ever made.
  const std::int64_t n = std::int64_t{1} << 62;
  const Tensor x = full<std::int8_t>({n}, 0)
                       .slice_scatter(array<std::int8_t>({1}), {n - 1}, {n})
                       .roll({n - 1, n - 1, n - 1}, {0, 0, 0});
  CHECK(x.slice({n - 4}, {n - 3}).item<std::int8_t>() == 1);
  CHECK(x.slice({n - 3}, {n - 2}).item<std::int8_t>() == 0);
}

TEST_CASE("roll: no axes is the tensor itself, never flattened") {
  const Tensor x = array({{1, 2}, {3, 4}});
  for (const Ints& shift : {Ints(1), Ints({1}), Ints(), Ints({})})
    expect<int>(x.roll(shift, {}), {2, 2}, {1, 2, 3, 4});
}

TEST_CASE("roll: an axis of extent 0 or 1 has nothing to turn") {
  expect<int>(roll(iota<int>({2, 0, 3}), {5, 1, -1}, {1, 0, 2}), {2, 0, 3}, {});
  expect<int>(roll(iota<int>(0), {lowest, highest}, {0, 0}), {0}, {});
  expect<int>(roll(iota<int>({1, 3}), {5, 1}, {0, 1}), {1, 3}, {2, 0, 1});
}

TEST_CASE("roll: a scalar rolls along no axis only") {
  expect<int>(roll(scalar(5), 1, {}), {}, {5});
  refuses<AxisError>("bad_axis", "roll: axis 0 is out of range for rank 0 (shape [])",
                     [] { roll(scalar(5), 1, 0); });
  refuses<AxisError>("bad_axis", "roll: axis -1 is out of range for rank 0 (shape [])",
                     [] { roll(scalar(5), 1, {-1}); });
}

TEST_CASE("roll: parameters are i32 or i64, also as tensors") {
  const Tensor x = iota<int>(4);
  for (const Ints& one : {Ints(std::int32_t{1}), Ints(std::int64_t{1}), Ints(scalar(1)),
                          Ints(array<std::int64_t>({1}))})
    expect<int>(x.roll(one, Ints(std::vector<std::int32_t>{0})), {4}, {3, 0, 1, 2});
}

TEST_CASE("roll: parameters of any other type are refused") {
  const Tensor x = iota<int>(4);
  for (const DType dtype : all_types()) {
    if (dtype == i32 || dtype == i64) continue;
    refuses<DtypeError>("dtype_mismatch",
                        "roll: shift is " + dtype.name() + ", expected i32 or i64",
                        [&] { x.roll(ints_of(dtype, 1, {1}), {0}); });
    refuses<DtypeError>("dtype_mismatch", "roll: axes is " + dtype.name() + ", expected i32 or i64",
                        [&] { x.roll({1}, ints_of(dtype, 1, {0})); });
  }
  refuses<DtypeError>("dtype_mismatch", "roll: shift is bool, expected i32 or i64",
                      [&] { x.roll(true, 0); });
}

TEST_CASE("roll: parameters of rank 2 are refused") {
  const Tensor x = iota<int>({4, 4});
  refuses<ParameterError>("bad_rank", "roll: shift has rank 2, expected a scalar or a list",
                          [&] { x.roll(ints_of(i64, 2, {1}), {0}); });
  refuses<ParameterError>("bad_rank", "roll: axes has rank 2, expected a scalar or a list", [&] {
    x.roll({1}, array({{0, 1}}));
  });
}

TEST_CASE("roll: lists of several shifts need as many axes") {
  const Tensor x = iota<int>({4, 4});
  refuses<ParameterError>("length_mismatch",
                          "roll: 2 shifts [1, 2] do not fit axes [0, 1, 0], expected one shift, or "
                          "a list of as many axes",
                          [&] {
                            x.roll({1, 2}, {0, 1, 0});
                          });
  refuses<ParameterError>(
      "length_mismatch",
      "roll: 0 shifts [] do not fit axes [0], expected one shift, or a list of as many axes",
      [&] { x.roll({}, {0}); });
  refuses<ParameterError>(
      "length_mismatch",
      "roll: 2 shifts [1, 2] do not fit axes [], expected one shift, or a list of as many axes",
      [&] {
        x.roll({1, 2}, {});
      });
  refuses<ParameterError>(
      "length_mismatch",
      "roll: 2 shifts [1, 2] do not fit axes 0, expected one shift, or a list of as many axes",
      [&] {
        x.roll({1, 2}, 0);
      });
}

TEST_CASE("roll: an axis out of range is refused, also beside a zero shift or extent") {
  const Tensor x = iota<int>({2, 0});
  refuses<AxisError>("bad_axis", "roll: axis 2 is out of range for rank 2 (shape [2, 0])", [&] {
    x.roll(0, {0, 2});
  });
  refuses<AxisError>("bad_axis", "roll: axis -3 is out of range for rank 2 (shape [2, 0])",
                     [&] { x.roll(1, -3); });
  refuses<AxisError>("bad_axis",
                     "roll: axis -9223372036854775808 is out of range for rank 2 (shape [2, 0])",
                     [&] { x.roll(1, {lowest}); });
}

TEST_CASE("roll: there is no form without axes") {
  refuses<ParameterError>("bad_rank", "roll: axes is none, expected a scalar or a list",
                          [] { iota<int>(3).roll(1, none); });
}

TEST_CASE("roll: of several mistakes the first is told: types, ranks, lengths, axes") {
  const Tensor x = iota<int>(4);
  refuses<DtypeError>("dtype_mismatch", "roll: shift is f32, expected i32 or i64", [&] {
    x.roll(ints_of(f32, 2, {1, 2}), ints_of(u8, 2, {9, 9, 9}));
  });
  refuses<DtypeError>("dtype_mismatch", "roll: axes is u8, expected i32 or i64", [&] {
    x.roll(ints_of(i64, 2, {1, 2}), ints_of(u8, 2, {9, 9, 9}));
  });
  refuses<ParameterError>("bad_rank", "roll: axes has rank 2, expected a scalar or a list", [&] {
    x.roll({1, 2}, ints_of(i64, 2, {9, 9, 9}));
  });
  refuses<ParameterError>("length_mismatch",
                          "roll: 2 shifts [1, 2] do not fit axes [9, 9, 9], expected one shift, or "
                          "a list of as many axes",
                          [&] {
                            x.roll({1, 2}, {9, 9, 9});
                          });
}

TEST_CASE("roll: mistakes are told when the node is built, also over lazy operands") {
  const Tensor lazy = iota<int>({2, 3}).transpose().reshape({6});
  refuses<AxisError>("bad_axis", "roll: axis 1 is out of range for rank 1 (shape [6])",
                     [&] { lazy.roll(1, 1); });
  CHECK_FALSE(lazy.is_stored());
  expect<int>(lazy, {6}, {0, 3, 1, 4, 2, 5});
}

TEST_CASE("roll: moves the bytes of any element, and leaves its operand") {
  moves_any_element({3, 5}, [](const Tensor& x) { return x.roll({-1, 2}, {0, 1}); });
}

TEST_CASE("roll: rank 16 turns on every axis") {
  const Tensor x = rank_16();
  expect_same(x.roll(1, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}), x.flip());
}

namespace weft::testing {

void draw_roll(Drawing& drawing) {
  Random& random = drawing.random();
  const List shape = drawing.shape();
  List shift, axes;
  if (!shape.empty())
    for (std::int64_t k = random.in(1, 3); k > 0; --k) {
      const std::size_t axis = random.below(shape.size());
      axes.push_back(static_cast<std::int64_t>(axis));
      shift.push_back(random.one_in(20)  ? (random.one_in(2) ? INT64_MIN : INT64_MAX)
                      : random.one_in(4) ? random.in(-3 * shape[axis], 3 * shape[axis])
                                         : random.in(0, shape[axis]));
    }
  if (random.one_in(8) && !shift.empty()) shift = {shift[0]};
  drawing.add("roll", {drawing.x()}, {shift, drawing.with_signs(axes, shape.size())});
}

}  // namespace weft::testing

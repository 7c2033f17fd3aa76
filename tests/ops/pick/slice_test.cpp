// SPDX-License-Identifier: Apache-2.0
// slice: NumPy slices, clamped, forwards and backwards.
#include <algorithm>

#include "ops/expect.h"

using namespace weft;
using namespace weft::testing;

namespace {

/// 0, 1, 2, 3, 4 sliced.
Tensor five(const Ints& start, const Ints& stop, const Ints& step = none) {
  return slice(iota<int>(5), start, stop, step);
}

}  // namespace

TEST_CASE("slice: picks start, start + step, ... before stop") {
  expect<int>(five({1}, {4}), {3}, {1, 2, 3});
  expect<int>(five({0}, {5}, {2}), {3}, {0, 2, 4});
  expect<int>(five({1}, {5}, {3}), {2}, {1, 4});
}

TEST_CASE("slice: a step below 0 goes backwards") {
  expect<int>(five({4}, {0}, {-1}), {4}, {4, 3, 2, 1});
  expect<int>(five({3}, {-100}, {-2}), {2}, {3, 1});
  expect<int>(five({100}, {-100}, {-1}), {5}, {4, 3, 2, 1, 0});
}

TEST_CASE("slice: negative indices count from the end, then everything is clamped") {
  expect<int>(five({-2}, {100}), {2}, {3, 4});
  expect<int>(five({-100}, {-3}), {2}, {0, 1});
  expect<int>(five({4}, {-1}, {-1}), {0}, {});
}

TEST_CASE("slice: axes in any order, from the end, and absent") {
  const Tensor x = iota<int>({3, 4});
  expect<int>(x.slice({1}, {2}), {1, 4}, {4, 5, 6, 7});
  expect<int>(x.slice({1}, {3}, none, {1}), {3, 2}, {1, 2, 5, 6, 9, 10});
  expect<int>(x.slice({1, 3}, {3, 0}, {1, -2}, {-2, -1}), {2, 2}, {7, 5, 11, 9});
  expect<int>(x.slice({3, 1}, {0, 3}, {-2, 1}, {1, 0}), {2, 2}, {7, 5, 11, 9});
}

TEST_CASE("slice: empty lists take everything") {
  expect<int>(five({}, {}), {5}, {0, 1, 2, 3, 4});
  expect<int>(iota<int>({2, 2}).slice({}, {}, {}, {}), {2, 2}, {0, 1, 2, 3});
}

TEST_CASE("slice: what picks nothing has extent 0") {
  expect<int>(five({3}, {3}), {0}, {});
  expect<int>(five({4}, {2}), {0}, {});
  expect<int>(five({1}, {3}, {-1}), {0}, {});
  expect<int>(five({-6}, {-100}, {-1}), {0}, {});
  expect<int>(five({5}, {100}), {0}, {});
  expect<int>(iota<int>({0, 3}).slice({-1, 2}, {5, 0}, {-7, -1}), {0, 2}, {});
}

TEST_CASE("slice: steps of INT64_MIN and INT64_MAX pick one element") {
  expect<int>(five({1}, {5}, {highest}), {1}, {1});
  expect<int>(five({3}, {lowest}, {lowest}), {1}, {3});
  expect<int>(five({highest}, {lowest}, {lowest}), {1}, {4});
  expect<int>(five({lowest}, {highest}, {highest}), {1}, {0});
  expect<int>(five(u64s({2}), u64s({9}), u64s({18446744073709551615u})), {1}, {2});
}

TEST_CASE_TEMPLATE("slice: the extremes of every integer type are clamped", T, std::int8_t,
                   std::int16_t, std::int32_t, std::int64_t, std::uint8_t, std::uint16_t,
                   std::uint32_t, std::uint64_t) {
  using Limits = std::numeric_limits<T>;
  const std::vector<T> low{Limits::min()}, high{Limits::max()}, one{1}, two{2};
  expect<int>(five(low, high), {5}, {0, 1, 2, 3, 4});
  expect<int>(five(two, high, one), {3}, {2, 3, 4});
  expect<int>(five(high, high), {0}, {});
  expect<int>(five(two, high, high), {1}, {2});
  if (!std::is_signed_v<T>) return;
  const std::vector<T> back{static_cast<T>(-1)};
  expect<int>(five(high, low, back), {5}, {4, 3, 2, 1, 0});
  expect<int>(five(two, low, low), {1}, {2});
  expect<int>(five(low, low, back), {0}, {});
}

TEST_CASE("slice: along an extent near INT64_MAX nothing overflows") {
  const std::int64_t n = std::int64_t{1} << 62;
  const Tensor x = full<std::int8_t>({n}, 3);
  CHECK(x.slice({lowest}, {highest}).shape() == Shape{n});
  CHECK(x.slice({highest}, {lowest}, {-1}).shape() == Shape{n});
  CHECK(x.slice({1}, {highest}, {n - 1}).shape() == Shape{1});
  expect<std::int8_t>(x.slice({highest}, {lowest}, {1 - n}), {2}, {3, 3});
  const Tensor empty = full<std::int8_t>({0, highest}, 3);
  CHECK(empty.slice({highest}, {lowest}, {-1}, {1}).shape() == Shape{0, highest});
  CHECK(empty.slice({0}, {highest}, {highest}, {1}).shape() == Shape{0, 1});
}

TEST_CASE("slice: rank 0 is refused") {
  refuses<ParameterError>("bad_rank", "slice: x has rank 0, expected at least 1",
                          [] { scalar(1).slice({}, {}); });
}

TEST_CASE("slice: parameters of another type or rank are refused by name") {
  const Tensor x = iota<int>({3, 4});
  for (const DType dtype : all_types()) {
    if (dtype.is_integer()) continue;
    const Ints wrong = ints_of(dtype, 1, {1});
    const std::string is = " is " + dtype.name() + ", expected an integer type";
    refuses<DtypeError>("dtype_mismatch", "slice: start" + is, [&] { x.slice(wrong, {1}); });
    refuses<DtypeError>("dtype_mismatch", "slice: stop" + is, [&] { x.slice({0}, wrong); });
    refuses<DtypeError>("dtype_mismatch", "slice: step" + is, [&] { x.slice({0}, {1}, wrong); });
    refuses<DtypeError>("dtype_mismatch", "slice: axes" + is,
                        [&] { x.slice({0}, {1}, none, wrong); });
  }
  const Ints matrix = array({{1}});
  const std::string is_matrix = " has rank 2, expected a scalar or a list";
  refuses<ParameterError>("bad_rank", "slice: start" + is_matrix, [&] { x.slice(matrix, {1}); });
  refuses<ParameterError>("bad_rank", "slice: stop" + is_matrix, [&] { x.slice({0}, matrix); });
  refuses<ParameterError>("bad_rank", "slice: step" + is_matrix,
                          [&] { x.slice({0}, {1}, matrix); });
  refuses<ParameterError>("bad_rank", "slice: axes" + is_matrix,
                          [&] { x.slice({0}, {1}, none, matrix); });
}

TEST_CASE("slice: lists of unequal length, and more slices than axes, are refused") {
  const Tensor x = iota<int>({3, 4});
  refuses<ParameterError>("length_mismatch",
                          "slice: stop [1, 2] has 2 entries, expected 1 as start [0]", [&] {
                            x.slice({0}, {1, 2});
                          });
  refuses<ParameterError>("length_mismatch",
                          "slice: step [] has 0 entries, expected 1 as start [0]",
                          [&] { x.slice({0}, {1}, {}); });
  refuses<ParameterError>("length_mismatch", "slice: 3 slices, expected at most 2 for shape [3, 4]",
                          [&] {
                            x.slice({0, 0, 0}, {1, 1, 1});
                          });
}

TEST_CASE("slice: a step of 0 is refused, also on an empty axis") {
  refuses<ParameterError>("zero_step", "slice: step [0] has a 0, expected any other",
                          [] { five({0}, {1}, {0}); });
  refuses<ParameterError>("zero_step", "slice: step [0] has a 0, expected any other",
                          [] { iota<int>(0).slice({0}, {0}, {0}); });
}

TEST_CASE("slice: axes out of range or named twice are refused") {
  const Tensor x = iota<int>({3, 4});
  refuses<AxisError>("bad_axis", "slice: axis -3 is out of range for rank 2 (shape [3, 4])",
                     [&] { x.slice({0}, {1}, none, {-3}); });
  refuses<AxisError>("duplicate_axes", "slice: axis 1 is named twice in axes [1, -1] (rank 2)",
                     [&] {
                       x.slice({0, 0}, {1, 1}, none, {1, -1});
                     });
}

TEST_CASE("slice: of several mistakes the first is told") {
  const Tensor x = iota<int>({3, 4});
  refuses<ParameterError>("bad_rank", "slice: x has rank 0, expected at least 1",
                          [] { scalar(1).slice(ints_of(f32, 2, {1}), 0, {0}); });
  refuses<DtypeError>("dtype_mismatch", "slice: axes is bool, expected an integer type", [&] {
    x.slice(0, {1, 2}, {0}, true);
  });
  refuses<ParameterError>("bad_rank", "slice: axes has rank 2, expected a scalar or a list", [&] {
    x.slice({0}, {1, 2}, {0}, array({{9}}));
  });
  refuses<ParameterError>("length_mismatch",
                          "slice: stop [1] has 1 entries, expected 2 as start [0, 0]", [&] {
                            x.slice({0, 0}, {1}, {0, 0}, {9, 9});
                          });
  refuses<ParameterError>("zero_step", "slice: step [0, 0] has a 0, expected any other", [&] {
    x.slice({0, 0}, {1, 1}, {0, 0}, {9, 9});
  });
  refuses<AxisError>("bad_axis", "slice: axis 9 is out of range for rank 2 (shape [3, 4])", [&] {
    x.slice({0, 0}, {1, 1}, {1, 1}, {9, 9});
  });
}

TEST_CASE("slice: a refused call leaves its operand as it was") {
  const Tensor lazy = iota<int>(3).flip();
  CHECK_THROWS_AS(lazy.slice({0}, {1}, {0}), ParameterError);
  CHECK_FALSE(lazy.is_stored());
  expect<int>(lazy, {3}, {2, 1, 0});
}

TEST_CASE("slice: moves the bytes of any element, and leaves its operand") {
  moves_any_element({5, 7}, [](const Tensor& x) { return x.slice({4, 1}, {-9, 7}, {-2, 3}); });
}

TEST_CASE("slice: rank 16 is sliced on every axis") {
  const std::vector<int> zeros(16, 0), ones(16, 1), back(16, -1);
  expect<int>(rank_16().slice(zeros, ones), Shape(16, 1), {0});
  expect<int>(rank_16().slice(back, std::vector<int>(16, -2), back), Shape(16, 1), {255});
}

TEST_CASE("slice: start and stop must be given") {
  const Tensor x = iota<int>({6, 6});
  refuses<ParameterError>("bad_rank", "slice: stop is none, expected a scalar or a list", [&] {
    x.slice({1, 1}, none);
  });
  refuses<ParameterError>("bad_rank", "slice: start is none, expected a scalar or a list",
                          [&] { x.slice(none, none); });
  refuses<ParameterError>("bad_rank", "slice_scatter: stop is none, expected a list (rank 1)",
                          [&] { x.slice_scatter(x, {0}, none); });
}

TEST_CASE("slice: numbers are of one axis") {
  const Tensor x = iota<int>({3, 4});
  expect_same(x.slice(1, 3), x.slice({1}, {3}));
  expect_same(x.slice(-1, lowest, -1), x.slice({-1}, {lowest}, {-1}));
  expect_same(x.slice(1, 3, none, -1), x.slice({1}, {3}, none, {1}));
  expect_same(x.slice(0, {4}, 2, {1}), x.slice({0}, {4}, {2}, {1}));
  refuses<ParameterError>("length_mismatch",
                          "slice: stop [1, 2] has 2 entries, expected 1 as start 0", [&] {
                            x.slice(0, {1, 2});
                          });
  refuses<ParameterError>("bad_rank", "slice_scatter: start has rank 0, expected a list (rank 1)",
                          [&] { x.slice_scatter(x, 0, {3}); });
  CHECK(shape_of(open({"n", 4}).slice(1, 3, 1, 1)) == "[n, 2]");
  CHECK(shape_of(open({7, 4}).slice(integers({}), 3)) == "[0..7, 4]");
}

namespace weft::testing {

void draw_slice(Drawing& drawing) {
  if (drawing.rank() == 0) return;
  const Slices slices = drawing.random_slices(drawing.shape());
  Numbers step = slices.step;
  if (std::all_of(step->begin(), step->end(), [](std::int64_t s) { return s == 1; })) step.reset();
  drawing.add("slice", {drawing.x()}, {slices.start, slices.stop, step, slices.axes});
}

}  // namespace weft::testing

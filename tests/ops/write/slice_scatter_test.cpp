// SPDX-License-Identifier: Apache-2.0
// slice_scatter: what is replaced, by what, and in which order; its mistakes are tested beside it.
#include "ops/expect.h"

using namespace weft;
using namespace weft::testing;

namespace {

Tensor two_rows() { return array<float>({{0, 1, 2, 3, 4}, {5, 6, 7, 8, 9}}); }

/// [0, 1, 2, 3, 4] with `count` elements, 10, 20, ..., put at the slice.
Tensor put(int count, const Ints& start, const Ints& stop, const Ints& step) {
  std::vector<int> updates;
  for (int k = 1; k <= count; ++k) updates.push_back(10 * k);
  return slice_scatter(iota<int>(5), from_vector(updates, {count}), start, stop, step);
}

}  // namespace

TEST_CASE("slice_scatter: example 1 of SliceScatter-15, a slice over axis 0") {
  const Tensor updates = array<float>({{10, 20, 30, 40, 50}});
  expect<float>(slice_scatter(two_rows(), updates, {0}, {1}, {1}, {0}), {2, 5},
                {10, 20, 30, 40, 50, 5, 6, 7, 8, 9});
}

TEST_CASE("slice_scatter: example 2 of SliceScatter-15, every second value, clamped") {
  const Tensor updates = array<float>({{10, 20, 30}, {40, 50, 60}});
  expect<float>(slice_scatter(two_rows(), updates, {-25}, {25}, {2}, {1}), {2, 5},
                {10, 1, 20, 3, 30, 40, 6, 50, 8, 60});
}

TEST_CASE("slice_scatter: example 3 of SliceScatter-15, both axes, no axes given") {
  const Tensor x = iota<float>({3, 5});
  const Tensor updates = array<float>({{50, 60}, {70, 80}});
  expect<float>(slice_scatter(x, updates, {0, 1}, {3, 5}, {2, 2}), {3, 5},
                {0, 50, 2, 60, 4, 5, 6, 7, 8, 9, 10, 70, 12, 80, 14});
}

TEST_CASE("slice_scatter: axes absent are the first, as many as there are slices") {
  const Tensor x = iota<int>({2, 3});
  expect<int>(x.slice_scatter(array({{7, 8, 9}}), {1}, {2}), {2, 3}, {0, 1, 2, 7, 8, 9});
  expect<int>(x.slice_scatter(array({{7, 8, 9}}), {1}, {2}, {1}, {0}), {2, 3}, {0, 1, 2, 7, 8, 9});
}

TEST_CASE("slice_scatter: axes come in any order and may count from the end") {
  const Tensor x = iota<int>({3, 4});
  const Tensor updates = array({{50, 60}});
  const std::vector<int> expected{0, 1, 2, 3, 4, 50, 60, 7, 8, 9, 10, 11};
  expect<int>(x.slice_scatter(updates, {1, 1}, {2, 3}, {1, 1}, {0, 1}), {3, 4}, expected);
  expect<int>(x.slice_scatter(updates, {1, 1}, {3, 2}, {1, 1}, {1, 0}), {3, 4}, expected);
  expect<int>(x.slice_scatter(updates, {1, 1}, {3, 2}, {1, 1}, {-1, -2}), {3, 4}, expected);
}

TEST_CASE("slice_scatter: negative indices count from the end, then everything is clamped") {
  expect<int>(put(2, {-4}, {-2}, {1}), {5}, {0, 10, 20, 3, 4});
  expect<int>(put(5, {-100}, {100}, {1}), {5}, {10, 20, 30, 40, 50});
  expect<int>(put(1, {-1}, {100}, {1}), {5}, {0, 1, 2, 3, 10});
}

TEST_CASE("slice_scatter: a negative step writes backwards") {
  expect<int>(put(5, {4}, {-6}, {-1}), {5}, {50, 40, 30, 20, 10});
  expect<int>(put(2, {3}, {0}, {-2}), {5}, {0, 20, 2, 10, 4});
  expect<int>(put(3, {100}, {-100}, {-2}), {5}, {30, 1, 20, 3, 10});
}

TEST_CASE("slice_scatter: steps of INT64_MIN and INT64_MAX write the first element") {
  expect<int>(put(1, {1}, {5}, {highest}), {5}, {0, 10, 2, 3, 4});
  expect<int>(put(1, {3}, {lowest}, {lowest}), {5}, {0, 1, 2, 10, 4});
  expect<int>(put(1, {highest}, {lowest}, {lowest}), {5}, {0, 1, 2, 3, 10});
  expect<int>(put(1, u64s({2}), u64s({5}), u64s({18446744073709551615u})), {5}, {0, 1, 10, 3, 4});
}

TEST_CASE_TEMPLATE("slice_scatter: the extremes of every integer type are clamped", T, std::int8_t,
                   std::int16_t, std::int32_t, std::int64_t, std::uint8_t, std::uint16_t,
                   std::uint32_t, std::uint64_t) {
  using Limits = std::numeric_limits<T>;
  const std::vector<T> low{Limits::min()}, high{Limits::max()}, one{1}, two{2};
  expect<int>(put(5, low, high, one), {5}, {10, 20, 30, 40, 50});
  expect<int>(put(3, two, high, one), {5}, {0, 1, 10, 20, 30});
  expect<int>(put(0, high, high, one), {5}, {0, 1, 2, 3, 4});
  expect<int>(put(1, two, high, high), {5}, {0, 1, 10, 3, 4});
  if (!std::is_signed_v<T>) return;
  const std::vector<T> back{static_cast<T>(-1)};
  expect<int>(put(5, high, low, back), {5}, {50, 40, 30, 20, 10});
  expect<int>(put(3, two, low, back), {5}, {30, 20, 10, 3, 4});
  expect<int>(put(1, two, low, low), {5}, {0, 1, 10, 3, 4});
  expect<int>(put(0, low, low, back), {5}, {0, 1, 2, 3, 4});
}

TEST_CASE("slice_scatter: a u64 above INT64_MAX is beyond the end, not negative") {
  const Ints minus_one = u64s({18446744073709551615u});
  expect<int>(put(2, u64s({3}), minus_one, none), {5}, {0, 1, 2, 10, 20});
  expect<int>(put(0, minus_one, minus_one, none), {5}, {0, 1, 2, 3, 4});
}

TEST_CASE("slice_scatter: an empty slice takes empty updates and writes nothing") {
  expect<int>(put(0, {3}, {3}, {1}), {5}, {0, 1, 2, 3, 4});
  expect<int>(put(0, {4}, {1}, {1}), {5}, {0, 1, 2, 3, 4});
  expect<int>(put(0, {1}, {4}, {-1}), {5}, {0, 1, 2, 3, 4});
  expect<int>(iota<int>({2, 3}).slice_scatter(iota<int>({2, 0}), {1}, {1}, {1}, {1}), {2, 3},
              {0, 1, 2, 3, 4, 5});
}

TEST_CASE("slice_scatter: a step below 0 from before the first element is empty") {
  expect<int>(put(0, {-6}, {-100}, {-1}), {5}, {0, 1, 2, 3, 4});
  expect<int>(put(0, {lowest}, {lowest}, {-1}), {5}, {0, 1, 2, 3, 4});
}

TEST_CASE("slice_scatter: extents of 0 stay empty") {
  expect<int>(iota<int>({0, 3}).slice_scatter(iota<int>({0, 2}), {0}, {2}, {1}, {1}), {0, 3}, {});
  expect<int>(iota<int>(0).slice_scatter(iota<int>(0), {-1}, {5}, {-3}), {0}, {});
}

TEST_CASE("slice_scatter: empty lists replace all of data") {
  const Tensor x = iota<int>({2, 2}), updates = array({{9, 8}, {7, 6}});
  expect<int>(x.slice_scatter(updates, {}, {}, {}, {}), {2, 2}, {9, 8, 7, 6});
  expect<int>(x.slice_scatter(updates, {}, {}), {2, 2}, {9, 8, 7, 6});
}

TEST_CASE("slice_scatter: a step absent is 1") {
  expect<int>(put(2, {1}, {3}, none), {5}, {0, 10, 20, 3, 4});
  const Tensor x = iota<int>({2, 3});
  expect<int>(x.slice_scatter(array({{7}, {8}}), {1}, {2}, none, {1}), {2, 3}, {0, 7, 2, 3, 8, 5});
}

TEST_CASE("slice_scatter: parameters of unlike integer types go together, also as tensors") {
  const Tensor y = iota<int>({2, 5}).slice_scatter(
      array({{10, 20}, {30, 40}}), std::vector<std::uint8_t>{3}, array<std::int16_t>({-5}),
      std::vector<std::int8_t>{-2}, std::vector<std::uint64_t>{1});
  expect<int>(y, {2, 5}, {0, 20, 2, 10, 4, 5, 40, 7, 30, 9});
}

TEST_CASE("slice_scatter: updates that alias data are read as they were") {
  const Tensor x = iota<int>(5);
  expect<int>(x.slice_scatter(x, {4}, {-6}, {-1}), {5}, {4, 3, 2, 1, 0});
  expect<int>(x.slice_scatter(x.slice({0}, {4}), {1}, {5}), {5}, {0, 0, 1, 2, 3});
  expect<int>(x.slice_scatter(x.slice({1}, {5}), {0}, {4}), {5}, {1, 2, 3, 4, 4});
  const Tensor square = iota<int>({2, 2});
  expect<int>(square.slice_scatter(square.transpose(), {}, {}), {2, 2}, {0, 2, 1, 3});
  expect<int>(x, {5}, {0, 1, 2, 3, 4});
}

TEST_CASE("slice_scatter: neither data nor updates are changed") {
  std::vector<int> data{0, 1, 2, 3}, updates{9};
  const Tensor y = borrow(data.data(), {4}).slice_scatter(borrow(updates.data(), {1}), {2}, {3});
  expect<int>(y, {4}, {0, 1, 9, 3});
  CHECK(data == std::vector<int>{0, 1, 2, 3});
  CHECK(updates == std::vector<int>{9});
}

TEST_CASE("slice_scatter: fine steps over a wide matrix are those of an assignment") {
  const Tensor x = iota<int>({40, 90}), updates = iota<int>({13, 30}, 10000);
  const Tensor y = x.slice_scatter(updates, {38, 1}, {-100, 90}, {-3, 3});
  std::vector<int> expected(40 * 90);
  for (std::size_t k = 0; k < expected.size(); ++k) expected[k] = static_cast<int>(k);
  for (int i = 0; i < 13; ++i)
    for (int j = 0; j < 30; ++j)
      expected[static_cast<std::size_t>((38 - 3 * i) * 90 + 1 + 3 * j)] = 10000 + i * 30 + j;
  expect<int>(y, {40, 90}, expected);
}

TEST_CASE("slice_scatter: moves the bytes of any element, and leaves its operands") {
  moves_any_element({3, 5}, [](const Tensor& x) {
    return x.slice_scatter(x.slice({0, 0}, {2, 3}), {2, 0}, {-4, 5}, {-2, 2});
  });
}

TEST_CASE("slice_scatter: rank 16 takes a slice on every axis") {
  const Tensor x = rank_16();
  const std::vector<int> zeros(16, 0), ones(16, 1);
  const Tensor updates = full<int>(ones, -1);
  const Tensor y = x.slice_scatter(updates, zeros, ones, ones);
  std::vector<int> expected;
  for (int k = 0; k < 256; ++k) expected.push_back(k == 0 ? -1 : k);
  expect<int>(y, x.shape(), expected);
}

namespace weft::testing {

void draw_slice_scatter(Drawing& drawing) {
  if (drawing.rank() == 0) return;
  Random& random = drawing.random();
  const Slices slices = drawing.random_slices(drawing.shape());
  const std::vector<Numbers> parameters{slices.start, slices.stop, slices.step, slices.axes};
  std::vector<std::size_t> operands{drawing.x()};
  if (random.one_in(2)) {
    // Updates that come from a value that exists, often the data itself, moved about.
    const std::size_t source = random.one_in(2) ? drawing.x() : drawing.value_like(drawing.shape());
    operands.push_back(drawing.add("slice", {source}, parameters));
    if (random.one_in(2))
      operands[1] = drawing.add("flip", {operands[1]}, {drawing.random_axes(drawing.rank())});
  }
  drawing.add("slice_scatter", operands, parameters);
}

}  // namespace weft::testing

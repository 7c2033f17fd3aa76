// SPDX-License-Identifier: Apache-2.0
// Memory borrowed with strides: columns, pitches, and never a byte beyond what is told.
#include <doctest/doctest.h>

#include <memory>
#include <numeric>
#include <span>
#include <vector>

#include <weft/graph/map/box.h>
#include <weft/testing/reference.h>
#include <weft/weft.h>

#include "support/random.h"

using namespace weft;
using weft::testing::Random;
using weft::testing::reference_values;

namespace {

std::vector<int> counted(std::size_t count) {
  std::vector<int> values(count);
  std::iota(values.begin(), values.end(), 0);
  return values;
}

void expect(const Tensor& x, const Shape& shape, const std::vector<int>& values) {
  CHECK(x.shape() == shape);
  CHECK(reference_values<int>(x) == values);
  CHECK(x.to_vector<int>() == values);
}

}  // namespace

TEST_CASE("a column, a pitch, a transpose and windows are read where they are") {
  const std::vector<int> memory = counted(12);  // a matrix of [3, 4]
  expect(borrow(memory.data() + 1, 3, 4), {3}, {1, 5, 9});
  expect(borrow(memory.data(), {3, 2}, {4, 1}), {3, 2}, {0, 1, 4, 5, 8, 9});
  expect(borrow(memory.data(), {4, 3}, {1, 4}), {4, 3}, {0, 4, 8, 1, 5, 9, 2, 6, 10, 3, 7, 11});
  expect(borrow(memory.data(), {3, 2}, {1, 1}), {3, 2}, {0, 1, 1, 2, 2, 3});
  expect(borrow(memory.data() + 3, {2, 3}, {0, 1}), {2, 3}, {3, 4, 5, 3, 4, 5});
  expect(borrow(memory.data() + 11, {3, 2}, {-4, -1}), {3, 2}, {11, 10, 7, 6, 3, 2});
  expect(borrow(memory.data() + 8, {3, 2}, {-4, 1}), {3, 2}, {8, 9, 4, 5, 0, 1});
  expect(borrow(memory.data() + 5, Shape{}, Ints()), {}, {5});
  expect(borrow(memory.data(), {0, 3}, {7, 7}), {0, 3}, {});
}

TEST_CASE("dense strides are those of a plain borrow, others of a lazy tensor") {
  const std::vector<int> memory = counted(12);
  const Tensor dense = borrow(memory.data(), {3, 4}, {4, 1});
  CHECK(dense.is_stored());
  CHECK(dense.data<int>() == memory.data());
  CHECK(borrow(memory.data(), {1, 4}, {77, 1}).is_stored());  // one row has no next
  CHECK_FALSE(borrow(memory.data(), {3, 2}, {4, 1}).is_stored());
}

TEST_CASE("ops go on from what is borrowed with strides, in one box") {
  const std::vector<int> memory = counted(12);
  const Tensor x = borrow(memory.data(), {3, 2}, {4, 1});
  expect(x.transpose(), {2, 3}, {0, 4, 8, 1, 5, 9});
  expect(x.roll(1, 0).flip(1), {3, 2}, {9, 8, 1, 0, 5, 4});
  expect(x.tile({1, 2}).reshape({12}), {12}, {0, 1, 0, 1, 4, 5, 4, 5, 8, 9, 8, 9});
  expect(x.reshape({6}).slice({1}, {6}, {2}), {3}, {1, 5, 9});
  CHECK(explain(x).find("1 box") != std::string::npos);
}

TEST_CASE("strides of a span stay inside it") {
  const std::vector<int> memory = counted(12);
  const std::span<const int> span(memory);
  expect(borrow(span), {12}, memory);
  expect(borrow(span, {3, 4}), {3, 4}, memory);
  expect(borrow(span, {3, 3}, {4, 1}), {3, 3}, {0, 1, 2, 4, 5, 6, 8, 9, 10});
  expect(borrow(span.subspan(1), 3, 4), {3}, {1, 5, 9});
  int three[] = {1, 2, 3};
  const Tensor borrowed = borrow(std::span(three));
  CHECK(borrowed.data<int>() == three);
  CHECK_THROWS_WITH_AS((void)borrow(span, {3, 5}),
                       "borrow: shape [3, 5] has 15 elements, 12 were given", ShapeError);
  CHECK_THROWS_WITH_AS(
      (void)borrow(span, {3, 4}, {5, 1}),
      "borrow: shape [3, 4] with strides [5, 1] reaches elements 0 to 13, the span "
      "has 12",
      ShapeError);
  CHECK_THROWS_WITH_AS((void)borrow(span, {3}, {-1}),
                       "borrow: shape [3] with strides [-1] reaches elements -2 to 0, the span "
                       "has 12",
                       ShapeError);
  CHECK_THROWS_AS((void)borrow(span.first(0), {1}, {1}), ShapeError);
  CHECK(borrow(span.first(0), {0, 3}, {9, 9}).size() == 0);
}

TEST_CASE("strides that do not fit are refused before anything is read") {
  const int memory[] = {1, 2, 3};
  CHECK_THROWS_WITH_AS((void)borrow(memory, {3}, {1, 1}),
                       "borrow: strides [1, 1] has 2 entries, expected 1, one for each axis of "
                       "shape [3]",
                       ParameterError);
  CHECK_THROWS_AS((void)borrow(memory, {3}, Ints(f32, 1, std::vector<std::int64_t>{1})),
                  DtypeError);
  CHECK_THROWS_AS((void)borrow(memory, {3}, {INT64_MAX}), OverflowError);
  CHECK_THROWS_AS((void)borrow(memory, {2, 2}, {INT64_MIN, 1}), OverflowError);
  CHECK_THROWS_AS((void)borrow(memory, {2}, {std::int64_t{1} << 61}), OverflowError);
  CHECK_THROWS_AS((void)borrow(memory, {3}, {UINT64_MAX}), OverflowError);
  const int* const nothing = nullptr;
  CHECK_THROWS_WITH_AS((void)borrow(nothing, {3}, {2}),
                       "borrow: the pointer is null, expected 20 bytes", ParameterError);
}

TEST_CASE("the owner lives as long as a tensor that reads from it") {
  auto owner = std::make_shared<std::vector<int>>(counted(12));
  const std::weak_ptr<const std::vector<int>> watch = owner;
  Tensor x = borrow(owner->data(), {3, 2}, {4, 1}, owner);
  owner.reset();
  CHECK_FALSE(watch.expired());
  CHECK(x.to_vector<int>()[5] == 9);
  x = scalar(1);
  CHECK(watch.expired());
}

TEST_CASE("a value is computed aside where it goes over the memory it is read from") {
  std::vector<int> memory = counted(12);
  eval_into(borrow(memory.data(), {3, 2}, {4, 1}).flip(0), memory.data(), 24);
  CHECK(memory == std::vector<int>{8, 9, 4, 5, 0, 1, 6, 7, 8, 9, 10, 11});
}

TEST_CASE("plans of one structure are not taken for other strides") {
  const std::vector<int> memory = counted(100);
  for (std::int64_t row = 2; row < 9; ++row)
    for (std::int64_t step = -1; step < 2; ++step) {
      const Tensor x = borrow(memory.data() + 50, {3, 2}, {row, step}).flip(0);
      CHECK(x.to_vector<int>() ==
            reference_values<int>(borrow(memory.data() + 50, {3, 2}, {row, step}).flip(0)));
    }
}

TEST_CASE("random strides, moved about, are what the reference says") {
  Random random(5);
  const std::vector<int> memory = counted(4000);
  for (int i = 0; i < 2000; ++i) {
    Shape shape, strides;
    for (std::size_t k = 0; k < random.below(4); ++k) {
      shape.push_back(random.in(0, 6));
      strides.push_back(random.in(-40, 40));
    }
    const auto make = [&] {
      Tensor x = borrow(memory.data() + 2000, shape, strides);
      if (random.one_in(2)) x = x.transpose();
      if (shape.size() > 0 && random.one_in(2)) x = x.roll({1}, {0});
      if (random.one_in(3)) x = x.reshape({x.size()});
      return x;
    };
    const Tensor x = make();
    const std::vector<int> expected = reference_values<int>(x);
    if (x.to_vector<int>() != expected)
      FAIL_CHECK("shape " << to_string(shape) << " strides " << to_string(strides) << ": "
                          << graph_text(x));
  }
}

// SPDX-License-Identifier: Apache-2.0
// min, max, argmin and argmax.
#include "ops/reduce/cells.h"

using namespace weft;
using namespace weft::testing;

namespace {

/// The place of the smallest or largest, the first of several; of NaN, if there is one.
template <class T>
std::size_t place_of(const std::vector<T>& cell, bool is_larger) {
  std::size_t found = 0;
  for (std::size_t i = 0; i < cell.size(); ++i) {
    const auto own = static_cast<Computed<T>>(cell[i]),
               best = static_cast<Computed<T>>(cell[found]);
    if (best != best) return found;
    if (own != own || (is_larger ? own > best : own < best)) found = i;
  }
  return found;
}

TEST_CASE("min, max: of every real type") {
  for_each_type<RealTypes>([]<class T>(T) {
    for (const bool is_larger : {false, true})
      check_reduction<T, T>(
          500,
          [&](const Tensor& x, const Ints& axes, bool keepdims) {
            return is_larger ? max(x, axes, keepdims) : min(x, axes, keepdims);
          },
          [&](T made, const std::vector<T>& cell) {
            CHECK(is_same_number(made, cell[place_of(cell, is_larger)]));
          },
          30);
  });
}

TEST_CASE("argmin, argmax: the first of several, along one axis or all") {
  for_each_type<RealTypes>([]<class T>(T) {
    for (std::uint64_t seed = 600; seed < 630; ++seed) {
      CAPTURE(seed);
      Random random(seed);
      const Tensor x = somehow_placed<T>(random);
      const bool is_larger = random.one_in(2), keepdims = random.one_in(2);
      std::vector<std::int64_t> axes;
      const bool is_flat = x.rank() == 0 || random.one_in(3);
      for (std::size_t axis = 0; axis < x.rank(); ++axis)
        axes.push_back(static_cast<std::int64_t>(axis));
      if (!is_flat) axes = {random.in(0, static_cast<std::int64_t>(x.rank()) - 1)};
      const Ints axis = is_flat ? Ints(none) : Ints(axes[0]);
      const Tensor made = is_larger ? argmax(x, axis, keepdims) : argmin(x, axis, keepdims);
      CHECK(made.dtype() == i64);
      CHECK(made.shape() == reduced_shape_of(x, axes, keepdims));
      const auto cells = cells_of<T>(x, axes);
      const Tensor value = made.eval();
      for (std::size_t i = 0; i < cells.size(); ++i)
        CHECK(value.data<std::int64_t>()[i] ==
              static_cast<std::int64_t>(place_of(cells[i], is_larger)));
    }
  });
}

TEST_CASE("min, max, argmin, argmax: NaN wins, the first of them") {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const Tensor x = array({1.0f, nan, 3.0f, nan, 0.0f, 5.0f}).reshape({2, 3});
  CHECK(std::isnan(x.min().item<float>()));
  CHECK(std::isnan(x.max().item<float>()));
  expect<std::int64_t>(x.argmax(-1), {2}, {1, 0});
  expect<std::int64_t>(x.argmin(0), {3}, {1, 0, 0});
  expect<std::int64_t>(x.argmin(), {}, {1});
  for (std::int64_t at : {0, 1, 70, 4097, 99999}) {
    std::vector<float> values(100000, 2.0f);
    values[static_cast<std::size_t>(at)] = nan;
    CHECK(std::isnan(from_vector(values, {100000}).max().item<float>()));
    CHECK(from_vector(values, {100000}).argmin().item<std::int64_t>() == at);
    values[static_cast<std::size_t>(at)] = 1.0f;
    CHECK(from_vector(values, {100000}).argmin().item<std::int64_t>() == at);
    CHECK(from_vector(values, {100, 1000}).roll(3, 1).argmin().item<std::int64_t>() ==
          at / 1000 * 1000 + (at % 1000 + 3) % 1000);
  }
}

TEST_CASE("argmin, argmax: of bools and ends of ranges") {
  expect<std::int64_t>(argmax(array({false, true, true})), {}, {1});
  expect<std::int64_t>(argmin(array({true, true})), {}, {0});
  const std::int64_t least = std::numeric_limits<std::int64_t>::min();
  expect<std::int64_t>(argmin(from_vector<std::int64_t>({5, least, least}, {3})), {}, {1});
  expect<std::int64_t>(argmax(full({4}, -std::numeric_limits<double>::infinity(), f64)), {}, {0});
}

TEST_CASE("min, max, argmin, argmax: what they refuse") {
  refuses<ShapeError>(
      "shape_mismatch",
      "min: axis 0 has extent 0, expected 1 or more: there is no min of nothing (shape "
      "[0, 3])",
      [] {
        return min(zeros({0, 3}), 0);
      });
  CHECK_THROWS_AS(max(zeros({3, 0})), ShapeError);
  CHECK_THROWS_AS(argmax(zeros({0})), ShapeError);
  CHECK(max(zeros({0, 3}), 1).shape() == Shape{0});
  CHECK_THROWS_AS(argmax(iota<float>({2, 2}), Ints({0, 1})), ParameterError);
  CHECK_THROWS_AS(argmax(iota<float>({2, 2}), 2), AxisError);
  CHECK_THROWS_AS(argmax(zeros({2}, c64)), DtypeError);
  CHECK_THROWS_AS(max(zeros({2}, bool_)), DtypeError);
}

}  // namespace

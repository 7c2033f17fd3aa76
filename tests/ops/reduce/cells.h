// SPDX-License-Identifier: Apache-2.0
// What tests of reductions share: the elements that make each result, by loops over coordinates.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "ops/elementwise/values.h"

namespace weft::testing {

/// What elements of T are added and multiplied as.
template <class T>
using Summed =
    std::conditional_t<std::is_integral_v<T>,
                       std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>, T>;

/// The elements of each result, in row-major order of both.
template <class T>
std::vector<std::vector<T>> cells_of(const Tensor& x, const std::vector<std::int64_t>& axes) {
  const Tensor value = x.eval();
  const Shape& shape = value.shape();
  const auto is_reduced = [&](std::size_t axis) {
    return std::find(axes.begin(), axes.end(), static_cast<std::int64_t>(axis)) != axes.end();
  };
  std::int64_t results = 1;
  for (std::size_t axis = 0; axis < shape.size(); ++axis)
    if (!is_reduced(axis)) results *= shape[axis];
  std::vector<std::vector<T>> cells(static_cast<std::size_t>(results));
  for (std::int64_t i = 0; i < value.size(); ++i) {
    std::int64_t left = i, at = 0, step = 1;
    for (std::size_t axis = shape.size(); axis-- > 0; left /= shape[axis]) {
      if (is_reduced(axis)) continue;
      at += left % shape[axis] * step;
      step *= shape[axis];
    }
    cells[static_cast<std::size_t>(at)].push_back(value.data<T>()[i]);
  }
  return cells;
}

/// A tensor of random numbers that lies in some way: as it was made, moved, broadcast or computed.
template <class T>
Tensor somehow_placed(Random& random) {
  const std::size_t rank = random.below(4);
  Shape shape;
  for (std::size_t axis = 0; axis < rank; ++axis)
    shape.push_back(random.one_in(4) ? random.in(1, 200) : random.in(1, 6));
  std::vector<T> values(static_cast<std::size_t>(element_count(shape)));
  for (T& value : values) {
    if constexpr (is_float<T>)
      value = T(static_cast<Computed<T>>(static_cast<double>(random.in(-4000, 4000)) / 1024));
    else value = static_cast<T>(static_cast<std::uint64_t>(random.in(lowest / 2, highest / 2)) * 3);
  }
  Tensor x = from_vector(values, shape);
  for (std::int64_t k = random.in(0, 3); k > 0 && rank > 0; --k) {
    const std::int64_t axis = random.in(0, static_cast<std::int64_t>(rank) - 1);
    switch (random.below(6)) {
      case 0:
        x = x.roll(random.in(-3, 3), axis);
        break;
      case 1:
        x = x.flip(axis);
        break;
      case 2:
        x = x.transpose();
        break;
      case 3:
        x = x.slice({0}, {x.extent(axis)}, {2}, {axis});
        break;
      case 4:
        if (x.size() < 5000) x = x.repeat(2, axis);
        break;
      default:
        x = maximum(x, x.flip(axis));
    }
  }
  return x;
}

/// Some of its axes, in any order.
inline std::vector<std::int64_t> some_axes(Random& random, const Tensor& x) {
  std::vector<std::int64_t> axes;
  for (std::size_t axis = 0; axis < x.rank(); ++axis)
    if (random.one_in(2)) axes.push_back(static_cast<std::int64_t>(axis));
  if (random.one_in(2)) std::reverse(axes.begin(), axes.end());
  return axes;
}

/// The axes as callers may write them.
inline Ints as_written(Random& random, const std::vector<std::int64_t>& axes, const Tensor& x) {
  std::vector<std::int64_t> written = axes;
  for (std::int64_t& axis : written)
    if (random.one_in(2)) axis -= static_cast<std::int64_t>(x.rank());
  return Ints(written);
}

inline Shape reduced_shape_of(const Tensor& x, const std::vector<std::int64_t>& axes,
                              bool keepdims) {
  Shape shape;
  for (std::size_t axis = 0; axis < x.rank(); ++axis) {
    const bool is_reduced =
        std::find(axes.begin(), axes.end(), static_cast<std::int64_t>(axis)) != axes.end();
    if (!is_reduced) shape.push_back(x.extent(static_cast<std::int64_t>(axis)));
    else if (keepdims) shape.push_back(1);
  }
  return shape;
}

/// Calls check(result element, its cells) for an op over tensors that lie somehow.
template <class T, class Made, class Reduce, class Check>
void check_reduction(std::uint64_t first_seed, const Reduce& reduce, const Check& check,
                     int rounds = 60) {
  for (std::uint64_t seed = first_seed; seed < first_seed + static_cast<std::uint64_t>(rounds);
       ++seed) {
    CAPTURE(seed);
    Random random(seed);
    const Tensor x = somehow_placed<T>(random);
    const std::vector<std::int64_t> axes = some_axes(random, x);
    const bool keepdims = random.one_in(2);
    const Tensor made = reduce(x, as_written(random, axes, x), keepdims);
    CHECK(made.dtype() == dtype_of<Made>);
    CHECK(made.shape() == reduced_shape_of(x, axes, keepdims));
    const auto cells = cells_of<T>(x, axes);
    const Tensor value = made.eval();
    const Made* const values = value.data<Made>();
    for (std::size_t i = 0; i < cells.size(); ++i) {
      CAPTURE(i);
      check(values[i], cells[i]);
    }
  }
}

/// Of elements that are added one after the other in f32, or f64: what rounding may leave out.
template <class C>
double sum_bound(const std::vector<double>& cell) {
  double all = 0;
  for (const double x : cell) all += std::abs(x);
  const double chunks = std::max(1.0, std::ceil(static_cast<double>(cell.size()) / 32768));
  const double roundings = std::min(512.0, std::ceil(static_cast<double>(cell.size()) / 64)) + 6 +
                           std::ceil(std::log2(chunks));
  return all * roundings * static_cast<double>(std::numeric_limits<C>::epsilon()) / 2;
}

}  // namespace weft::testing

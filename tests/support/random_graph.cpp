// SPDX-License-Identifier: Apache-2.0
// Draws a recipe call by call, each to fit the shapes so far.
#include "support/random_graph.h"

#include <algorithm>
#include <array>
#include <numeric>

#include <weft/weft.h>

#include "support/drawing.h"

namespace weft::testing {
namespace {

constexpr std::array dtypes{u8,  bool_, i16,  f16,       bf16,      f32,        i32,       i64,
                            f64, c64,   c128, opaque(3), opaque(5), opaque(12), opaque(24)};

}  // namespace

Drawing::Drawing(std::uint64_t seed)
    : random_(seed),
      limit_(random_.one_in(40)  ? 200000
             : random_.one_in(4) ? 3000
                                 : 500) {
  recipe_.dtype = dtypes[random_.below(dtypes.size())];
}

Recipe Drawing::run() {
  leaf(random_shape());
  const std::int64_t ops = random_.one_in(40) ? 40 : random_.in(1, 12);
  const bool stores = random_.one_in(3);
  for (std::int64_t k = 0; k < ops; ++k) {
    draw_call();
    recipe_.steps.back().is_stored = stores && random_.one_in(5);
  }
  return recipe_;
}

/// Of the newest value mostly, so that chains get deep.
void Drawing::draw_call() {
  do x_ = random_.one_in(4) ? random_.below(values_.size()) : values_.size() - 1;
  while (values_[x_].dtype() != recipe_.dtype);
  const std::span<const NamedDraw> draws = draw_table();
  const std::size_t before = values_.size();
  while (values_.size() == before) draws[random_.below(draws.size())].draw(*this);
}

std::size_t Drawing::add(std::string_view op, std::vector<std::size_t> operands,
                         std::vector<Numbers> parameters, std::vector<std::string> texts) {
  recipe_.steps.push_back(
      {std::string(op), std::move(operands), std::move(parameters), false, std::move(texts)});
  values_.push_back(build_step(recipe_, values_.size(), values_));
  return values_.size() - 1;
}

std::size_t Drawing::leaf(const List& shape) { return add("leaf", {}, {shape}); }
std::size_t Drawing::index(const List& shape, const List& values) {
  return add("index", {}, {shape, values});
}
std::size_t Drawing::mask(const List& shape, const List& values) {
  return add("mask", {}, {shape, values});
}

std::size_t Drawing::value_like(const List& shape) {
  for (std::size_t k = 0; k < values_.size(); ++k)
    if (values_[k].dtype() == recipe_.dtype && shape_of(k) == shape && random_.one_in(2)) {
      if (random_.one_in(2)) return k;
      return add("flip", {k}, {random_axes(shape.size())});
    }
  return leaf(shape);
}

List Drawing::shape_of(std::size_t value) const {
  const Shape& shape = values_[value].shape();
  return {shape.begin(), shape.end()};
}

std::int64_t Drawing::room() const {
  // Extents beside one of 0 count as well: a pad may make elements of them.
  std::int64_t count = 1;
  for (const std::int64_t extent : values_[x_].shape()) count *= std::max<std::int64_t>(extent, 1);
  return limit_ / count;
}

std::int64_t Drawing::with_sign(std::size_t axis, std::size_t rank) {
  const std::int64_t at = static_cast<std::int64_t>(axis);
  return random_.one_in(3) ? at - static_cast<std::int64_t>(rank) : at;
}

List Drawing::random_shape() {
  const std::int64_t rank = random_.one_in(12) ? 0 : random_.in(1, random_.one_in(3) ? 8 : 4);
  List shape;
  std::int64_t left = limit_;
  for (std::int64_t k = 0; k < rank; ++k) {
    std::int64_t extent = 1;
    if (random_.one_in(60)) extent = 0;
    else if (!random_.one_in(6))
      extent = random_.in(std::min<std::int64_t>(left, 2),
                          std::min<std::int64_t>(left, random_.one_in(4) ? left : 12));
    shape.push_back(extent);
    left /= std::max<std::int64_t>(extent, 1);
  }
  random_.shuffle(shape);
  return shape;
}

List Drawing::random_axes(std::size_t rank) {
  List axes(rank);
  std::iota(axes.begin(), axes.end(), 0);
  random_.shuffle(axes);
  axes.resize(random_.below(rank + 1));
  return with_signs(axes, rank);
}

std::string Drawing::reduction() {
  constexpr std::array reductions{"add", "multiply", "minimum", "maximum"};
  const bool is_exact = recipe_.dtype == bool_ || recipe_.dtype.is_integer();
  return is_exact && random_.one_in(2) ? reductions[random_.below(4)] : "none";
}

List Drawing::with_signs(List axes, std::size_t rank) {
  for (std::int64_t& axis : axes)
    if (random_.one_in(3)) axis -= static_cast<std::int64_t>(rank);
  return axes;
}

List Drawing::factors(std::int64_t count) {
  List shape;
  std::int64_t left = count;
  while (left > 1 && shape.size() + 2 < most_axes) {
    std::int64_t factor = random_.in(2, left);
    while (left % factor != 0) --factor;
    // The greatest divisor below a random number is often 1: take the smallest then.
    for (std::int64_t k = 2; factor == 1; ++k)
      if (left % k == 0) factor = k;
    shape.push_back(factor);
    left /= factor;
  }
  if (left > 1) shape.push_back(left);
  if (random_.one_in(4)) shape.push_back(1);
  random_.shuffle(shape);
  return shape;
}

List Drawing::extents(std::int64_t count, std::size_t rank) {
  List shape(rank, 1);
  for (const std::int64_t factor : factors(count)) shape[random_.below(rank)] *= factor;
  return shape;
}

/// start, stop and step for an axis; empty ones are rare, for all that follows them is empty too.
void Drawing::add_range(std::int64_t n, Slices& slices) {
  for (int attempt = 0;; ++attempt) {
    const std::int64_t magnitude = random_.one_in(2)   ? 1
                                   : random_.one_in(3) ? random_.in(1, n + 1)
                                                       : random_.in(1, 4);
    const std::int64_t step = random_.one_in(30)  ? (random_.one_in(2) ? INT64_MIN : INT64_MAX)
                              : random_.one_in(3) ? -magnitude
                                                  : magnitude;
    std::int64_t low = random_.in(0, n), high = random_.in(0, n);
    if (low > high) std::swap(low, high);
    if (random_.one_in(3)) low = 0;
    if (random_.one_in(3)) high = n;
    if (low == high && attempt < 4 && n > 0) continue;
    std::int64_t start = step > 0 ? low : high - 1;
    std::int64_t stop = step > 0 ? high : low - 1;
    if (stop < 0) stop = random_.one_in(2) ? INT64_MIN : -n - 1;
    if (step > 0 && stop == n && random_.one_in(2)) stop = INT64_MAX;
    if (start >= 0 && start < n && random_.one_in(3)) start -= n;
    slices.start.push_back(start);
    slices.stop.push_back(stop);
    slices.step.push_back(step);
    return;
  }
}

Slices Drawing::random_slices(const List& shape) {
  Slices slices;
  List axes(shape.size());
  std::iota(axes.begin(), axes.end(), 0);
  random_.shuffle(axes);
  axes.resize(random_.below(std::min<std::size_t>(shape.size(), 3) + 1));
  if (random_.one_in(4)) std::iota(axes.begin(), axes.end(), 0);
  for (const std::int64_t axis : axes) add_range(shape[static_cast<std::size_t>(axis)], slices);
  slices.axes = with_signs(axes, shape.size());
  return slices;
}

Recipe random_recipe(std::uint64_t seed) { return Drawing(seed).run(); }

}  // namespace weft::testing

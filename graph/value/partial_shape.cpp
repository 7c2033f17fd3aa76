// SPDX-License-Identifier: Apache-2.0
// Partial shapes: their arithmetic and how they read.
#include <weft/graph/value/partial_shape.h>

#include <algorithm>
#include <fmt/format.h>

#include <weft/graph/value/error.h>

namespace weft {

Dim::Dim(std::int64_t extent) {
  if (extent < -1)
    throw ShapeError(fmt::format("dim: extent {} is given, expected 0 or more, or -1", extent));
  if (extent >= 0) low_ = high_ = extent;
}

Dim::Dim(std::int64_t low, std::int64_t high, std::string name)
    : low_(low), high_(high), name_(std::move(name)) {
  if (low < 0 || high < low)
    throw ShapeError(
        fmt::format("dim: bounds {} to {} are given, expected 0 <= low <= high", low, high));
}

Dim operator*(const Dim& dim, std::int64_t repeat) {
  if (repeat == 1) return dim;
  const auto times = [&](std::int64_t bound) {
    std::int64_t product = 0;
    const bool is_above =
        bound == Dim::unbounded || __builtin_mul_overflow(bound, repeat, &product);
    return is_above ? Dim::unbounded : product;
  };
  return repeat == 0 ? Dim(0) : Dim(times(dim.low()), times(dim.high()));
}

std::string to_string(const Dim& dim) {
  if (dim.is_known() && dim.name().empty()) return fmt::format("{}", dim.low());
  const bool is_any = dim.low() == 0 && dim.high() == Dim::unbounded;
  if (is_any) return dim.name().empty() ? "?" : dim.name();
  std::string text = dim.name().empty() ? "" : dim.name() + "=";
  text += fmt::format("{}", dim.low());
  if (!dim.is_known()) text += "..";
  if (!dim.is_known() && dim.high() != Dim::unbounded) text += fmt::format("{}", dim.high());
  return text;
}

PartialShape PartialShape::of_rank(std::size_t rank) {
  if (rank > max_rank)
    throw ParameterError("bad_rank",
                         fmt::format("the result would have rank {}, at most {} is allowed",
                                     static_cast<std::int64_t>(rank), max_rank));
  return PartialShape(std::vector<Dim>(rank));
}

void PartialShape::throw_no_axis(std::size_t axis) const {
  throw ParameterError("bad_rank", fmt::format("axis {} is asked for, the shape has rank {}",
                                               static_cast<std::int64_t>(axis), rank()));
}

bool PartialShape::is_closed() const noexcept {
  return has_rank_ &&
         std::all_of(dims_.begin(), dims_.end(), [](const Dim& dim) { return dim.is_known(); });
}

Shape PartialShape::lowest() const {
  Shape shape;
  for (const Dim& dim : dims_) shape.push_back(dim.low());
  return shape;
}

bool can_be_equal(const PartialShape& a, const PartialShape& b) {
  if (!a.has_rank() || !b.has_rank()) return true;
  return std::equal(a.dims().begin(), a.dims().end(), b.dims().begin(), b.dims().end(),
                    [](const Dim& one, const Dim& other) {
                      return one.low() <= other.high() && other.low() <= one.high();
                    });
}

std::string to_string(const PartialShape& shape) {
  if (!shape.has_rank()) return "[...]";
  std::string text;
  for (const Dim& dim : shape.dims()) text += (text.empty() ? "" : ", ") + to_string(dim);
  return "[" + text + "]";
}

}  // namespace weft

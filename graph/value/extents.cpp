// SPDX-License-Identifier: Apache-2.0
// The arithmetic of extents that are known in part.
#include <weft/graph/value/extents.h>

#include <cstddef>
#include <fmt/format.h>
#include <functional>

#include <weft/graph/value/error.h>

namespace weft {
namespace {

std::int64_t bounded_sum(std::int64_t a, std::int64_t b) {
  std::int64_t sum = 0;
  const bool is_above =
      a == Dim::unbounded || b == Dim::unbounded || __builtin_add_overflow(a, b, &sum);
  return is_above ? Dim::unbounded : sum;
}

std::int64_t bounded_product(std::int64_t bound, std::int64_t repeat) {
  std::int64_t product = 0;
  const bool is_above = bound == Dim::unbounded || __builtin_mul_overflow(bound, repeat, &product);
  return is_above ? Dim::unbounded : product;
}

}  // namespace

Extent operator*(const Extent& extent, std::int64_t repeat) {
  if (repeat == 1) return extent;
  if (repeat == 0) return 0;
  return {bounded_product(extent.low, repeat), bounded_product(extent.high, repeat)};
}

Extent operator*(const Extent& a, const Extent& b) {
  if (a.is_known()) return b * a.low;
  if (b.is_known()) return a * b.low;
  return {bounded_product(a.low, b.low),
          b.high == Dim::unbounded ? b.high : bounded_product(a.high, b.high)};
}

Extent operator/(const Extent& extent, std::int64_t divisor) {
  if (divisor == 1) return extent;
  if (extent.is_known()) return extent.low / divisor;
  return {extent.low / divisor,
          extent.high == Dim::unbounded ? extent.high : extent.high / divisor};
}

Extent operator+(const Extent& a, const Extent& b) {
  if (b.is(0)) return a;
  if (a.is(0)) return b;
  return {bounded_sum(a.low, b.low), bounded_sum(a.high, b.high)};
}

std::string to_string(const Extent& extent) { return to_string(extent.dim()); }

Extents::Extents(const PartialShape& shape) : has_rank_(shape.has_rank()) {
  for (const Dim& dim : shape.dims()) push_back(Extent(dim));
}

void Extents::erase(std::size_t axis) {
  if (axis >= rank()) throw_no_axis(axis);
  low_.erase(low_.begin() + axis);
  if (!rest_.empty()) rest_.erase(rest_.begin() + static_cast<std::ptrdiff_t>(axis));
}

void Extents::insert(std::size_t axis, const Extent& extent) {
  const bool more = is_more(extent);
  low_.insert(low_.begin() + axis, extent.low);
  if (more)
    rest_.insert(rest_.begin() + static_cast<std::ptrdiff_t>(axis), {extent.high, extent.name});
}

void Extents::tell_rest() {
  for (const std::int64_t extent : low_) rest_.push_back({extent, nullptr});
}

bool Extents::are_all_known() const noexcept {
  for (std::size_t axis = 0; axis < rest_.size(); ++axis)
    if (rest_[axis].high != low_[axis]) return false;
  return true;
}

PartialShape Extents::partial() const {
  if (!has_rank_) return PartialShape::any();
  std::vector<Dim> dims;
  dims.reserve(rank());
  for (std::size_t axis = 0; axis < rank(); ++axis) dims.push_back((*this)[axis].dim());
  return PartialShape(std::move(dims));
}

void Extents::throw_no_axis(std::size_t axis) const {
  throw ParameterError("bad_rank", fmt::format("axis {} is asked for, the shape has rank {}",
                                               static_cast<std::int64_t>(axis), rank()));
}

namespace {

/// Whether both have one rank, and the extents of each axis are like that.
template <class Like>
bool are_all(const Extents& a, const Extents& b, const Like& like) {
  if (a.rank() != b.rank()) return false;
  for (std::size_t axis = 0; axis < a.rank(); ++axis)
    if (!like(a[axis], b[axis])) return false;
  return true;
}

}  // namespace

bool operator==(const Extents& a, const Extents& b) {
  return a.has_rank() == b.has_rank() && are_all(a, b, std::equal_to<>());
}

bool can_be_equal(const Extents& a, const Extents& b) {
  if (!a.has_rank() || !b.has_rank()) return true;
  return are_all(a, b, [](const Extent& one, const Extent& other) {
    return one.low <= other.high && other.low <= one.high;
  });
}

std::string to_string(const Extents& extents) { return to_string(extents.partial()); }

}  // namespace weft

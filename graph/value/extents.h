// SPDX-License-Identifier: Apache-2.0
// Extents while a shape is worked out: known, or known within bounds. Copies cost next to nothing,
// so ops reckon with them for shapes that are known, too.
#pragma once

#include <cstdint>
#include <string>

#include <weft/graph/value/dtype.h>
#include <weft/graph/value/partial_shape.h>
#include <weft/graph/value/shape.h>
#include <weft/graph/value/small_vector.h>

namespace weft {

/// Any extent from `low` to `high`, and perhaps with the name that a Dim has given it, which must
/// outlive this. Extents of equal names are equal.
struct Extent {
  std::int64_t low = 0, high = Dim::unbounded;
  const std::string* name = nullptr;

  Extent() = default;  ///< any
  Extent(std::int64_t known) : low(known), high(known) {}
  Extent(std::int64_t lowest, std::int64_t highest) : low(lowest), high(highest) {}
  explicit Extent(const Dim& dim)
      : low(dim.low()), high(dim.high()), name(dim.name().empty() ? nullptr : &dim.name()) {}

  bool is_known() const noexcept { return low == high; }
  bool is(std::int64_t extent) const noexcept { return low == extent && high == extent; }
  bool contains(std::int64_t extent) const noexcept { return low <= extent && extent <= high; }
  Dim dim() const { return Dim(low, high, name ? *name : std::string()); }
  friend bool operator==(const Extent& a, const Extent& b) noexcept {
    return a.low == b.low && a.high == b.high &&
           (a.name == b.name || (a.name && b.name && *a.name == *b.name));
  }
};

/// So many repetitions, 0 or more: bounds that pass int64 are unbounded. One keeps the name.
Extent operator*(const Extent& extent, std::int64_t repeat);
/// The extent of two axes joined: bounds that pass int64 are unbounded. Joined to 1 it keeps the
/// name.
Extent operator*(const Extent& a, const Extent& b);
/// One after the other: bounds that pass int64 are unbounded. Nothing added keeps the name.
Extent operator+(const Extent& a, const Extent& b);
/// Over so many, rounded down.
Extent operator/(const Extent& extent, std::int64_t divisor);
std::string to_string(const Extent& extent);

/// What is known of a shape: an Extent for each axis, or of any rank.
class Extents {
 public:
  using Axes = SmallVector<Extent, 8>;

  Extents() = default;  ///< that of a scalar
  Extents(const Shape& shape) : axes_(shape.begin(), shape.end()) {}
  /// Borrows its names.
  explicit Extents(const PartialShape& shape);
  explicit Extents(PartialShape&&) = delete;
  static Extents any() {
    Extents extents;
    extents.has_rank_ = false;
    return extents;
  }
  /// Any extents.
  static Extents of_rank(std::size_t rank) {
    Extents extents;
    extents.axes_.resize(rank);
    return extents;
  }

  bool has_rank() const noexcept { return has_rank_; }
  /// Where it has one.
  std::size_t rank() const noexcept { return axes_.size(); }
  /// Throws ParameterError (bad_rank) where there is no such axis: nobody reads beyond.
  const Extent& operator[](std::size_t axis) const { return at(axis), axes_[axis]; }
  Extent& operator[](std::size_t axis) { return at(axis), axes_[axis]; }
  const Extent* begin() const noexcept { return axes_.begin(); }
  const Extent* end() const noexcept { return axes_.end(); }
  void push_back(const Extent& extent) { axes_.push_back(extent); }
  void erase(std::size_t axis) { at(axis), axes_.erase(axes_.begin() + axis); }
  void insert(std::size_t axis, const Extent& extent) {
    axes_.insert(axes_.begin() + axis, extent);
  }

  /// Whether only one shape fits.
  bool is_closed() const noexcept;
  /// That shape; where it is not closed, each axis has its lowest extent.
  Shape lowest() const;
  /// The same with names of its own.
  PartialShape partial() const;
  friend bool operator==(const Extents&, const Extents&) = default;

 private:
  void at(std::size_t axis) const {
    if (axis >= axes_.size()) throw_no_axis(axis);
  }
  [[noreturn]] void throw_no_axis(std::size_t axis) const;

  bool has_rank_ = true;
  Axes axes_;
};

/// Whether some shape fits both.
bool can_be_equal(const Extents& a, const Extents& b);
/// "[8, ?, tokens, batch=1..64]", or "[...]" for any rank.
std::string to_string(const Extents& extents);

/// What is known of a tensor before a program runs.
struct KnownType {
  DType dtype;
  Extents shape;
};

}  // namespace weft

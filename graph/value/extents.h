// SPDX-License-Identifier: Apache-2.0
// Extents while a shape is worked out: known, or known within bounds. Known ones cost what a Shape
// does, so ops reckon with them for shapes that are known, too.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <weft/graph/value/dtype.h>
#include <weft/graph/value/partial_shape.h>
#include <weft/graph/value/shape.h>

namespace weft {

/// Any extent from `low` to `high`, and perhaps with the name that a Dim has given it, which must
/// outlive this. Extents of equal names are equal.
struct Extent {
  std::int64_t low = 0, high = Dim::unbounded;
  const std::string* name = nullptr;

  Extent() = default;  ///< any
  Extent(std::int64_t known) : low(known), high(known) {}
  Extent(std::int64_t lowest, std::int64_t highest, const std::string* named = nullptr)
      : low(lowest), high(highest), name(named) {}
  explicit Extent(const Dim& dim)
      : low(dim.low()), high(dim.high()), name(dim.name().empty() ? nullptr : &dim.name()) {}

  Extent(const Extent&) = default;
  Extent& operator=(const Extent&) & = default;  // what operator[] of Extents gives is a copy

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
  Extents() = default;  ///< that of a scalar
  Extents(const Shape& shape) : low_(shape) {}
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
    extents.low_.resize(rank);
    extents.rest_.resize(rank);
    return extents;
  }

  bool has_rank() const noexcept { return has_rank_; }
  /// Where it has one.
  std::size_t rank() const noexcept { return low_.size(); }
  /// Throws ParameterError (bad_rank) where there is no such axis: nobody reads beyond.
  Extent operator[](std::size_t axis) const {
    if (axis >= rank()) throw_no_axis(axis);
    if (rest_.empty()) return low_[axis];
    return {low_[axis], rest_[axis].high, rest_[axis].name};
  }
  /// The same error.
  void set(std::size_t axis, const Extent& extent) {
    if (axis >= rank()) throw_no_axis(axis);
    low_[axis] = extent.low;
    if (is_more(extent)) rest_[axis] = {extent.high, extent.name};
  }
  void push_back(const Extent& extent) {
    const bool more = is_more(extent);
    low_.push_back(extent.low);
    if (more) rest_.push_back({extent.high, extent.name});
  }
  void erase(std::size_t axis);
  void insert(std::size_t axis, const Extent& extent);

  /// Whether only one shape fits.
  bool is_closed() const noexcept { return has_rank_ && (rest_.empty() || are_all_known()); }
  /// That shape; where it is not closed, each axis has its lowest extent.
  const Shape& lowest() const& noexcept { return low_; }
  Shape lowest() && noexcept { return std::move(low_); }
  /// The same with names of its own.
  PartialShape partial() const;
  friend bool operator==(const Extents& a, const Extents& b);

 private:
  /// What an Extent has beside the lowest.
  struct Rest {
    std::int64_t high = Dim::unbounded;
    const std::string* name = nullptr;
  };

  /// Whether an extent is, or others are, more than lowest ones, which are told then.
  bool is_more(const Extent& extent) {
    if (!rest_.empty()) return true;
    if (extent.is_known() && !extent.name) return false;
    tell_rest();
    return true;
  }
  void tell_rest();
  bool are_all_known() const noexcept;
  [[noreturn]] void throw_no_axis(std::size_t axis) const;

  bool has_rank_ = true;
  Shape low_;
  std::vector<Rest> rest_;  // of each axis; none where all are known and have no names
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

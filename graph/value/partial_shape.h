// SPDX-License-Identifier: Apache-2.0
// Shapes that are known in part: what a program may say of an input before it runs.
#pragma once

#include <cassert>
#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include <weft/graph/value/shape.h>

namespace weft {

/// An extent that may be open: any from `low` to `high`, and perhaps with a name. Extents of equal
/// names are equal.
class Dim {
 public:
  static constexpr std::int64_t unbounded = INT64_MAX;

  Dim() = default;  ///< any extent
  /// An extent, or any for -1.
  Dim(std::int64_t extent);
  template <std::integral T>
  Dim(T extent) : Dim(static_cast<std::int64_t>(extent)) {}
  /// Any extent from `low` to `high`. Throws ShapeError unless 0 <= low <= high.
  Dim(std::int64_t low, std::int64_t high, std::string name = {});
  Dim(std::string name) : name_(std::move(name)) {}
  Dim(const char* name) : name_(name) {}

  std::int64_t low() const noexcept { return low_; }
  std::int64_t high() const noexcept { return high_; }
  const std::string& name() const& noexcept { return name_; }
  std::string name() && noexcept { return std::move(name_); }
  bool is_known() const noexcept { return low_ == high_; }
  bool contains(std::int64_t extent) const noexcept { return low_ <= extent && extent <= high_; }
  friend bool operator==(const Dim&, const Dim&) = default;

 private:
  std::int64_t low_ = 0, high_ = unbounded;
  std::string name_;
};

/// The extents one gets of so many repetitions: bounds are multiplied, what passes int64 is
/// unbounded. One repetition keeps the name.
Dim operator*(const Dim& dim, std::int64_t repeat);

/// "3", "?", "1..64", "2..", "batch", "batch=1..64".
std::string to_string(const Dim& dim);

/// One Dim for each axis, or of any rank.
class PartialShape {
 public:
  /// Any shape of any rank.
  static PartialShape any() { return PartialShape(Any()); }
  PartialShape() : has_rank_(true) {}  ///< that of a scalar
  PartialShape(std::initializer_list<Dim> dims) : has_rank_(true), dims_(dims) {}
  explicit PartialShape(std::vector<Dim> dims) : has_rank_(true), dims_(std::move(dims)) {}
  PartialShape(const Shape& shape) : has_rank_(true), dims_(shape.begin(), shape.end()) {}
  /// Any extents. Throws ParameterError (bad_rank) above the highest rank there is.
  static PartialShape of_rank(std::size_t rank);

  bool has_rank() const noexcept { return has_rank_; }
  /// Where it has one.
  std::size_t rank() const noexcept { return dims_.size(); }
  /// Throws ParameterError (bad_rank) where there is no such axis: nobody reads beyond.
  const Dim& operator[](std::size_t axis) const& { return at(axis); }
  Dim& operator[](std::size_t axis) & { return at(axis); }
  Dim operator[](std::size_t axis) const&& { return at(axis); }
  const std::vector<Dim>& dims() const& noexcept { return dims_; }
  std::vector<Dim> dims() && noexcept { return std::move(dims_); }
  /// Whether only one shape fits.
  bool is_closed() const noexcept;
  /// That shape; where it is not closed, each axis has its lowest extent.
  Shape lowest() const;
  friend bool operator==(const PartialShape&, const PartialShape&) = default;

 private:
  struct Any {};
  explicit PartialShape(Any) {}
  [[noreturn]] void throw_no_axis(std::size_t axis) const;
  const Dim& at(std::size_t axis) const {
    if (axis >= dims_.size()) throw_no_axis(axis);
    return dims_[axis];
  }
  Dim& at(std::size_t axis) {
    if (axis >= dims_.size()) throw_no_axis(axis);
    return dims_[axis];
  }

  bool has_rank_ = false;
  std::vector<Dim> dims_;
};

/// Whether some shape fits both.
bool can_be_equal(const PartialShape& a, const PartialShape& b);

/// "[8, ?, tokens, batch=1..64]", or "[...]" for any rank.
std::string to_string(const PartialShape& shape);

}  // namespace weft

// SPDX-License-Identifier: Apache-2.0
// The order in which the elements of a piece are computed: that of the result, or of its operands
// where most of them lie another way, alike.
#pragma once

#include <cstdint>
#include <span>

#include <weft/graph/map/meet.h>

namespace weft {

/// The loops of a piece, outermost first; some may go from their last step to their first. Strides
/// and steps in elements.
class PieceLayout {
 public:
  /// As the result lies.
  explicit PieceLayout(const JointBox& box);
  /// As most bytes lie: `bytes` has those of an element of each operand, `element` the result's.
  PieceLayout(const JointBox& box, std::span<const std::int64_t> bytes, std::int64_t element);

  /// Whether it is as the result lies.
  bool is_of_result() const;
  std::size_t size() const { return loops_.size(); }
  std::int64_t extent(std::size_t i) const { return box_->loops[loops_[i].loop].extent; }
  /// How far steps are apart in that order.
  std::int64_t stride(std::size_t i) const { return loops_[i].stride; }
  /// The same in the result, and in an operand.
  std::int64_t out(std::size_t i) const {
    return loops_[i].sign * box_->loops[loops_[i].loop].stride;
  }
  std::int64_t step(std::size_t i, std::size_t operand) const {
    return loops_[i].sign * box_->loops[loops_[i].loop].steps[operand].step;
  }
  /// Where the first element lies in the result, and in an operand.
  std::int64_t first_out() const;
  std::int64_t first(std::size_t operand) const;
  /// Elements that an operand has, but for those that are read again and again.
  std::int64_t distinct(std::size_t operand) const;
  /// Whether it has so few that it may lie anyhow.
  bool is_small(std::size_t operand) const;

 private:
  struct Laid {
    std::size_t loop;  ///< of the box
    std::int64_t sign, stride;
  };

  std::int64_t count() const { return box_->count(); }
  /// As that operand lies; false where that has no order, or leaves gaps everywhere.
  bool lie_as(std::size_t operand);
  template <class Step>
  bool matches(const Step& step) const;
  std::int64_t moved(std::span<const std::int64_t> bytes, std::int64_t element) const;

  const JointBox* box_;
  SmallVector<Laid, 6> loops_;
};

}  // namespace weft

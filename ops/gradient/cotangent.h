// SPDX-License-Identifier: Apache-2.0
// The cotangent of a node, as the sum of what comes from each that it is an operand of.
#pragma once

#include <vector>

#include <weft/graph/tensor.h>
#include <weft/ops/pick/ranges.h>

namespace weft {

/// Parts that are zeros but for a slice each, as those of split and unstack, are put side by side
/// as long as they do not meet: that moves elements and adds none.
class Cotangent {
 public:
  void add(const Tensor& part);
  bool has_value() const noexcept { return sum_.has_value() || slices_.has_value(); }
  Tensor total() const;

 private:
  Tensor sum_;
  Tensor slices_;
  std::vector<AxisRanges> ranges_;  // of those
};

}  // namespace weft

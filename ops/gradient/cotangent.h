// SPDX-License-Identifier: Apache-2.0
// The cotangent of a node, as the sum of what comes from each that it is an operand of.
#pragma once

#include <vector>

#include <weft/graph/tensor.h>
#include <weft/ops/pick/ranges.h>

namespace weft {

/// What a slice of `x` hands on: its cotangent where it was taken from, and zeros elsewhere.
Tensor in_zeros(const Tensor& x, const Tensor& cotangent, const AxisRanges& ranges);

/// Parts that are in_zeros(), each a slice, as those of split and unstack, are put side by side
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

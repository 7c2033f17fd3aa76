// SPDX-License-Identifier: Apache-2.0
// What transpose, squeeze, expand_dims and broadcast_to share: each axis of x is an axis of the
// result.
#pragma once

#include <weft/graph/map/box.h>
#include <weft/graph/tensor.h>

namespace weft {

/// A node whose element at `i` is that of x at `j`, where j[k] = i[axes[k]], or 0 where axes[k] is
/// `replicated`.
class AxisMap : public Node {
 public:
  using Axes = SmallVector<std::int32_t, 16>;

  AxisMap(const Tensor& x, const Shape& shape, const Axes& axes)
      : Node(x.dtype(), shape, inputs_of(x)), axes_(axes) {}

  void pull_back(const Box& box, PullBack& to) const final;
  std::size_t trace(Index& index) const final;
  bool add_parameters(Structure& to) const final;

 private:
  Axes axes_;
};

}  // namespace weft

// SPDX-License-Identifier: Apache-2.0
// Elements at strides in a line of others.
#pragma once

#include <functional>
#include <string_view>

#include <weft/graph/tensor.h>

namespace weft {

/// The lowest and the highest element that strides reach, counted from that of index 0.
struct Reach {
  std::int64_t low = 0, high = 0;
  std::int64_t count() const noexcept { return high - low + 1; }
};
/// Throws OverflowError (in the name of `op`) where they are more elements than int64 counts. The
/// shape is not empty.
Reach reach_of(std::string_view op, const Shape& shape, const Shape& strides);

/// `out[i] = flat[offset + dot(i, strides)]`, all of which is inside; `flat` has rank 1. A box for
/// a box; the node goes by the name of `op`, which outlives it. `adjoint` makes the cotangent of
/// `flat` of that of the result, where the op has one.
Tensor strided(std::string_view op, const Tensor& flat, const Shape& shape, const Shape& strides,
               std::int64_t offset, std::function<Tensor(const Tensor&)> adjoint = {});

}  // namespace weft

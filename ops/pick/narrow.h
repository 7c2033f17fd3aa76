// SPDX-License-Identifier: Apache-2.0
// narrow: a stretch of one axis.
#pragma once

#include <weft/graph/tensor.h>

namespace weft {

/// Keeps `length` elements of one axis, from `start` on:
/// `out[..., i, ...] = x[..., start + i, ...]`.
///
/// All are one integer each, of any type. A negative axis or start counts from the end. Nothing is
/// clamped: the stretch lies within the axis.
///
/// Shape: that of `x` with the extent `length`. Throws DtypeError, ParameterError (bad_rank,
/// length_mismatch), AxisError, IndexError where the stretch leaves the axis or is negative.
///
/// Group: pick.
/// Cost: free; never adds a box.
/// Gradient: slice_scatter into zeros.
/// NumPy: slicing. torch: `torch.narrow`. ONNX: Slice.
[[nodiscard]] Tensor narrow(const Tensor& x, const Ints& axis, const Ints& start,
                            const Ints& length);

extern const Op narrow_op;

}  // namespace weft

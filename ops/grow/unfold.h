// SPDX-License-Identifier: Apache-2.0
// unfold: windows that slide along an axis (torch.Tensor.unfold).
#pragma once

#include <weft/graph/tensor.h>

namespace weft {

/// Shows every window of one axis, with the places in it along a new last axis:
/// `out[..., w, ..., j] = x[..., w * step + j, ...]`.
///
/// `size` is 0 to the extent of the axis, `step` at least 1. There are (extent - size) / step + 1
/// windows. Windows may overlap.
///
/// Throws DtypeError, AxisError, ParameterError (bad_rank, length_mismatch, zero_step), ShapeError,
/// OverflowError.
///
/// Group: grow.
/// Cost: free over a stored tensor, and where windows do not overlap; where they do, an op below
/// that cuts their axis makes a box for each place in a window, or a pass of its own.
/// Gradient: a sum over the windows.
/// NumPy: `numpy.lib.stride_tricks.sliding_window_view`, of step 1. torch: `torch.Tensor.unfold`.
/// ONNX: none.
[[nodiscard]] Tensor unfold(const Tensor& x, const Ints& axis, const Ints& size,
                            const Ints& step = 1);

extern const Op unfold_op;

}  // namespace weft

// SPDX-License-Identifier: Apache-2.0
// pixel_unshuffle: squares of pixels stacked as channels (torch.nn.functional.pixel_unshuffle).
#pragma once

#include <weft/graph/tensor.h>

namespace weft {

/// Stacks squares of the pixels of `x`, of shape [..., C, H, W], as channels: with r for `factor`
/// `out[..., (c * r + a) * r + b, i, j] = x[..., c, i * r + a, j * r + b]`. The inverse of
/// pixel_shuffle.
///
/// `factor` is a number of any integer type, 1 or more; H and W are multiples of it. There may be
/// any number of axes before C, or none.
///
/// Shape: [..., C * factor^2, H / factor, W / factor]. Throws DtypeError, ParameterError (bad_rank,
/// length_mismatch), OverflowError, ShapeError.
///
/// Group: rearrange.
/// Cost: free; a reshape, a transpose and a reshape.
/// Gradient: pixel_shuffle.
/// NumPy: none. torch: `torch.nn.functional.pixel_unshuffle`. ONNX: none.
[[nodiscard]] Tensor pixel_unshuffle(const Tensor& x, const Ints& factor);

extern const Op pixel_unshuffle_op;

}  // namespace weft

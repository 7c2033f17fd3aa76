// SPDX-License-Identifier: Apache-2.0
// pixel_shuffle: channels spread over squares of pixels (torch.nn.functional.pixel_shuffle).
#pragma once

#include <weft/graph/tensor.h>

namespace weft {

/// Spreads the channels of `x`, of shape [..., C, H, W], over squares of pixels: with r for
/// `factor` `out[..., c, i, j] = x[..., (c * r + i mod r) * r + j mod r, i / r, j / r]`.
///
/// `factor` is a number of any integer type, 1 or more; C is a multiple of its square. There may be
/// any number of axes before C, or none.
///
/// Shape: [..., C / factor^2, H * factor, W * factor]. Throws DtypeError, ParameterError (bad_rank,
/// length_mismatch), OverflowError, ShapeError.
///
/// Group: rearrange.
/// Cost: free; a reshape, a transpose and a reshape.
/// Gradient: pixel_unshuffle.
/// NumPy: none. torch: `torch.nn.functional.pixel_shuffle`. ONNX: DepthToSpace (CRD, of rank 4).
[[nodiscard]] Tensor pixel_shuffle(const Tensor& x, const Ints& factor);

extern const Op pixel_shuffle_op;

}  // namespace weft

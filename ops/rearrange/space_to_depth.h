// SPDX-License-Identifier: Apache-2.0
// space_to_depth: blocks of the spatial axes stacked as channels (OpenVINO SpaceToDepth-1).
#pragma once

#include <string>

#include <weft/graph/tensor.h>

namespace weft {

/// Stacks blocks of the spatial axes of `x`, of shape [N, C, D0, D1, ...], as channels:
/// `out[n, d * C + c, i] = x[n, c, i * block + d]` on k spatial axes, where `d` among the channels
/// is read as one number, the last axis fastest. The inverse of depth_to_space.
///
/// `block` is a number of any integer type, 1 or more; `mode` is "blocks_first" (as above) or
/// "depth_first", where channels are counted `c * block^k + d`. There is at least one spatial axis;
/// the spatial extents are multiples of `block`.
///
/// Shape: [N, C * block^k, D0 / block, D1 / block, ...]. Throws DtypeError, ParameterError
/// (bad_rank, length_mismatch, bad_mode), OverflowError, ShapeError.
///
/// Group: rearrange.
/// Cost: free; a reshape, a transpose and a reshape for every six spatial axes.
/// Gradient: depth_to_space.
/// NumPy: none. torch: `torch.nn.functional.pixel_unshuffle` (depth_first, two spatial axes).
/// ONNX: SpaceToDepth (blocks_first).
[[nodiscard]] Tensor space_to_depth(const Tensor& x, const Ints& block,
                                    const std::string& mode = "blocks_first");

extern const Op space_to_depth_op;

}  // namespace weft

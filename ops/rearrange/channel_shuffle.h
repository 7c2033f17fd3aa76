// SPDX-License-Identifier: Apache-2.0
// channel_shuffle: the channels of groups dealt out in turn (torch.nn.functional.channel_shuffle).
#pragma once

#include <weft/graph/tensor.h>

namespace weft {

/// Deals the positions of an axis out of `groups` equal groups in turn:
/// `out[..., c, ...] = x[..., (c mod groups) * (n / groups) + c / groups, ...]`.
///
/// `groups` is a number of any integer type, 1 or more, that divides the extent of `axis`.
///
/// Shape: that of `x`. Throws DtypeError, ParameterError (bad_rank, length_mismatch), AxisError,
/// ShapeError.
///
/// Group: rearrange.
/// Cost: free; a reshape, a transpose and a reshape.
/// Gradient: channel_shuffle by n / groups.
/// NumPy: none. torch: `torch.nn.functional.channel_shuffle`. ONNX: none.
[[nodiscard]] Tensor channel_shuffle(const Tensor& x, const Ints& groups, const Ints& axis = 1);

extern const Op channel_shuffle_op;

}  // namespace weft

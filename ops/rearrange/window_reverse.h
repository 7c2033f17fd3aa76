// SPDX-License-Identifier: Apache-2.0
// window_reverse: windows put together to images (Swin Transformer).
#pragma once

#include <weft/graph/tensor.h>

namespace weft {

/// Puts windows `x` of shape [B * H / w0 * W / w1, w0, w1, C] together to images:
/// `out[b, p * w0 + i, q * w1 + j, c] = x[(b * (H / w0) + p) * (W / w1) + q, i, j, c]`. The inverse
/// of window_partition.
///
/// `window` is a number of any integer type, or a list of two, [w0, w1], each 1 or more; `shape` is
/// [H, W], multiples of them above 0: without windows nothing would tell how many images there are.
///
/// Shape: [B, H, W, C]. Throws DtypeError, ParameterError (bad_rank, length_mismatch),
/// OverflowError, ShapeError.
///
/// Group: rearrange.
/// Cost: free; a reshape, a transpose and a reshape.
/// Gradient: window_partition.
/// NumPy: none. torch: none. ONNX: none.
[[nodiscard]] Tensor window_reverse(const Tensor& x, const Ints& window, const Ints& shape);

extern const Op window_reverse_op;

}  // namespace weft

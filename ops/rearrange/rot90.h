// SPDX-License-Identifier: Apache-2.0
// rot90: quarter turns in the plane of two axes (numpy.rot90).
#pragma once

#include <weft/graph/tensor.h>

namespace weft {

/// Turns `x` by `k` quarters in the plane of `axes`, from the first towards the second: for k = 1
/// `out[..., i, ..., j, ...] = x[..., j, ..., n - 1 - i, ...]`, where n is the extent of the
/// second.
///
/// `k` is a number of any integer type, within int64, taken modulo 4; `axes` is a list of two
/// different axes.
///
/// Shape: that of `x`, for odd k with both extents exchanged. Throws DtypeError, ParameterError
/// (bad_rank, length_mismatch), AxisError, OverflowError.
///
/// Group: rearrange.
/// Cost: free; a flip and a transpose, or one of them; never adds a box.
/// Gradient: rot90 by -k.
/// NumPy: `numpy.rot90`. torch: `torch.rot90`. ONNX: none.
[[nodiscard]] Tensor rot90(const Tensor& x, const Ints& k = 1, const Ints& axes = {0, 1});

extern const Op rot90_op;

}  // namespace weft

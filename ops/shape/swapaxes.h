// SPDX-License-Identifier: Apache-2.0
// swapaxes: two axes that change places.
#pragma once

#include <weft/graph/tensor.h>

namespace weft {

/// Swaps two axes: `out[..., i, ..., j, ...] = x[..., j, ..., i, ...]`.
///
/// `axis1` and `axis2` are one integer each, of any type; negative axes count from the end, and
/// both may be the same.
///
/// Shape: that of `x` with the two extents swapped. Throws DtypeError, ParameterError (bad_rank,
/// length_mismatch), AxisError.
///
/// Group: shape.
/// Cost: free; never adds a box.
/// Gradient: the same swapaxes.
/// NumPy: `numpy.swapaxes`. torch: `torch.swapaxes`. ONNX: Transpose.
[[nodiscard]] Tensor swapaxes(const Tensor& x, const Ints& axis1, const Ints& axis2);

extern const Op swapaxes_op;

}  // namespace weft

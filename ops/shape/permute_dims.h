// SPDX-License-Identifier: Apache-2.0
// permute_dims: axes in another order, as the array API says it.
#pragma once

#include <weft/graph/tensor.h>

namespace weft {

/// Permutes the axes of `x`: `out.shape[k] = x.shape[axes[k]]`.
///
/// `axes` is a list of any integer type that names each axis once; negative axes count from the
/// end (transpose refuses those). An empty list reverses all axes.
///
/// Throws DtypeError, ParameterError (bad_rank, length_mismatch), AxisError.
///
/// Group: shape.
/// Cost: free; never adds a box.
/// Gradient: permute_dims by the inverse permutation.
/// NumPy: `numpy.permute_dims`. torch: `torch.permute`. ONNX: Transpose.
[[nodiscard]] Tensor permute_dims(const Tensor& x, const Ints& axes);

extern const Op permute_dims_op;

}  // namespace weft

// SPDX-License-Identifier: Apache-2.0
// permute_dims: transpose under the name of the array API.
#pragma once

#include <weft/ops/transpose.h>

namespace weft {

/// Permutes the axes of `x`: `out.shape[k] = x.shape[axes[k]]`. It is transpose by another name,
/// which programs and messages call transpose.
///
/// `axes` is a list of any integer type that names each axis once, without negative entries. An
/// empty list reverses all axes.
///
/// Throws DtypeError, ParameterError (bad_rank, length_mismatch), AxisError (not_a_permutation).
///
/// Group: shape.
/// Cost: free; never adds a box.
/// Gradient: permute_dims by the inverse permutation.
/// NumPy: `numpy.permute_dims`. torch: `torch.permute`. ONNX: Transpose.
[[nodiscard]] inline Tensor permute_dims(const Tensor& x, const Ints& axes) {
  return transpose(x, axes);
}

}  // namespace weft

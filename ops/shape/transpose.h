// SPDX-License-Identifier: Apache-2.0
// transpose: permutes axes (nGraph Transpose, OpenVINO Transpose-1).
#pragma once

#include <weft/graph/tensor.h>

namespace weft {

/// Permutes the axes of `x`: `out.shape[k] = x.shape[order[k]]`, so [3, 4, 8] by [2, 0, 1] is
/// [8, 3, 4].
///
/// `order` is a list of any integer type that names each axis once, without negative entries. An
/// empty order reverses all axes.
///
/// Throws DtypeError, ParameterError (bad_rank, length_mismatch), AxisError (not_a_permutation).
///
/// Group: shape.
/// Cost: free; never adds a box.
/// Gradient: transpose by the inverse permutation.
/// NumPy: `numpy.transpose`. torch: `torch.permute`. ONNX: Transpose.
[[nodiscard]] Tensor transpose(const Tensor& x, const Ints& order = none);

extern const Op transpose_op;

}  // namespace weft

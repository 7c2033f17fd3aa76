// SPDX-License-Identifier: Apache-2.0
// diagonal: where two axes have equal indices.
#pragma once

#include <weft/graph/tensor.h>

namespace weft {

/// Takes a diagonal of two axes, which becomes the last axis:
/// `out[..., k] = x[..., k + max(-offset, 0), ..., k + max(offset, 0), ...]`, the first of them on
/// axis1, the other on axis2.
///
/// All parameters are one integer each, of any type; negative axes count from the end. A positive
/// offset lies to the right of the main diagonal; one beyond the extents makes an empty diagonal.
///
/// Shape: that of `x` without both axes, then the length of the diagonal. Throws DtypeError,
/// ParameterError (bad_rank, also for an x of rank below 2; length_mismatch), AxisError.
///
/// Group: pick.
/// Cost: free over what is stored; else that is stored first.
/// Gradient: zeros with the diagonal replaced.
/// NumPy: `numpy.diagonal`. torch: `torch.diagonal`. ONNX: none.
[[nodiscard]] Tensor diagonal(const Tensor& x, const Ints& offset = 0, const Ints& axis1 = 0,
                              const Ints& axis2 = 1);

extern const Op diagonal_op;

}  // namespace weft

// SPDX-License-Identifier: Apache-2.0
// roll: cyclic shift along axes (OpenVINO Roll-7).
#pragma once

#include <weft/graph/tensor.h>

namespace weft {

/// Shifts the elements of `x` cyclically: `out[i] = x[(i - shift) mod n]` on each axis.
///
/// `shift` and `axes` are i32 or i64, scalars or lists. One shift, scalar or list of one, applies
/// to every axis; otherwise both are lists of one length. An axis named twice turns by the sum. No
/// axes: `x` itself, never flattened. Any shift is allowed, taken modulo the extent.
///
/// Shape: that of `x`. Throws DtypeError, ParameterError (bad_rank, length_mismatch), AxisError.
///
/// Group: rearrange.
/// Cost: free; at most one cut per axis in the pass that materialises it.
/// Gradient: roll by -shift.
/// NumPy: `numpy.roll`, with axes. torch: `torch.roll`, with dims. ONNX: none.
[[nodiscard]] Tensor roll(const Tensor& x, const Ints& shift, const Ints& axes);

/// The same of a tensor that is given up. Where nobody else holds its value, and weft allocated it,
/// evaluation turns it within its memory. `x` stays as it was where this throws.
[[nodiscard]] Tensor roll(Tensor&& x, const Ints& shift, const Ints& axes);

extern const Op roll_op;

}  // namespace weft

// SPDX-License-Identifier: Apache-2.0
// flatten: neighbouring axes joined into one.
#pragma once

#include <weft/graph/tensor.h>

namespace weft {

/// Joins the axes from `start_axis` to `end_axis`, both included, into one: the elements stay in
/// row-major order, `out.flat[i] = x.flat[i]`.
///
/// Both are one integer of any type; negative axes count from the end. A scalar is taken as [1].
///
/// Shape: that of `x` with the product of the extents in place of the axes that are joined.
/// Throws DtypeError, ParameterError (bad_rank, length_mismatch), AxisError, also where start_axis
/// comes after end_axis, and OverflowError.
///
/// Group: shape.
/// Cost: free; over a stored tensor and at the end of a chain an alias.
/// Gradient: unflatten.
/// NumPy: `numpy.ravel`, of all axes. torch: `torch.flatten`. ONNX: Reshape.
[[nodiscard]] Tensor flatten(const Tensor& x, const Ints& start_axis = 0,
                             const Ints& end_axis = -1);

extern const Op flatten_op;

}  // namespace weft

// SPDX-License-Identifier: Apache-2.0
// unflatten: one axis parted into several.
#pragma once

#include <weft/graph/tensor.h>

namespace weft {

/// Parts one axis into axes of the extents `shape`: the elements stay in row-major order,
/// `out.flat[i] = x.flat[i]`.
///
/// `axis` is one integer, `shape` a scalar or list, of any integer type; one entry of `shape` may
/// be -1 and is inferred.
///
/// Shape: that of `x` with `shape` in place of the axis. Throws DtypeError, ParameterError
/// (bad_rank, length_mismatch), AxisError, OverflowError, ShapeError where the extents do not
/// multiply to that of the axis.
///
/// Group: shape.
/// Cost: free; over a stored tensor and at the end of a chain an alias.
/// Gradient: flatten.
/// NumPy: `numpy.reshape`. torch: `torch.unflatten`. ONNX: Reshape.
[[nodiscard]] Tensor unflatten(const Tensor& x, const Ints& axis, const Ints& shape);

extern const Op unflatten_op;

}  // namespace weft

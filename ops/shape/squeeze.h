// SPDX-License-Identifier: Apache-2.0
// squeeze: drops axes of extent 1.
#pragma once

#include <weft/graph/tensor.h>

namespace weft {

/// Drops axes of extent 1; the elements stay in row-major order, `out.flat[i] = x.flat[i]`.
///
/// `axes` is a scalar or list of any integer type, each axis once and of extent 1; none: all such
/// axes.
///
/// Throws DtypeError, ParameterError (bad_rank), AxisError, ShapeError.
///
/// Group: shape.
/// Cost: free; over a stored tensor and at the end of a chain an alias.
/// Gradient: expand_dims.
/// NumPy: `numpy.squeeze`. torch: `torch.squeeze`. ONNX: Squeeze.
[[nodiscard]] Tensor squeeze(const Tensor& x, const Ints& axes = none);

extern const Op squeeze_op;

}  // namespace weft

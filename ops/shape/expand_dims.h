// SPDX-License-Identifier: Apache-2.0
// expand_dims: inserts axes of extent 1.
#pragma once

#include <weft/graph/tensor.h>

namespace weft {

/// Inserts axes of extent 1; the elements stay in row-major order, `out.flat[i] = x.flat[i]`.
///
/// `axes` is a scalar or list of any integer type: where the new axes stand in the result, each
/// once.
///
/// Throws DtypeError, ParameterError (bad_rank), AxisError.
///
/// Group: shape.
/// Cost: free; over a stored tensor and at the end of a chain an alias.
/// Gradient: squeeze.
/// NumPy: `numpy.expand_dims`. torch: `torch.unsqueeze`, of one axis. ONNX: Unsqueeze.
[[nodiscard]] Tensor expand_dims(const Tensor& x, const Ints& axes);

extern const Op expand_dims_op;

}  // namespace weft

// SPDX-License-Identifier: Apache-2.0
// broadcast_to: repeats axes of extent 1.
#pragma once

#include <weft/graph/tensor.h>

namespace weft {

/// Repeats axes of extent 1, and adds leading axes, until the shape is `shape`: on each axis of x,
/// of extent n, `out[..., i] = x[n == 1 ? 0 : i]`.
///
/// `shape` is a scalar or list of any integer type.
///
/// Throws DtypeError, ParameterError (bad_rank), OverflowError, ShapeError.
///
/// Group: grow.
/// Cost: free; never adds a box.
/// Gradient: sum over the repeated axes.
/// NumPy: `numpy.broadcast_to`. torch: `torch.broadcast_to`. ONNX: Expand.
[[nodiscard]] Tensor broadcast_to(const Tensor& x, const Ints& shape);

/// The adjoint: the sum of all that broadcast_to repeats, of a tensor that `shape` broadcasts to.
[[nodiscard]] Tensor sum_to(const Tensor& x, const Shape& shape);

extern const Op broadcast_to_op;

}  // namespace weft

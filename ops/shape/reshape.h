// SPDX-License-Identifier: Apache-2.0
// reshape: the same elements in row-major order under another shape.
#pragma once

#include <weft/graph/tensor.h>

namespace weft {

/// Reads the elements of `x`, row-major, as `shape`: `out.flat[i] = x.flat[i]`.
///
/// `shape` is a scalar or list of any integer type; one entry may be -1 and is inferred.
///
/// Throws DtypeError, ParameterError (bad_rank), OverflowError, ShapeError where the counts differ.
///
/// Group: shape.
/// Cost: free; over a stored tensor and at the end of a chain an alias.
/// Gradient: reshape back.
/// NumPy: `numpy.reshape`. torch: `torch.reshape`. ONNX: Reshape.
[[nodiscard]] Tensor reshape(const Tensor& x, const Ints& shape);

extern const Op reshape_op;

}  // namespace weft

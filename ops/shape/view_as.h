// SPDX-License-Identifier: Apache-2.0
// view_as: the same bytes as elements of another type.
#pragma once

#include <weft/graph/tensor.h>

namespace weft {

/// Reads the bytes of `x`, row-major, as elements of `dtype`: `out.bytes = x.bytes`.
///
/// An element of equal size stays where it is. Smaller ones make the last axis longer: a c64 is two
/// f32. Larger ones are made of neighbours on the last axis: three f32 are a struct of 12 bytes.
/// Where the result lies in the memory of `x` it is aligned as that is.
///
/// Shape: that of `x`, but for the last axis, which keeps its bytes.
/// Throws DtypeError where `dtype` is bool and x is not, for a bool holds 0 or 1 alone, and where
/// it is smaller and does not divide the type of x; ShapeError where the last axis has no whole
/// number of larger elements, and for a scalar unless the sizes are equal; OverflowError.
///
/// Group: shape.
/// Cost: free; over a stored tensor and at the end of a chain an alias.
/// Gradient: none: bits are no numbers.
/// NumPy: `numpy.ndarray.view`. torch: `torch.Tensor.view`. ONNX: none.
[[nodiscard]] Tensor view_as(const Tensor& x, DType dtype);

extern const Op view_as_op;

}  // namespace weft

// SPDX-License-Identifier: Apache-2.0
// Logic of bools.
#pragma once

#include <weft/graph/tensor.h>
#include <weft/ops/create/scalar.h>

namespace weft {

/// Whether both hold: `out[i] = x[i] && y[i]`.
///
/// Of bool.
///
/// Shape: the broadcast one. Throws DtypeError, ShapeError; ParameterError (bad_value) for a number
/// beyond the range of the tensor's type.
///
/// Group: compute.
/// Cost: one pass with all that moves and computes its operands and its result.
/// Gradient: none: bool.
/// NumPy: `numpy.logical_and`. torch: `torch.logical_and`. ONNX: And.
[[nodiscard]] Tensor logical_and(const Tensor& x, const Tensor& y);
[[nodiscard]] Tensor logical_and(const Tensor& x, const Scalar& y);
[[nodiscard]] Tensor logical_and(const Scalar& x, const Tensor& y);
extern const Op logical_and_op;

/// Whether either holds: `out[i] = x[i] || y[i]`.
///
/// Of bool.
///
/// Shape: the broadcast one. Throws DtypeError, ShapeError; ParameterError (bad_value) for a number
/// beyond the range of the tensor's type.
///
/// Group: compute.
/// Cost: one pass with all that moves and computes its operands and its result.
/// Gradient: none: bool.
/// NumPy: `numpy.logical_or`. torch: `torch.logical_or`. ONNX: Or.
[[nodiscard]] Tensor logical_or(const Tensor& x, const Tensor& y);
[[nodiscard]] Tensor logical_or(const Tensor& x, const Scalar& y);
[[nodiscard]] Tensor logical_or(const Scalar& x, const Tensor& y);
extern const Op logical_or_op;

/// Whether one alone holds: `out[i] = x[i] != y[i]`.
///
/// Of bool.
///
/// Shape: the broadcast one. Throws DtypeError, ShapeError; ParameterError (bad_value) for a number
/// beyond the range of the tensor's type.
///
/// Group: compute.
/// Cost: one pass with all that moves and computes its operands and its result.
/// Gradient: none: bool.
/// NumPy: `numpy.logical_xor`. torch: `torch.logical_xor`. ONNX: Xor.
[[nodiscard]] Tensor logical_xor(const Tensor& x, const Tensor& y);
[[nodiscard]] Tensor logical_xor(const Tensor& x, const Scalar& y);
[[nodiscard]] Tensor logical_xor(const Scalar& x, const Tensor& y);
extern const Op logical_xor_op;

/// Whether elements do not hold: `out[i] = !x[i]`.
///
/// Of bool.
///
/// Shape: that of x. Throws DtypeError.
///
/// Group: compute.
/// Cost: one pass with all that moves and computes its operands and its result.
/// Gradient: none: bool.
/// NumPy: `numpy.logical_not`. torch: `torch.logical_not`. ONNX: Not.
[[nodiscard]] Tensor logical_not(const Tensor& x);
extern const Op logical_not_op;

}  // namespace weft

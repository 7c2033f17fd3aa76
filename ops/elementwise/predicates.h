// SPDX-License-Identifier: Apache-2.0
// What a number is, and the signs of numbers given to others.
#pragma once

#include <weft/graph/tensor.h>
#include <weft/ops/create/scalar.h>

namespace weft {

/// Whether elements are NaN: `out[i] = x[i] != x[i]`.
///
/// Of integers and floating-point numbers. Integers never are.
///
/// Shape: that of x. Throws DtypeError.
///
/// Group: compute.
/// Cost: one pass with all that moves and computes its operands and its result.
/// Gradient: none: bool.
/// NumPy: `numpy.isnan`. torch: `torch.isnan`. ONNX: IsNaN.
[[nodiscard]] Tensor isnan(const Tensor& x);
extern const Op isnan_op;

/// Whether elements are infinite: `out[i] = |x[i]| == inf`.
///
/// Of integers and floating-point numbers. Integers never are.
///
/// Shape: that of x. Throws DtypeError.
///
/// Group: compute.
/// Cost: one pass with all that moves and computes its operands and its result.
/// Gradient: none: bool.
/// NumPy: `numpy.isinf`. torch: `torch.isinf`. ONNX: IsInf.
[[nodiscard]] Tensor isinf(const Tensor& x);
extern const Op isinf_op;

/// Whether elements are neither infinite nor NaN: `out[i] = |x[i]| < inf`.
///
/// Of integers and floating-point numbers. Integers always are.
///
/// Shape: that of x. Throws DtypeError.
///
/// Group: compute.
/// Cost: one pass with all that moves and computes its operands and its result.
/// Gradient: none: bool.
/// NumPy: `numpy.isfinite`. torch: `torch.isfinite`. ONNX: none.
[[nodiscard]] Tensor isfinite(const Tensor& x);
extern const Op isfinite_op;

/// Whether elements have the sign of negative numbers: `out[i] = copysign(1, x[i]) < 0`.
///
/// Of integers and floating-point numbers. -0 has it, and NaN may.
///
/// Shape: that of x. Throws DtypeError.
///
/// Group: compute.
/// Cost: one pass with all that moves and computes its operands and its result.
/// Gradient: none: bool.
/// NumPy: `numpy.signbit`. torch: `torch.signbit`. ONNX: none.
[[nodiscard]] Tensor signbit(const Tensor& x);
extern const Op signbit_op;

/// Elements of x with the signs of those of y: `out[i] = copysign(x[i], y[i])`.
///
/// Of floating-point numbers. Those of zeros and NaN count.
///
/// Shape: the broadcast one. Throws DtypeError, ShapeError; ParameterError (bad_value) for a number
/// beyond the range of the tensor's type.
///
/// Group: compute.
/// Cost: one pass with all that moves and computes its operands and its result.
/// Gradient: to x, negative where its sign changed.
/// NumPy: `numpy.copysign`. torch: `torch.copysign`. ONNX: none.
[[nodiscard]] Tensor copysign(const Tensor& x, const Tensor& y);
[[nodiscard]] Tensor copysign(const Tensor& x, const Scalar& y);
[[nodiscard]] Tensor copysign(const Scalar& x, const Tensor& y);
extern const Op copysign_op;

}  // namespace weft

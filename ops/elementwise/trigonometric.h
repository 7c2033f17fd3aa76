// SPDX-License-Identifier: Apache-2.0
// Functions of angles in radians, and their inverses.
#pragma once

#include <weft/graph/tensor.h>
#include <weft/ops/create/scalar.h>

namespace weft {

/// Sines: `out[i] = sin(x[i])`.
///
/// Of floating-point numbers. Within 2 ulp, of every angle; NaN of infinities.
///
/// Shape: that of x. Throws DtypeError.
///
/// Group: compute.
/// Cost: one pass with all that moves and computes its operands and its result.
/// Gradient: times cos(x).
/// NumPy: `numpy.sin`. torch: `torch.sin`. ONNX: Sin.
[[nodiscard]] Tensor sin(const Tensor& x);
extern const Op sin_op;

/// Cosines: `out[i] = cos(x[i])`.
///
/// Of floating-point numbers. Within 2 ulp, of every angle; NaN of infinities.
///
/// Shape: that of x. Throws DtypeError.
///
/// Group: compute.
/// Cost: one pass with all that moves and computes its operands and its result.
/// Gradient: times -sin(x).
/// NumPy: `numpy.cos`. torch: `torch.cos`. ONNX: Cos.
[[nodiscard]] Tensor cos(const Tensor& x);
extern const Op cos_op;

/// Tangents: `out[i] = tan(x[i])`.
///
/// Of floating-point numbers. Within 2 ulp, of every angle; NaN of infinities.
///
/// Shape: that of x. Throws DtypeError.
///
/// Group: compute.
/// Cost: one pass with all that moves and computes its operands and its result.
/// Gradient: times 1 + out * out.
/// NumPy: `numpy.tan`. torch: `torch.tan`. ONNX: Tan.
[[nodiscard]] Tensor tan(const Tensor& x);
extern const Op tan_op;

/// Inverse sines, from -pi / 2 to pi / 2: `out[i] = asin(x[i])`.
///
/// Of floating-point numbers. Within 2 ulp; NaN beyond -1 and 1.
///
/// Shape: that of x. Throws DtypeError.
///
/// Group: compute.
/// Cost: one pass with all that moves and computes its operands and its result.
/// Gradient: over sqrt(1 - x * x).
/// NumPy: `numpy.arcsin`. torch: `torch.asin`. ONNX: Asin.
[[nodiscard]] Tensor asin(const Tensor& x);
extern const Op asin_op;

/// Inverse cosines, from 0 to pi: `out[i] = acos(x[i])`.
///
/// Of floating-point numbers. Within 2 ulp; NaN beyond -1 and 1.
///
/// Shape: that of x. Throws DtypeError.
///
/// Group: compute.
/// Cost: one pass with all that moves and computes its operands and its result.
/// Gradient: over -sqrt(1 - x * x).
/// NumPy: `numpy.arccos`. torch: `torch.acos`. ONNX: Acos.
[[nodiscard]] Tensor acos(const Tensor& x);
extern const Op acos_op;

/// Inverse tangents, from -pi / 2 to pi / 2: `out[i] = atan(x[i])`.
///
/// Of floating-point numbers. Within 2 ulp.
///
/// Shape: that of x. Throws DtypeError.
///
/// Group: compute.
/// Cost: one pass with all that moves and computes its operands and its result.
/// Gradient: over 1 + x * x.
/// NumPy: `numpy.arctan`. torch: `torch.atan`. ONNX: Atan.
[[nodiscard]] Tensor atan(const Tensor& x);
extern const Op atan_op;

/// Angles of points whose height is x and whose width is y, from -pi to pi: `out[i] = atan2(x[i],
/// y[i])`.
///
/// Of floating-point numbers. The signs of zeros count, as in C; within 2 ulp.
///
/// Shape: the broadcast one. Throws DtypeError, ShapeError; ParameterError (bad_value) for a number
/// beyond the range of the tensor's type.
///
/// Group: compute.
/// Cost: one pass with all that moves and computes its operands and its result.
/// Gradient: to x times y / (x * x + y * y); to y times -x / (x * x + y * y).
/// NumPy: `numpy.arctan2`. torch: `torch.atan2`. ONNX: none.
[[nodiscard]] Tensor atan2(const Tensor& x, const Tensor& y);
[[nodiscard]] Tensor atan2(const Tensor& x, const Scalar& y);
[[nodiscard]] Tensor atan2(const Scalar& x, const Tensor& y);
extern const Op atan2_op;

}  // namespace weft

// SPDX-License-Identifier: Apache-2.0
// Powers and roots.
#pragma once

#include <weft/graph/tensor.h>
#include <weft/ops/create/scalar.h>

namespace weft {

/// Raises to a power: `out[i] = x[i] ^ y[i]`.
///
/// Of integers and floating-point numbers. Integers wrap; to a power below 0 they are 1 of 1, 1 or
/// -1 of -1, else 0. Floating-point numbers are within 2 ulp.
///
/// Shape: the broadcast one. Throws DtypeError, ShapeError; ParameterError (bad_value) for a number
/// beyond the range of the tensor's type.
///
/// Group: compute.
/// Cost: one pass with all that moves and computes its operands and its result.
/// Gradient: to x times y * pow(x, y - 1); to y times out * log(x).
/// NumPy: `numpy.power`. torch: `torch.pow`. ONNX: Pow.
[[nodiscard]] Tensor pow(const Tensor& x, const Tensor& y);
[[nodiscard]] Tensor pow(const Tensor& x, const Scalar& y);
[[nodiscard]] Tensor pow(const Scalar& x, const Tensor& y);
extern const Op pow_op;

/// Square roots: `out[i] = sqrt(x[i])`.
///
/// Of floating-point numbers. NaN below 0.
///
/// Shape: that of x. Throws DtypeError.
///
/// Group: compute.
/// Cost: one pass with all that moves and computes its operands and its result.
/// Gradient: over 2 out.
/// NumPy: `numpy.sqrt`. torch: `torch.sqrt`. ONNX: Sqrt.
[[nodiscard]] Tensor sqrt(const Tensor& x);
extern const Op sqrt_op;

/// One over square roots: `out[i] = 1 / sqrt(x[i])`.
///
/// Of floating-point numbers. Within 1.5 ulp.
///
/// Shape: that of x. Throws DtypeError.
///
/// Group: compute.
/// Cost: one pass with all that moves and computes its operands and its result.
/// Gradient: times -out / (2 x).
/// NumPy: none. torch: `torch.rsqrt`. ONNX: none.
[[nodiscard]] Tensor rsqrt(const Tensor& x);
extern const Op rsqrt_op;

/// Cube roots: `out[i] = x[i] ^ (1 / 3)`.
///
/// Of floating-point numbers. Of negative numbers too; within 2 ulp.
///
/// Shape: that of x. Throws DtypeError.
///
/// Group: compute.
/// Cost: one pass with all that moves and computes its operands and its result.
/// Gradient: over 3 out * out.
/// NumPy: `numpy.cbrt`. torch: none. ONNX: none.
[[nodiscard]] Tensor cbrt(const Tensor& x);
extern const Op cbrt_op;

/// The third side of a right-angled triangle: `out[i] = sqrt(x[i] * x[i] + y[i] * y[i])`.
///
/// Of floating-point numbers. Without overflow on the way; infinite where either is; within 2 ulp.
///
/// Shape: the broadcast one. Throws DtypeError, ShapeError; ParameterError (bad_value) for a number
/// beyond the range of the tensor's type.
///
/// Group: compute.
/// Cost: one pass with all that moves and computes its operands and its result.
/// Gradient: to x times x / out; to y times y / out.
/// NumPy: `numpy.hypot`. torch: `torch.hypot`. ONNX: none.
[[nodiscard]] Tensor hypot(const Tensor& x, const Tensor& y);
[[nodiscard]] Tensor hypot(const Tensor& x, const Scalar& y);
[[nodiscard]] Tensor hypot(const Scalar& x, const Tensor& y);
extern const Op hypot_op;

}  // namespace weft

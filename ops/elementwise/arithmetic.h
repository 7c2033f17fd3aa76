// SPDX-License-Identifier: Apache-2.0
// Arithmetic: sums, differences, products, and what is near to them.
#pragma once

#include <weft/graph/tensor.h>
#include <weft/ops/create/scalar.h>

namespace weft {

/// Adds elements: `out[i] = x[i] + y[i]`.
///
/// Of integers, floating-point and complex numbers. Types that meet in one kind become the one that
/// holds both; integers wrap.
///
/// Shape: the broadcast one. Throws DtypeError, ShapeError; ParameterError (bad_value) for a number
/// beyond the range of the tensor's type.
///
/// Group: compute.
/// Cost: one pass with all that moves and computes its operands and its result.
/// Gradient: to both, summed to their shapes.
/// NumPy: `numpy.add`. torch: `torch.add`. ONNX: Add.
[[nodiscard]] Tensor add(const Tensor& x, const Tensor& y);
[[nodiscard]] Tensor add(const Tensor& x, const Scalar& y);
[[nodiscard]] Tensor add(const Scalar& x, const Tensor& y);
extern const Op add_op;

/// Subtracts elements: `out[i] = x[i] - y[i]`.
///
/// Of integers, floating-point and complex numbers. Integers wrap, unsigned ones too.
///
/// Shape: the broadcast one. Throws DtypeError, ShapeError; ParameterError (bad_value) for a number
/// beyond the range of the tensor's type.
///
/// Group: compute.
/// Cost: one pass with all that moves and computes its operands and its result.
/// Gradient: to x, and its negative to y.
/// NumPy: `numpy.subtract`. torch: `torch.sub`. ONNX: Sub.
[[nodiscard]] Tensor subtract(const Tensor& x, const Tensor& y);
[[nodiscard]] Tensor subtract(const Tensor& x, const Scalar& y);
[[nodiscard]] Tensor subtract(const Scalar& x, const Tensor& y);
extern const Op subtract_op;

/// Multiplies elements: `out[i] = x[i] * y[i]`.
///
/// Of integers, floating-point and complex numbers. Integers wrap. `x * y + z` is rounded twice.
///
/// Shape: the broadcast one. Throws DtypeError, ShapeError; ParameterError (bad_value) for a number
/// beyond the range of the tensor's type.
///
/// Group: compute.
/// Cost: one pass with all that moves and computes its operands and its result.
/// Gradient: to each, times the other.
/// NumPy: `numpy.multiply`. torch: `torch.mul`. ONNX: Mul.
[[nodiscard]] Tensor multiply(const Tensor& x, const Tensor& y);
[[nodiscard]] Tensor multiply(const Tensor& x, const Scalar& y);
[[nodiscard]] Tensor multiply(const Scalar& x, const Tensor& y);
extern const Op multiply_op;

/// Multiplies and adds, rounded once: `out[i] = x[i] * y[i] + z[i]`.
///
/// Of integers and floating-point numbers. Integers wrap. f16 and bf16 are rounded to f32 first.
///
/// Shape: the broadcast one. Throws DtypeError, ShapeError; ParameterError (bad_value) for a number
/// beyond the range of the tensor's type.
///
/// Group: compute.
/// Cost: one pass with all that moves and computes its operands and its result.
/// Gradient: times y to x, times x to y, and to z.
/// NumPy: none. torch: none. ONNX: none.
[[nodiscard]] Tensor fma(const Tensor& x, const Tensor& y, const Tensor& z);
[[nodiscard]] Tensor fma(const Tensor& x, const Scalar& y, const Scalar& z);
[[nodiscard]] Tensor fma(const Tensor& x, const Scalar& y, const Tensor& z);
[[nodiscard]] Tensor fma(const Tensor& x, const Tensor& y, const Scalar& z);
extern const Op fma_op;

/// Changes signs: `out[i] = -x[i]`.
///
/// Of integers, floating-point and complex numbers. Integers wrap: the least one stays as it is.
///
/// Shape: that of x. Throws DtypeError.
///
/// Group: compute.
/// Cost: one pass with all that moves and computes its operands and its result.
/// Gradient: its negative.
/// NumPy: `numpy.negative`. torch: `torch.neg`. ONNX: Neg.
[[nodiscard]] Tensor negative(const Tensor& x);
extern const Op negative_op;

/// Takes elements as they are: `out[i] = x[i]`.
///
/// Of integers, floating-point and complex numbers. It is x itself.
///
/// Shape: that of x. Throws DtypeError.
///
/// Group: compute.
/// Cost: free.
/// Gradient: itself.
/// NumPy: `numpy.positive`. torch: `torch.positive`. ONNX: Identity.
[[nodiscard]] Tensor positive(const Tensor& x);
extern const Op positive_op;

/// Absolute values: `out[i] = |x[i]|`.
///
/// Of integers, floating-point and complex numbers. Integers wrap: the least one stays as it is. Of
/// c64 they are f32, of c128 f64.
///
/// Shape: that of x. Throws DtypeError.
///
/// Group: compute.
/// Cost: one pass with all that moves and computes its operands and its result.
/// Gradient: times the sign of x.
/// NumPy: `numpy.abs`. torch: `torch.abs`. ONNX: Abs.
[[nodiscard]] Tensor abs(const Tensor& x);
extern const Op abs_op;

/// Signs of numbers: `out[i] = x[i] > 0 ? 1 : x[i] < 0 ? -1 : 0`.
///
/// Of integers and floating-point numbers. 0 of both zeros; NaN of NaN.
///
/// Shape: that of x. Throws DtypeError.
///
/// Group: compute.
/// Cost: one pass with all that moves and computes its operands and its result.
/// Gradient: none: steps, whose slope is 0.
/// NumPy: `numpy.sign`. torch: `torch.sign`. ONNX: Sign.
[[nodiscard]] Tensor sign(const Tensor& x);
extern const Op sign_op;

/// Multiplies elements by themselves: `out[i] = x[i] * x[i]`.
///
/// Of integers, floating-point and complex numbers. Integers wrap.
///
/// Shape: that of x. Throws DtypeError.
///
/// Group: compute.
/// Cost: one pass with all that moves and computes its operands and its result.
/// Gradient: times 2 x.
/// NumPy: `numpy.square`. torch: `torch.square`. ONNX: none.
[[nodiscard]] Tensor square(const Tensor& x);
extern const Op square_op;

}  // namespace weft

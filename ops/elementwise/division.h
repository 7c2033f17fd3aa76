// SPDX-License-Identifier: Apache-2.0
// Division, and what is left by it.
#pragma once

#include <weft/graph/tensor.h>
#include <weft/ops/create/scalar.h>

namespace weft {

/// Divides elements: `out[i] = x[i] / y[i]`.
///
/// Of floating-point and complex numbers. By 0 it is infinite, or NaN, of floating-point numbers.
/// Integers are refused: floor_divide, or a cast.
///
/// Shape: the broadcast one. Throws DtypeError, ShapeError; ParameterError (bad_value) for a number
/// beyond the range of the tensor's type.
///
/// Group: compute.
/// Cost: one pass with all that moves and computes its operands and its result.
/// Gradient: to x over y; to y times -out / y.
/// NumPy: `numpy.divide`. torch: `torch.div`. ONNX: Div.
[[nodiscard]] Tensor divide(const Tensor& x, const Tensor& y);
[[nodiscard]] Tensor divide(const Tensor& x, const Scalar& y);
[[nodiscard]] Tensor divide(const Scalar& x, const Tensor& y);
extern const Op divide_op;

/// Divides, towards minus infinity: `out[i] = floor(x[i] / y[i])`.
///
/// Of integers and floating-point numbers. Integers by 0 are 0; the least one by -1 is itself. Of
/// floating-point numbers it is what NumPy makes of them: `(x - remainder(x, y)) / y`, rounded to a
/// whole number.
///
/// Shape: the broadcast one. Throws DtypeError, ShapeError; ParameterError (bad_value) for a number
/// beyond the range of the tensor's type.
///
/// Group: compute.
/// Cost: one pass with all that moves and computes its operands and its result.
/// Gradient: none: steps, whose slope is 0.
/// NumPy: `numpy.floor_divide`. torch: `torch.floor_divide`. ONNX: none.
[[nodiscard]] Tensor floor_divide(const Tensor& x, const Tensor& y);
[[nodiscard]] Tensor floor_divide(const Tensor& x, const Scalar& y);
[[nodiscard]] Tensor floor_divide(const Scalar& x, const Tensor& y);
extern const Op floor_divide_op;

/// What is left by floor_divide: `out[i] = x[i] - floor(x[i] / y[i]) * y[i]`.
///
/// Of integers and floating-point numbers. It has the sign of y. Integers by 0 leave 0;
/// floating-point numbers by 0 NaN, by an infinity of the other sign that infinity.
///
/// Shape: the broadcast one. Throws DtypeError, ShapeError; ParameterError (bad_value) for a number
/// beyond the range of the tensor's type.
///
/// Group: compute.
/// Cost: one pass with all that moves and computes its operands and its result.
/// Gradient: to x; to y times -floor_divide(x, y).
/// NumPy: `numpy.remainder`. torch: `torch.remainder`. ONNX: Mod.
[[nodiscard]] Tensor remainder(const Tensor& x, const Tensor& y);
[[nodiscard]] Tensor remainder(const Tensor& x, const Scalar& y);
[[nodiscard]] Tensor remainder(const Scalar& x, const Tensor& y);
extern const Op remainder_op;

/// Inverts elements: `out[i] = 1 / x[i]`.
///
/// Of floating-point numbers.
///
/// Shape: that of x. Throws DtypeError.
///
/// Group: compute.
/// Cost: one pass with all that moves and computes its operands and its result.
/// Gradient: times -out * out.
/// NumPy: `numpy.reciprocal`. torch: `torch.reciprocal`. ONNX: Reciprocal.
[[nodiscard]] Tensor reciprocal(const Tensor& x);
extern const Op reciprocal_op;

}  // namespace weft

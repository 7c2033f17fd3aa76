// SPDX-License-Identifier: Apache-2.0
// Comparisons, which make bool.
#pragma once

#include <weft/graph/tensor.h>
#include <weft/ops/create/scalar.h>

namespace weft {

/// Whether elements are equal: `out[i] = x[i] == y[i]`.
///
/// Of numbers of any kind and bool. False where either is NaN; -0 equals +0.
///
/// Shape: the broadcast one. Throws DtypeError, ShapeError; ParameterError (bad_value) for a number
/// beyond the range of the tensor's type.
///
/// Group: compute.
/// Cost: one pass with all that moves and computes its operands and its result.
/// Gradient: none: bool.
/// NumPy: `numpy.equal`. torch: `torch.eq`. ONNX: Equal.
[[nodiscard]] Tensor equal(const Tensor& x, const Tensor& y);
[[nodiscard]] Tensor equal(const Tensor& x, const Scalar& y);
[[nodiscard]] Tensor equal(const Scalar& x, const Tensor& y);
extern const Op equal_op;

/// Whether elements differ: `out[i] = x[i] != y[i]`.
///
/// Of numbers of any kind and bool. True where either is NaN; -0 equals +0.
///
/// Shape: the broadcast one. Throws DtypeError, ShapeError; ParameterError (bad_value) for a number
/// beyond the range of the tensor's type.
///
/// Group: compute.
/// Cost: one pass with all that moves and computes its operands and its result.
/// Gradient: none: bool.
/// NumPy: `numpy.not_equal`. torch: `torch.ne`. ONNX: none.
[[nodiscard]] Tensor not_equal(const Tensor& x, const Tensor& y);
[[nodiscard]] Tensor not_equal(const Tensor& x, const Scalar& y);
[[nodiscard]] Tensor not_equal(const Scalar& x, const Tensor& y);
extern const Op not_equal_op;

/// Whether elements of x are below those of y: `out[i] = x[i] < y[i]`.
///
/// Of integers and floating-point numbers. False where either is NaN.
///
/// Shape: the broadcast one. Throws DtypeError, ShapeError; ParameterError (bad_value) for a number
/// beyond the range of the tensor's type.
///
/// Group: compute.
/// Cost: one pass with all that moves and computes its operands and its result.
/// Gradient: none: bool.
/// NumPy: `numpy.less`. torch: `torch.less`. ONNX: Less.
[[nodiscard]] Tensor less(const Tensor& x, const Tensor& y);
[[nodiscard]] Tensor less(const Tensor& x, const Scalar& y);
[[nodiscard]] Tensor less(const Scalar& x, const Tensor& y);
extern const Op less_op;

/// Whether elements of x are not above those of y: `out[i] = x[i] <= y[i]`.
///
/// Of integers and floating-point numbers. False where either is NaN.
///
/// Shape: the broadcast one. Throws DtypeError, ShapeError; ParameterError (bad_value) for a number
/// beyond the range of the tensor's type.
///
/// Group: compute.
/// Cost: one pass with all that moves and computes its operands and its result.
/// Gradient: none: bool.
/// NumPy: `numpy.less_equal`. torch: `torch.less_equal`. ONNX: LessOrEqual.
[[nodiscard]] Tensor less_equal(const Tensor& x, const Tensor& y);
[[nodiscard]] Tensor less_equal(const Tensor& x, const Scalar& y);
[[nodiscard]] Tensor less_equal(const Scalar& x, const Tensor& y);
extern const Op less_equal_op;

/// Whether elements of x are above those of y: `out[i] = x[i] > y[i]`.
///
/// Of integers and floating-point numbers. False where either is NaN.
///
/// Shape: the broadcast one. Throws DtypeError, ShapeError; ParameterError (bad_value) for a number
/// beyond the range of the tensor's type.
///
/// Group: compute.
/// Cost: one pass with all that moves and computes its operands and its result.
/// Gradient: none: bool.
/// NumPy: `numpy.greater`. torch: `torch.greater`. ONNX: Greater.
[[nodiscard]] Tensor greater(const Tensor& x, const Tensor& y);
[[nodiscard]] Tensor greater(const Tensor& x, const Scalar& y);
[[nodiscard]] Tensor greater(const Scalar& x, const Tensor& y);
extern const Op greater_op;

/// Whether elements of x are not below those of y: `out[i] = x[i] >= y[i]`.
///
/// Of integers and floating-point numbers. False where either is NaN.
///
/// Shape: the broadcast one. Throws DtypeError, ShapeError; ParameterError (bad_value) for a number
/// beyond the range of the tensor's type.
///
/// Group: compute.
/// Cost: one pass with all that moves and computes its operands and its result.
/// Gradient: none: bool.
/// NumPy: `numpy.greater_equal`. torch: `torch.greater_equal`. ONNX: GreaterOrEqual.
[[nodiscard]] Tensor greater_equal(const Tensor& x, const Tensor& y);
[[nodiscard]] Tensor greater_equal(const Tensor& x, const Scalar& y);
[[nodiscard]] Tensor greater_equal(const Scalar& x, const Tensor& y);
extern const Op greater_equal_op;

}  // namespace weft

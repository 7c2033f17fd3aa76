// SPDX-License-Identifier: Apache-2.0
// Logic of each bit, and shifts.
#pragma once

#include <weft/graph/tensor.h>
#include <weft/ops/create/scalar.h>

namespace weft {

/// Bits that both have: `out[i] = x[i] & y[i]`.
///
/// Of integers and bool.
///
/// Shape: the broadcast one. Throws DtypeError, ShapeError; ParameterError (bad_value) for a number
/// beyond the range of the tensor's type.
///
/// Group: compute.
/// Cost: one pass with all that moves and computes its operands and its result.
/// Gradient: none: no floating-point numbers.
/// NumPy: `numpy.bitwise_and`. torch: `torch.bitwise_and`. ONNX: BitwiseAnd.
[[nodiscard]] Tensor bitwise_and(const Tensor& x, const Tensor& y);
[[nodiscard]] Tensor bitwise_and(const Tensor& x, const Scalar& y);
[[nodiscard]] Tensor bitwise_and(const Scalar& x, const Tensor& y);
extern const Op bitwise_and_op;

/// Bits that either has: `out[i] = x[i] | y[i]`.
///
/// Of integers and bool.
///
/// Shape: the broadcast one. Throws DtypeError, ShapeError; ParameterError (bad_value) for a number
/// beyond the range of the tensor's type.
///
/// Group: compute.
/// Cost: one pass with all that moves and computes its operands and its result.
/// Gradient: none: no floating-point numbers.
/// NumPy: `numpy.bitwise_or`. torch: `torch.bitwise_or`. ONNX: BitwiseOr.
[[nodiscard]] Tensor bitwise_or(const Tensor& x, const Tensor& y);
[[nodiscard]] Tensor bitwise_or(const Tensor& x, const Scalar& y);
[[nodiscard]] Tensor bitwise_or(const Scalar& x, const Tensor& y);
extern const Op bitwise_or_op;

/// Bits that one alone has: `out[i] = x[i] ^ y[i]`.
///
/// Of integers and bool.
///
/// Shape: the broadcast one. Throws DtypeError, ShapeError; ParameterError (bad_value) for a number
/// beyond the range of the tensor's type.
///
/// Group: compute.
/// Cost: one pass with all that moves and computes its operands and its result.
/// Gradient: none: no floating-point numbers.
/// NumPy: `numpy.bitwise_xor`. torch: `torch.bitwise_xor`. ONNX: BitwiseXor.
[[nodiscard]] Tensor bitwise_xor(const Tensor& x, const Tensor& y);
[[nodiscard]] Tensor bitwise_xor(const Tensor& x, const Scalar& y);
[[nodiscard]] Tensor bitwise_xor(const Scalar& x, const Tensor& y);
extern const Op bitwise_xor_op;

/// Each bit the other way: `out[i] = ~x[i]`.
///
/// Of integers and bool. Of bool it is logical_not.
///
/// Shape: that of x. Throws DtypeError.
///
/// Group: compute.
/// Cost: one pass with all that moves and computes its operands and its result.
/// Gradient: none: no floating-point numbers.
/// NumPy: `numpy.bitwise_not`. torch: `torch.bitwise_not`. ONNX: BitwiseNot.
[[nodiscard]] Tensor bitwise_invert(const Tensor& x);
extern const Op bitwise_invert_op;

/// Shifts bits to the left: `out[i] = x[i] << y[i]`.
///
/// Of integers. By the width of the type or more, or by less than 0, it is 0.
///
/// Shape: the broadcast one. Throws DtypeError, ShapeError; ParameterError (bad_value) for a number
/// beyond the range of the tensor's type.
///
/// Group: compute.
/// Cost: one pass with all that moves and computes its operands and its result.
/// Gradient: none: no floating-point numbers.
/// NumPy: `numpy.left_shift`. torch: `torch.bitwise_left_shift`. ONNX: BitShift.
[[nodiscard]] Tensor bitwise_left_shift(const Tensor& x, const Tensor& y);
[[nodiscard]] Tensor bitwise_left_shift(const Tensor& x, const Scalar& y);
[[nodiscard]] Tensor bitwise_left_shift(const Scalar& x, const Tensor& y);
extern const Op bitwise_left_shift_op;

/// Shifts bits to the right, with the sign: `out[i] = x[i] >> y[i]`.
///
/// Of integers. By the width of the type or more, or by less than 0, it is 0, or -1 of negative
/// numbers.
///
/// Shape: the broadcast one. Throws DtypeError, ShapeError; ParameterError (bad_value) for a number
/// beyond the range of the tensor's type.
///
/// Group: compute.
/// Cost: one pass with all that moves and computes its operands and its result.
/// Gradient: none: no floating-point numbers.
/// NumPy: `numpy.right_shift`. torch: `torch.bitwise_right_shift`. ONNX: BitShift.
[[nodiscard]] Tensor bitwise_right_shift(const Tensor& x, const Tensor& y);
[[nodiscard]] Tensor bitwise_right_shift(const Tensor& x, const Scalar& y);
[[nodiscard]] Tensor bitwise_right_shift(const Scalar& x, const Tensor& y);
extern const Op bitwise_right_shift_op;

}  // namespace weft

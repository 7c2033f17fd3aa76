// SPDX-License-Identifier: Apache-2.0
// where: elements of one tensor or another, by a mask.
#pragma once

#include <weft/graph/tensor.h>
#include <weft/ops/create/scalar.h>

namespace weft {

/// Takes each element from `x` where the condition holds and from `y` elsewhere:
/// `out[i] = condition[i] ? x[i] : y[i]`.
///
/// `condition` is bool. The three are broadcast to one shape, by NumPy's rules; that costs nothing.
///
/// Shape: the broadcast one. Throws DtypeError, ParameterError (bad_rank), ShapeError,
/// OverflowError.
///
/// Group: pick.
/// Cost: one pass with all that moves its operands and its result; stored where several ask for it.
/// Gradient: goes to x where the condition holds, to y elsewhere.
/// NumPy: `numpy.where`. torch: `torch.where`. ONNX: Where.
[[nodiscard]] Tensor where(const Tensor& condition, const Tensor& x, const Tensor& y);

/// The same where one of the two is a number, which becomes an element of the other's type
/// (DtypeError where that cannot hold it).
[[nodiscard]] Tensor where(const Tensor& condition, const Tensor& x, const Scalar& y);
[[nodiscard]] Tensor where(const Tensor& condition, const Scalar& x, const Tensor& y);

/// The same of two numbers of one type, which is that of the result.
template <Arithmetic T>
[[nodiscard]] Tensor where(const Tensor& condition, T x, T y) {
  return where(condition, Scalar(x).as(dtype_of<T>, "where"), Scalar(y).as(dtype_of<T>, "where"));
}

extern const Op where_op;

}  // namespace weft

// SPDX-License-Identifier: Apache-2.0
// Arithmetic: sums, differences, products, and what is near to them.
#pragma once

#include <weft/graph/tensor.h>
#include <weft/ops/create/scalar.h>

namespace weft {

/// Adds elements: `out[i] = x[i] + y[i]`.
///
/// Types that meet in one kind become the one that holds both; integers wrap; operands are
/// broadcast.
///
/// Shape: the broadcast one. Throws DtypeError, ShapeError; ParameterError for a number beyond the
/// range of the other's type.
///
/// Group: compute.
/// Cost: one pass with all that moves and computes its operands and its result.
/// Gradient: to both, summed to their shapes.
/// NumPy: `numpy.add`. torch: `torch.add`. ONNX: Add.
[[nodiscard]] Tensor add(const Tensor& x, const Tensor& y);
[[nodiscard]] Tensor add(const Tensor& x, const Scalar& y);
[[nodiscard]] Tensor add(const Scalar& x, const Tensor& y);
extern const Op add_op;

/// Multiplies elements: `out[i] = x[i] * y[i]`.
///
/// Types, shape and errors are those of add; integers wrap.
///
/// Group: compute.
/// Cost: one pass with all that moves and computes its operands and its result.
/// Gradient: to each, times the other.
/// NumPy: `numpy.multiply`. torch: `torch.mul`. ONNX: Mul.
[[nodiscard]] Tensor multiply(const Tensor& x, const Tensor& y);
[[nodiscard]] Tensor multiply(const Tensor& x, const Scalar& y);
[[nodiscard]] Tensor multiply(const Scalar& x, const Tensor& y);
extern const Op multiply_op;

}  // namespace weft

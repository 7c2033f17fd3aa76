// SPDX-License-Identifier: Apache-2.0
// The smaller and the larger ones, and values kept within limits.
#pragma once

#include <weft/graph/tensor.h>
#include <weft/ops/create/scalar.h>

namespace weft {

/// The smaller ones of two: `out[i] = min(x[i], y[i])`.
///
/// Of integers and floating-point numbers. NaN where either is NaN; either zero where they are -0
/// and +0.
///
/// Shape: the broadcast one. Throws DtypeError, ShapeError; ParameterError (bad_value) for a number
/// beyond the range of the tensor's type.
///
/// Group: compute.
/// Cost: one pass with all that moves and computes its operands and its result.
/// Gradient: to the smaller one; half to each of equal ones.
/// NumPy: `numpy.minimum`. torch: `torch.minimum`. ONNX: Min.
[[nodiscard]] Tensor minimum(const Tensor& x, const Tensor& y);
[[nodiscard]] Tensor minimum(const Tensor& x, const Scalar& y);
[[nodiscard]] Tensor minimum(const Scalar& x, const Tensor& y);
extern const Op minimum_op;

/// The larger ones of two: `out[i] = max(x[i], y[i])`.
///
/// Of integers and floating-point numbers. NaN where either is NaN; either zero where they are -0
/// and +0.
///
/// Shape: the broadcast one. Throws DtypeError, ShapeError; ParameterError (bad_value) for a number
/// beyond the range of the tensor's type.
///
/// Group: compute.
/// Cost: one pass with all that moves and computes its operands and its result.
/// Gradient: to the larger one; half to each of equal ones.
/// NumPy: `numpy.maximum`. torch: `torch.maximum`. ONNX: Max.
[[nodiscard]] Tensor maximum(const Tensor& x, const Tensor& y);
[[nodiscard]] Tensor maximum(const Tensor& x, const Scalar& y);
[[nodiscard]] Tensor maximum(const Scalar& x, const Tensor& y);
extern const Op maximum_op;

/// Keeps elements within limits: `out[i] = min(max(x[i], low[i]), high[i])`.
///
/// Of integers and floating-point numbers. `high` where the limits cross; NaN where any of the
/// three is NaN. One limit alone is minimum or maximum.
///
/// Shape: the broadcast one. Throws DtypeError, ShapeError; ParameterError (bad_value) for a number
/// beyond the range of the tensor's type.
///
/// Group: compute.
/// Cost: one pass with all that moves and computes its operands and its result.
/// Gradient: to x within the limits, else to the limit.
/// NumPy: `numpy.clip`. torch: `torch.clamp`. ONNX: Clip.
[[nodiscard]] Tensor clip(const Tensor& x, const Tensor& low, const Tensor& high);
[[nodiscard]] Tensor clip(const Tensor& x, const Scalar& low, const Scalar& high);
[[nodiscard]] Tensor clip(const Tensor& x, const Scalar& low, const Tensor& high);
[[nodiscard]] Tensor clip(const Tensor& x, const Tensor& low, const Scalar& high);
extern const Op clip_op;

}  // namespace weft

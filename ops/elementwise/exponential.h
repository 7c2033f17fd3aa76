// SPDX-License-Identifier: Apache-2.0
// Exponentials and logarithms.
#pragma once

#include <weft/graph/tensor.h>

namespace weft {

/// e to the power of elements: `out[i] = e ^ x[i]`.
///
/// Of floating-point numbers. Within 2 ulp.
///
/// Shape: that of x. Throws DtypeError.
///
/// Group: compute.
/// Cost: one pass with all that moves and computes its operands and its result.
/// Gradient: times out.
/// NumPy: `numpy.exp`. torch: `torch.exp`. ONNX: Exp.
[[nodiscard]] Tensor exp(const Tensor& x);
extern const Op exp_op;

/// 2 to the power of elements: `out[i] = 2 ^ x[i]`.
///
/// Of floating-point numbers. Within 2 ulp.
///
/// Shape: that of x. Throws DtypeError.
///
/// Group: compute.
/// Cost: one pass with all that moves and computes its operands and its result.
/// Gradient: times out * log(2).
/// NumPy: `numpy.exp2`. torch: `torch.exp2`. ONNX: none.
[[nodiscard]] Tensor exp2(const Tensor& x);
extern const Op exp2_op;

/// e to the power of elements, less 1: `out[i] = e ^ x[i] - 1`.
///
/// Of floating-point numbers. Near 0 as well within 2 ulp.
///
/// Shape: that of x. Throws DtypeError.
///
/// Group: compute.
/// Cost: one pass with all that moves and computes its operands and its result.
/// Gradient: times out + 1.
/// NumPy: `numpy.expm1`. torch: `torch.expm1`. ONNX: none.
[[nodiscard]] Tensor expm1(const Tensor& x);
extern const Op expm1_op;

/// Natural logarithms: `out[i] = log(x[i])`.
///
/// Of floating-point numbers. Within 2 ulp; minus infinity of 0, NaN below.
///
/// Shape: that of x. Throws DtypeError.
///
/// Group: compute.
/// Cost: one pass with all that moves and computes its operands and its result.
/// Gradient: over x.
/// NumPy: `numpy.log`. torch: `torch.log`. ONNX: Log.
[[nodiscard]] Tensor log(const Tensor& x);
extern const Op log_op;

/// Logarithms to base 2: `out[i] = log(x[i]) / log(2)`.
///
/// Of floating-point numbers. Within 2 ulp; minus infinity of 0, NaN below.
///
/// Shape: that of x. Throws DtypeError.
///
/// Group: compute.
/// Cost: one pass with all that moves and computes its operands and its result.
/// Gradient: over x * log(2).
/// NumPy: `numpy.log2`. torch: `torch.log2`. ONNX: none.
[[nodiscard]] Tensor log2(const Tensor& x);
extern const Op log2_op;

/// Logarithms to base 10: `out[i] = log(x[i]) / log(10)`.
///
/// Of floating-point numbers. Within 2 ulp; minus infinity of 0, NaN below.
///
/// Shape: that of x. Throws DtypeError.
///
/// Group: compute.
/// Cost: one pass with all that moves and computes its operands and its result.
/// Gradient: over x * log(10).
/// NumPy: `numpy.log10`. torch: `torch.log10`. ONNX: none.
[[nodiscard]] Tensor log10(const Tensor& x);
extern const Op log10_op;

/// Natural logarithms of elements and 1: `out[i] = log(1 + x[i])`.
///
/// Of floating-point numbers. Near 0 as well within 2 ulp; minus infinity of -1, NaN below.
///
/// Shape: that of x. Throws DtypeError.
///
/// Group: compute.
/// Cost: one pass with all that moves and computes its operands and its result.
/// Gradient: over 1 + x.
/// NumPy: `numpy.log1p`. torch: `torch.log1p`. ONNX: none.
[[nodiscard]] Tensor log1p(const Tensor& x);
extern const Op log1p_op;

/// Logarithms of sums of exponentials: `out[i] = log(e ^ x[i] + e ^ y[i])`.
///
/// Of floating-point numbers, without overflow on the way. Within 2 ulp, or 1e-17 where it is next
/// to 0. Infinite where the larger one is, of its sign.
///
/// Shape: x and y broadcast to one shape. Throws DtypeError, ShapeError.
///
/// Group: compute.
/// Cost: one pass with all that moves and computes its operands and its result.
/// Gradient: to x times sigmoid(x - y); to y times sigmoid(y - x).
/// NumPy: `numpy.logaddexp`. torch: `torch.logaddexp`. ONNX: none.
[[nodiscard]] Tensor logaddexp(const Tensor& x, const Tensor& y);
[[nodiscard]] Tensor logaddexp(const Tensor& x, const Scalar& y);
[[nodiscard]] Tensor logaddexp(const Scalar& x, const Tensor& y);
extern const Op logaddexp_op;

}  // namespace weft

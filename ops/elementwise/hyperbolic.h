// SPDX-License-Identifier: Apache-2.0
// Hyperbolic functions, and the error function.
#pragma once

#include <weft/graph/tensor.h>

namespace weft {

/// Hyperbolic sines: `out[i] = (e ^ x[i] - e ^ -x[i]) / 2`.
///
/// Of floating-point numbers. Within 2 ulp.
///
/// Shape: that of x. Throws DtypeError.
///
/// Group: compute.
/// Cost: one pass with all that moves and computes its operands and its result.
/// Gradient: times cosh(x).
/// NumPy: `numpy.sinh`. torch: `torch.sinh`. ONNX: Sinh.
[[nodiscard]] Tensor sinh(const Tensor& x);
extern const Op sinh_op;

/// Hyperbolic cosines: `out[i] = (e ^ x[i] + e ^ -x[i]) / 2`.
///
/// Of floating-point numbers. Within 2 ulp.
///
/// Shape: that of x. Throws DtypeError.
///
/// Group: compute.
/// Cost: one pass with all that moves and computes its operands and its result.
/// Gradient: times sinh(x).
/// NumPy: `numpy.cosh`. torch: `torch.cosh`. ONNX: Cosh.
[[nodiscard]] Tensor cosh(const Tensor& x);
extern const Op cosh_op;

/// Hyperbolic tangents: `out[i] = sinh(x[i]) / cosh(x[i])`.
///
/// Of floating-point numbers. Within 2 ulp.
///
/// Shape: that of x. Throws DtypeError.
///
/// Group: compute.
/// Cost: one pass with all that moves and computes its operands and its result.
/// Gradient: times 1 - out * out.
/// NumPy: `numpy.tanh`. torch: `torch.tanh`. ONNX: Tanh.
[[nodiscard]] Tensor tanh(const Tensor& x);
extern const Op tanh_op;

/// The error function: `out[i] = 2 / sqrt(pi) * integral of e ^ (-t * t) from 0 to x[i]`.
///
/// Of floating-point numbers. Within 2 ulp.
///
/// Shape: that of x. Throws DtypeError.
///
/// Group: compute.
/// Cost: one pass with all that moves and computes its operands and its result.
/// Gradient: times 2 / sqrt(pi) * exp(-x * x).
/// NumPy: none. torch: `torch.erf`. ONNX: Erf.
[[nodiscard]] Tensor erf(const Tensor& x);
extern const Op erf_op;

}  // namespace weft

// SPDX-License-Identifier: Apache-2.0
// Activation functions of networks.
#pragma once

#include <weft/graph/tensor.h>

namespace weft {

/// The logistic function: `out[i] = 1 / (1 + e ^ -x[i])`.
///
/// Of floating-point numbers. Within 2 ulp.
///
/// Shape: that of x. Throws DtypeError.
///
/// Group: compute.
/// Cost: one pass with all that moves and computes its operands and its result.
/// Gradient: times out * (1 - out).
/// NumPy: none. torch: `torch.sigmoid`. ONNX: Sigmoid.
[[nodiscard]] Tensor sigmoid(const Tensor& x);
extern const Op sigmoid_op;

/// Elements times their sigmoid: `out[i] = x[i] / (1 + e ^ -x[i])`.
///
/// Of floating-point numbers. Within 3 ulp; zero of minus infinity.
///
/// Shape: that of x. Throws DtypeError.
///
/// Group: compute.
/// Cost: one pass with all that moves and computes its operands and its result.
/// Gradient: times s * (1 + x * (1 - s)), s = sigmoid(x).
/// NumPy: none. torch: `torch.nn.functional.silu`. ONNX: Swish.
[[nodiscard]] Tensor silu(const Tensor& x);
extern const Op silu_op;

/// Elements times the normal distribution's share below them: `out[i] = x[i] / 2 * (1 + erf(x[i] /
/// sqrt(2)))`.
///
/// Of floating-point numbers. Within 4 ulp; zero of minus infinity. Its other form is gelu_tanh.
///
/// Shape: that of x. Throws DtypeError.
///
/// Group: compute.
/// Cost: one pass with all that moves and computes its operands and its result.
/// Gradient: times out / x + x * exp(-x * x / 2) / sqrt(2 pi).
/// NumPy: none. torch: `torch.nn.functional.gelu`. ONNX: Gelu.
[[nodiscard]] Tensor gelu(const Tensor& x);
extern const Op gelu_op;

/// gelu as approximated by tanh: `out[i] = x[i] / 2 * (1 + tanh(sqrt(2 / pi) * (x[i] + 0.044715 *
/// x[i] ^ 3)))`.
///
/// Of floating-point numbers. Within 3 ulp; zero of minus infinity.
///
/// Shape: that of x. Throws DtypeError.
///
/// Group: compute.
/// Cost: one pass with all that moves and computes its operands and its result.
/// Gradient: that of its formula.
/// NumPy: none. torch: `torch.nn.functional.gelu(approximate="tanh")`. ONNX: Gelu.
[[nodiscard]] Tensor gelu_tanh(const Tensor& x);
extern const Op gelu_tanh_op;

/// Elements above 0, and 0 for those below: `out[i] = max(x[i], 0)`.
///
/// Of integers and floating-point numbers. NaN stays NaN.
///
/// Shape: that of x. Throws DtypeError.
///
/// Group: compute.
/// Cost: one pass with all that moves and computes its operands and its result.
/// Gradient: where x > 0.
/// NumPy: none. torch: `torch.relu`. ONNX: Relu.
[[nodiscard]] Tensor relu(const Tensor& x);
extern const Op relu_op;

/// A smooth relu: `out[i] = log(1 + e ^ x[i])`.
///
/// Of floating-point numbers. Within 2 ulp, without overflow on the way.
///
/// Shape: that of x. Throws DtypeError.
///
/// Group: compute.
/// Cost: one pass with all that moves and computes its operands and its result.
/// Gradient: times sigmoid(x).
/// NumPy: none. torch: `torch.nn.functional.softplus`. ONNX: Softplus.
[[nodiscard]] Tensor softplus(const Tensor& x);
extern const Op softplus_op;

}  // namespace weft

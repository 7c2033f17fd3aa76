// SPDX-License-Identifier: Apache-2.0
// stop_gradient: a value that gradients see as a constant.
#pragma once

#include <weft/graph/tensor.h>

namespace weft {

/// `x`, through which no gradient goes: `out[i] = x[i]`. For what is a constant where gradients are
/// taken, and for what was evaluated (ops/gradient/grad.h).
///
/// Group: gradient.
/// Cost: free; over a stored tensor and at the end of a chain an alias.
/// Gradient: none: that is what it is for.
/// NumPy: none. torch: `torch.Tensor.detach`. ONNX: none.
[[nodiscard]] Tensor stop_gradient(const Tensor& x);

extern const Op stop_gradient_op;

}  // namespace weft

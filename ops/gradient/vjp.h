// SPDX-License-Identifier: Apache-2.0
// vjp: a vector times the Jacobian of some tensors.
#pragma once

#include <weft/graph/tensor.h>

namespace weft {

/// The cotangent of each of `xs` where that of `y` is `cotangent`:
/// `out[k][i] = sum over j of cotangent[j] * dy[j] / dxs[k][i]`. As grad() in all else.
///
/// `cotangent` has the shape and the type of y. Throws what grad() throws, and DtypeError and
/// ShapeError where it has not.
///
/// Group: gradient.
/// Cost: free; what is computed by the passes of y is computed again, or stored.
/// Gradient: that of what it is made of.
/// NumPy: none. torch: `torch.autograd.grad`, with grad_outputs. ONNX: Gradient.
[[nodiscard]] Results vjp(const Tensor& y, const Tensors& xs, const Tensor& cotangent);

/// A composition: the only one of `vjp(y, {x}, cotangent)`.
[[nodiscard]] Tensor vjp(const Tensor& y, const Tensor& x, const Tensor& cotangent);

extern const Op vjp_op;

}  // namespace weft

// SPDX-License-Identifier: Apache-2.0
// grad: what each element of some tensors changes in one number.
#pragma once

#include <weft/graph/tensor.h>

namespace weft {

/// The gradients of `y`, which has one element, by each of `xs`: `out[k][i] = dy / dxs[k][i]`.
///
/// Expressions like any other, built by going back through the graph of y: nothing is computed, and
/// they fuse, also with y where both are evaluated at once. Of zeros by what y does not depend on.
/// What is no floating-point number (indices, conditions, positions) is a constant, as is what
/// stop_gradient() says. An x may lie within y: it is seen as a variable then, and what it is made
/// of as well.
///
/// Ask before y, and what it is made of, is evaluated: an expression that has its value forgets
/// what it was made of. One that lies between y and the xs is refused, and named; an x that has its
/// value is a variable of its own, and nothing goes through it.
///
/// Shapes and types: those of xs. Throws ShapeError unless y has one element, DtypeError where y or
/// an x is no floating-point number, ParameterError (no_gradient) where an op on the way has none,
/// EmptyError.
///
/// Group: gradient.
/// Cost: free; what is computed by the passes of y is computed again, or stored.
/// Gradient: that of what it is made of.
/// NumPy: none. torch: `torch.autograd.grad`. ONNX: Gradient.
[[nodiscard]] Results grad(const Tensor& y, const Tensors& xs);

/// A composition: the only one of `grad(y, {x})`.
[[nodiscard]] Tensor grad(const Tensor& y, const Tensor& x);

extern const Op grad_op;

}  // namespace weft

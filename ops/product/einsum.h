// SPDX-License-Identifier: Apache-2.0
// einsum: sums of products of any number of tensors, by a pattern.
#pragma once

#include <string>

#include <weft/graph/tensor.h>

namespace weft {

/// Multiplies tensors along the axes that they share, and adds up along those that the right side
/// of `pattern` lacks: `out[right] = sum of x[left 0] * y[left 1] * ...` over those. So
/// "b i d, b j d -> b i j" are products of each i with each j.
///
/// Names are separated by spaces, operands by commas, as in rearrange(), and none has
/// parentheses. A name that an operand has several times is of its diagonal: "i i ->" is a trace. A
/// 1 is an axis of extent 1, "..." are axes in front that are broadcast to one another. Axes of one
/// name have one extent.
///
/// Two operands are multiplied at a time, in the order of least multiplications of all orders for
/// up to 8 operands, and of the cheapest pair at each step for more; explain() tells each. f16 and
/// bf16 are rounded after each pair. Otherwise as matmul().
///
/// Type: that which types of one kind meet in. Throws ParameterError (bad_pattern, bad_rank,
/// length_mismatch), DtypeError, OverflowError, ShapeError, with a caret under the place.
///
/// Group: product.
/// Cost: that of the products; what is permuted is read where it lies where that is one box.
/// Gradient: einsum of the cotangent with the other operands.
/// NumPy: `numpy.einsum`. torch: `torch.einsum`. ONNX: Einsum.
[[nodiscard]] Tensor einsum(const Tensors& tensors, const std::string& pattern);

extern const Op einsum_op;

}  // namespace weft

// SPDX-License-Identifier: Apache-2.0
// outer: each element of one vector times each of another.
#pragma once

#include <weft/graph/tensor.h>

namespace weft {

/// Multiplies each element of x with each of y: `out[i, j] = x.flat[i] * y.flat[j]`.
///
/// Type: that which types of one kind meet in. Shape: the number of elements of x, and of y. Throws
/// DtypeError, OverflowError.
///
/// Group: product.
/// Cost: a composition of reshape and multiply, which fuses with what is around it.
/// Gradient: matmul of the cotangent with y, and of the cotangent transposed with x.
/// NumPy: `numpy.outer`. torch: `torch.outer`. ONNX: none.
[[nodiscard]] Tensor outer(const Tensor& x, const Tensor& y);

extern const Op outer_op;

}  // namespace weft

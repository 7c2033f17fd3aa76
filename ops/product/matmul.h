// SPDX-License-Identifier: Apache-2.0
// matmul: matrices times matrices.
#pragma once

#include <weft/graph/tensor.h>

namespace weft {

/// Multiplies matrices: `out[..., i, j] = sum over k of x[..., i, k] * y[..., k, j]`.
///
/// The last two axes are those of matrices, the others are broadcast to one another. An operand of
/// rank 1 is one row where it is x, one column where it is y, and its axis goes.
///
/// f16 and bf16 are multiplied as f32 and rounded once, integers wrap. What is rounded, and in
/// which order elements are added, is in docs/products.md: the same bits for any number of threads.
///
/// Type: that which types of one kind meet in. Of nothing: 0. Throws DtypeError, ParameterError
/// (bad_rank), ShapeError.
///
/// Group: product.
/// Cost: the product; operands are read where they lie in one box, else stored first.
/// Gradient: matmul of the cotangent with y transposed, and of x transposed with it.
/// NumPy: `numpy.matmul`. torch: `torch.matmul`. ONNX: MatMul.
[[nodiscard]] Tensor matmul(const Tensor& x, const Tensor& y);

extern const Op matmul_op;

}  // namespace weft

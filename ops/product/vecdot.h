// SPDX-License-Identifier: Apache-2.0
// vecdot: vectors times vectors.
#pragma once

#include <weft/graph/tensor.h>

namespace weft {

/// Multiplies vectors along an axis: `out[...] = sum over k of x[..., k] * y[..., k]`.
///
/// `axis` is that of both operands, counted from the end where it is below 0; the other axes are
/// broadcast to one another. Products are added up as sum() adds, so every machine and any number
/// of threads makes the same bits; f16 and bf16 as f32, rounded once; integers wrap.
///
/// Type: that which types of one kind meet in. Of nothing: 0. Throws DtypeError, ParameterError
/// (bad_rank, length_mismatch), AxisError, ShapeError.
///
/// Group: product.
/// Cost: a composition: one pass over both, where they lie.
/// Gradient: the cotangent times the other operand.
/// NumPy: `numpy.linalg.vecdot`. torch: `torch.linalg.vecdot`. ONNX: none.
[[nodiscard]] Tensor vecdot(const Tensor& x, const Tensor& y, const Ints& axis = -1);

extern const Op vecdot_op;

}  // namespace weft

// SPDX-License-Identifier: Apache-2.0
// tensordot: sums of products along axes of both operands.
#pragma once

#include <weft/graph/tensor.h>

namespace weft {

/// Multiplies along so many axes, or along pairs of them: `out[i, j] = sum over k of x[i, k] *
/// y[k, j]`, where i, j and k stand for several axes each.
///
/// `axes` is a number: the last of x with the first of y, in their order. Or it lists axes of x,
/// and `other_axes` as many of y that they meet. Those that are left follow one another, those of x
/// first.
///
/// Type: that which types of one kind meet in. Of nothing: 0. Throws DtypeError, ParameterError
/// (bad_rank, length_mismatch, bad_value), AxisError, ShapeError.
///
/// Group: product.
/// Cost: that of matmul, of matrices that permuted axes make; what of it is not one box is stored.
/// Gradient: tensordot of the cotangent with the other operand.
/// NumPy: `numpy.tensordot`. torch: `torch.tensordot`. ONNX: none.
[[nodiscard]] Tensor tensordot(const Tensor& x, const Tensor& y, const Ints& axes = 2,
                               const Ints& other_axes = none);

extern const Op tensordot_op;

}  // namespace weft

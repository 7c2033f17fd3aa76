// SPDX-License-Identifier: Apache-2.0
// Sums of exponentials, and what is made with them.
#pragma once

#include <weft/graph/tensor.h>

namespace weft {

/// The logarithm of a sum of exponentials along axes: `out[i] = log(sum over j of exp(x[i, j]))`,
/// without overflow: the largest element is taken off first, and added again.
///
/// `axes` is a scalar or list of any integer type, each axis once; none: all of them, an empty
/// list: none. Those that are reduced go, or stay with extent 1 where `keepdims`. f16 and bf16 are
/// computed as f32 and rounded once.
///
/// Of nothing: -inf. Throws DtypeError for what is no floating-point number, ParameterError
/// (bad_rank), AxisError.
///
/// Group: reduce.
/// Cost: two passes over x.
/// Gradient: softmax of x along the axes.
/// NumPy: `scipy.special.logsumexp`. torch: `torch.logsumexp`. ONNX: ReduceLogSumExp.
[[nodiscard]] Tensor logsumexp(const Tensor& x, const Ints& axes = none, bool keepdims = false);

/// Exponentials that add up to 1 along an axis: `out = exp(x - max) / (sum of exp(x - max))`.
///
/// NaN where all elements along the axis are -inf, or one is inf or NaN. f16 and bf16 are computed
/// as f32 and rounded once.
///
/// Throws DtypeError for what is no floating-point number, ParameterError (bad_rank), AxisError.
///
/// Group: reduce.
/// Cost: some rows at a time, which stay in the cache: read once, written once.
/// Gradient: y * (g - sum of g * y).
/// NumPy: `scipy.special.softmax`. torch: `torch.softmax`. ONNX: Softmax.
[[nodiscard]] Tensor softmax(const Tensor& x, const Ints& axis = -1);

/// The logarithm of softmax: `out = x - max - log(sum of exp(x - max))`.
///
/// As softmax.
///
/// Group: reduce.
/// Cost: as softmax.
/// Gradient: g - exp(y) * sum of g.
/// NumPy: `scipy.special.log_softmax`. torch: `torch.log_softmax`. ONNX: LogSoftmax.
[[nodiscard]] Tensor log_softmax(const Tensor& x, const Ints& axis = -1);

extern const Op logsumexp_op;
extern const Op softmax_op;
extern const Op log_softmax_op;

}  // namespace weft

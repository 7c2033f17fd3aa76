// SPDX-License-Identifier: Apache-2.0
// Sums and products of all elements up to each.
#pragma once

#include <weft/graph/tensor.h>

namespace weft {

/// Adds up, along an axis, the elements up to each: `out[i] = x[0] + ... + x[i]`.
///
/// `axis` is a scalar of any integer type; none: the only one there is. Where `include_initial`,
/// what nothing adds up to is in front: `out[0] = 0`, `out[i + 1] = x[0] + ... + x[i]`.
///
/// Elements are added one after the other within chunks of 32,768, and chunks one after the other,
/// so that every machine and any number of threads makes the same bits. f16 and bf16 are added as
/// f32 and each result is rounded once; integers wrap.
///
/// Type: i64 of bool and signed integers, u64 of unsigned ones, floating-point numbers their own.
/// Throws DtypeError, ParameterError (bad_rank), AxisError.
///
/// Group: reduce.
/// Cost: one copy, from x stored; two where the axis is longer than a chunk.
/// Gradient: the cumulative sum from the other end.
/// NumPy: `numpy.cumulative_sum`. torch: `torch.cumsum`. ONNX: CumSum.
[[nodiscard]] Tensor cumulative_sum(const Tensor& x, const Ints& axis = none,
                                    bool include_initial = false);

/// Multiplies, along an axis, the elements up to each: `out[i] = x[0] * ... * x[i]`.
///
/// As cumulative_sum; nothing makes 1.
///
/// Group: reduce.
/// Cost: one copy, from x stored; two where the axis is longer than a chunk.
/// Gradient: sums from the other end of what it was multiplied with.
/// NumPy: `numpy.cumulative_prod`. torch: `torch.cumprod`. ONNX: none.
[[nodiscard]] Tensor cumulative_prod(const Tensor& x, const Ints& axis = none,
                                     bool include_initial = false);

extern const Op cumulative_sum_op;
extern const Op cumulative_prod_op;

}  // namespace weft

// SPDX-License-Identifier: Apache-2.0
// reduce by a pattern: axes split, reduced, permuted and merged (einops).
#pragma once

#include <string>

#include <weft/graph/tensor.h>
#include <weft/ops/pattern/pattern.h>

namespace weft {

/// Reduces `x` along the axes that `pattern` names on its left side only:
/// `out[right] = reduction of x[left]` over those. So "b c (h 2) (w 2) -> b c h w" with "max" is a
/// pooling of 2 by 2, and "b c h w -> c" with "mean" what batch normalisation takes off.
///
/// Patterns are those of rearrange(), and numbers on the left are axes without a name. What an
/// ellipsis on the left alone stands for is reduced, too.
/// `reduction` is "sum", "prod", "min", "max", "mean", "any" or "all". `reduce(x, pattern, max)` is
/// the same.
///
/// Shape: the products of what the right side merges. Type: that of the reduction. Throws
/// ParameterError (bad_pattern, bad_rank, length_mismatch, bad_reduction), DtypeError,
/// OverflowError, ShapeError, with a caret under the place.
///
/// Group: reduce.
/// Cost: that of the reduction; the rest is free.
/// Gradient: that of the reduction, then rearrange with the sides exchanged.
/// NumPy: `einops.reduce`. torch: `einops.reduce`. ONNX: none.
[[nodiscard]] Tensor reduce_pattern(const Tensor& x, const std::string& pattern,
                                    const std::string& reduction, const AxisSizes& sizes = {});

/// The same with one of the functions that reduce.
[[nodiscard]] Tensor reduce(const Tensor& x, const std::string& pattern, ReduceFunction reduction,
                            const AxisSizes& sizes = {});
[[nodiscard]] Tensor reduce(const Tensor& x, const std::string& pattern,
                            const std::string& reduction, const AxisSizes& sizes = {});

extern const Op reduce_pattern_op;

}  // namespace weft

// SPDX-License-Identifier: Apache-2.0
// repeat by a pattern: axes split, permuted, repeated along new axes and merged (einops).
#pragma once

#include <concepts>
#include <string>
#include <string_view>

#include <weft/graph/tensor.h>
#include <weft/ops/pattern/pattern.h>

namespace weft {

/// Repeats `x` along the axes that `pattern` names on its right side only:
/// `out[right] = x[left]` at all indices of the named axes. So "h w -> (h p) (w q)" with `sizes`
/// {{"p", 2}, {"q", 2}} makes squares of 2 by 2 of every pixel, and "h w -> h w 3" three channels.
///
/// Patterns are those of rearrange(). A new axis is a name whose size is among `sizes`, or a number
/// of 1 or more. `repeat(x, pattern, sizes)` is the same.
///
/// Shape: the products of what the right side merges. Throws ParameterError (bad_pattern, bad_rank,
/// length_mismatch), DtypeError, OverflowError, ShapeError, with a caret under the place.
///
/// Group: grow.
/// Cost: free; a reshape, a transpose, expand_dims, broadcast_to and a reshape, or those of them
/// that do something.
/// Gradient: sum over the new axes, then rearrange with the sides exchanged.
/// NumPy: `einops.repeat`. torch: `einops.repeat`. ONNX: none.
[[nodiscard]] Tensor repeat_pattern(const Tensor& x, const std::string& pattern,
                                    const AxisSizes& sizes = {});

/// Text alone: `repeat(x, 0)` and `repeat(x, {1, 2})` are those of numbers.
template <std::convertible_to<std::string_view> Pattern>
[[nodiscard]] Tensor repeat(const Tensor& x, const Pattern& pattern, const AxisSizes& sizes = {}) {
  return repeat_pattern(x, std::string(pattern), sizes);
}

extern const Op repeat_pattern_op;

}  // namespace weft

// SPDX-License-Identifier: Apache-2.0
// rearrange: axes split, permuted and merged by a pattern of their names (einops).
#pragma once

#include <string>

#include <weft/graph/tensor.h>
#include <weft/ops/pattern/pattern.h>

namespace weft {

/// Splits, permutes and merges axes, as `pattern` names them on both sides of its arrow:
/// `out[right] = x[left]` at all indices of the named axes. So "b (h p) (w q) c -> (b h w) (p q) c"
/// with `sizes` {{"p", 7}, {"q", 7}} cuts images into windows.
///
/// Axes in parentheses are one axis of the tensor, the last fastest. The extent of one of them
/// follows from the others, whose `sizes` are given, 1 or more. `1` and `()` are axes of extent 1;
/// `...` stands for axes that are not named, also in parentheses on the right. Names are of
/// letters, digits and underscores within.
///
/// Shape: the products of what the right side merges. Throws ParameterError (bad_pattern, bad_rank,
/// length_mismatch), DtypeError, OverflowError, ShapeError, with a caret under the place.
///
/// Group: rearrange.
/// Cost: free; a reshape, a transpose and a reshape, or those of them that do something.
/// Gradient: rearrange with the sides exchanged.
/// NumPy: `einops.rearrange`. torch: `einops.rearrange`. ONNX: none.
[[nodiscard]] Tensor rearrange(const Tensor& x, const std::string& pattern,
                               const AxisSizes& sizes = {});

extern const Op rearrange_op;

}  // namespace weft

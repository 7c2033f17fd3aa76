// SPDX-License-Identifier: Apache-2.0
// slice: NumPy slices with start, stop and step.
#pragma once

#include <weft/graph/tensor.h>

namespace weft {

/// Picks `x[start:stop:step]` on each of `axes`: `out[i] = x[start + step * i]`.
///
/// All are lists of any integer type and of one length, no longer than the rank, or numbers for one
/// axis: `x.slice(1, 3)` is `x[1:3]`. `step` none: 1;
/// `axes` none: 0, 1, ... Negative starts and stops count from the end, then everything is clamped;
/// steps are not 0. Rank 0 is refused.
///
/// Throws DtypeError, ParameterError (bad_rank, length_mismatch, zero_step), AxisError.
///
/// Group: pick.
/// Cost: free; never adds a box.
/// Gradient: slice_scatter into zeros.
/// NumPy: slicing, `x[start:stop:step]`. torch: slicing, of steps above 0. ONNX: Slice.
[[nodiscard]] Tensor slice(const Tensor& x, const Ints& start, const Ints& stop,
                           const Ints& step = none, const Ints& axes = none);

extern const Op slice_op;

}  // namespace weft

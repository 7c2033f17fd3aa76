// SPDX-License-Identifier: Apache-2.0
// slice_scatter: a copy with a slice of it replaced (OpenVINO SliceScatter-15).
#pragma once

#include <weft/graph/tensor.h>

namespace weft {

/// Replaces `data[start:stop:step]` on each of `axes` by `updates`:
/// `out = copy(data); out[slices] = updates`.
///
/// Slices are as those of `slice`; `updates` has exactly the slice's shape and the element type of
/// `data`: no broadcasting, no casting. `data` is never changed. Updates that alias `data` are read
/// as they were. Rank 0 is refused.
///
/// Shape: that of `data`. Throws DtypeError, ParameterError (bad_rank, length_mismatch, zero_step),
/// AxisError, ShapeError.
///
/// Group: write.
/// Cost: free; two cuts per sliced axis, one more where it has a step; data that is wholly replaced
/// is never read.
/// Gradient: of data, slice_scatter of zeros; of updates, the slice.
/// NumPy: slice assignment to a copy. torch: `torch.slice_scatter`, of one axis. ONNX: none.
[[nodiscard]] Tensor slice_scatter(const Tensor& data, const Tensor& updates, const Ints& start,
                                   const Ints& stop, const Ints& step = none,
                                   const Ints& axes = none);

/// The same of data that is given up (`cache = std::move(cache).slice_scatter(...)`). Where nobody
/// else holds its value, and weft allocated it, evaluation writes the updates into it and copies
/// nothing: its cost is that of the updates. `data` stays as it was where this throws.
[[nodiscard]] Tensor slice_scatter(Tensor&& data, Tensor updates, const Ints& start,
                                   const Ints& stop, const Ints& step = none,
                                   const Ints& axes = none);

extern const Op slice_scatter_op;

}  // namespace weft

// SPDX-License-Identifier: Apache-2.0
// select_scatter: a copy with what stands at one index of an axis replaced (torch.select_scatter).
#pragma once

#include <weft/graph/tensor.h>

namespace weft {

/// Replaces what stands at `index` of `axis` in `data` by `updates`:
/// `out = copy(data); out[..., index, ...] = updates`.
///
/// `axis` and `index` are numbers of any integer type; negative ones count from the end. `updates`
/// has the shape of `data` without that axis, and its element type: no broadcasting, no casting.
/// `data` is never changed. Rank 0 is refused.
///
/// Shape: that of `data`. Throws DtypeError, ParameterError (bad_rank, length_mismatch), AxisError,
/// IndexError, ShapeError.
///
/// Group: write.
/// Cost: free; two cuts, as slice_scatter.
/// Gradient: of data, select_scatter of zeros; of updates, select.
/// NumPy: slice assignment to a copy. torch: `torch.select_scatter`. ONNX: none.
[[nodiscard]] Tensor select_scatter(const Tensor& data, const Tensor& updates, const Ints& axis,
                                    const Ints& index);

/// The same of data that is given up. Where nobody else holds its value, and weft allocated it,
/// evaluation writes the updates into it and copies nothing. `data` stays as it was where this
/// throws.
[[nodiscard]] Tensor select_scatter(Tensor&& data, Tensor updates, const Ints& axis,
                                    const Ints& index);

extern const Op select_scatter_op;

}  // namespace weft

// SPDX-License-Identifier: Apache-2.0
// chunk: an axis cut into at most so many parts.
#pragma once

#include <vector>

#include <weft/graph/tensor.h>

namespace weft {

/// Cuts an axis into parts of one length, ceil(n / chunks), but for the last, which has what is
/// left: `out[k][..., i, ...] = x[..., k * ceil(n / chunks) + i, ...]`.
///
/// `chunks` and `axis` are one integer each, of any type; a negative axis counts from the end.
/// There may be fewer parts than `chunks`; an extent of 0 makes so many empty ones. The extent is
/// needed, also of an open tensor.
///
/// Throws DtypeError, ParameterError (bad_rank, length_mismatch), AxisError, ShapeError where
/// chunks is below 1, OverflowError for more than most_parts, OpenError.
///
/// Group: pick.
/// Cost: free; never adds a box.
/// Gradient: concat.
/// NumPy: `numpy.array_split`, of other lengths. torch: `torch.chunk`. ONNX: Split.
[[nodiscard]] Results chunk(const Tensor& x, const Ints& chunks, const Ints& axis = 0);

}  // namespace weft

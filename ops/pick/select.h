// SPDX-License-Identifier: Apache-2.0
// select: one index of an axis, which goes.
#pragma once

#include <weft/graph/tensor.h>

namespace weft {

/// Picks one index of an axis and drops the axis: `out[..., ...] = x[..., index, ...]`.
///
/// `axis` and `index` are one integer each, of any type; negative ones count from the end.
///
/// Shape: that of `x` without the axis. Throws DtypeError, ParameterError (bad_rank,
/// length_mismatch), AxisError, IndexError where the index is out of range.
///
/// Group: pick.
/// Cost: free; never adds a box.
/// Gradient: select_scatter into zeros.
/// NumPy: `numpy.take`, of one index. torch: `torch.select`. ONNX: Gather, of one index.
[[nodiscard]] Tensor select(const Tensor& x, const Ints& axis, const Ints& index);

extern const Op select_op;

}  // namespace weft

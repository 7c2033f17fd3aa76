// SPDX-License-Identifier: Apache-2.0
// unstack: the slices along an axis.
#pragma once

#include <vector>

#include <weft/graph/tensor.h>

namespace weft {

/// Every index of an axis, which goes: `out[k][..., ...] = x[..., k, ...]`.
///
/// `axis` is one integer of any type; a negative one counts from the end. The extent is needed,
/// also of an open tensor.
///
/// Shape of each: that of `x` without the axis. Throws DtypeError, ParameterError (bad_rank,
/// length_mismatch), AxisError, OverflowError for more than most_parts, OpenError.
///
/// Group: pick.
/// Cost: free; never adds a box.
/// Gradient: stack.
/// NumPy: `numpy.unstack`. torch: `torch.unbind`. ONNX: SplitToSequence, without keepdims.
[[nodiscard]] Results unstack(const Tensor& x, const Ints& axis = 0);

}  // namespace weft

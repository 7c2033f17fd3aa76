// SPDX-License-Identifier: Apache-2.0
// moveaxis: some axes moved, the others in their order.
#pragma once

#include <weft/graph/tensor.h>

namespace weft {

/// Moves axes to other places; the others keep their order:
/// `out.shape[destination[i]] = x.shape[source[i]]`.
///
/// Both are scalars or lists of any integer type and of one length, each axis once; negative axes
/// count from the end.
///
/// Shape: that of `x` with its extents moved. Throws DtypeError, ParameterError (bad_rank,
/// length_mismatch), AxisError.
///
/// Group: shape.
/// Cost: free; never adds a box.
/// Gradient: moveaxis from destination to source.
/// NumPy: `numpy.moveaxis`. torch: `torch.movedim`. ONNX: Transpose.
[[nodiscard]] Tensor moveaxis(const Tensor& x, const Ints& source, const Ints& destination);

extern const Op moveaxis_op;

}  // namespace weft

// SPDX-License-Identifier: Apache-2.0
// gather_nd: slices at places given by tuples of indices (ONNX GatherND).
#pragma once

#include <weft/graph/tensor.h>

namespace weft {

/// Picks a slice for every tuple along the last axis of `indices`:
/// `out[i, ...] = x[indices[i, 0], ..., indices[i, k - 1], ...]`, where i is an index of all axes
/// but the last.
///
/// `indices` are of any integer type and of shape [..., k] with 1 <= k <= rank of `x`. Below 0 they
/// count from the end. Indices that are stored are checked here, others when the value is computed.
///
/// Shape: that of `indices` without the last axis, then that of `x` from axis k on. Throws
/// DtypeError, ParameterError (bad_rank), ShapeError, OverflowError, IndexError.
///
/// Group: pick.
/// Cost: free; a loop over the tuples in the pass that materialises it.
/// Gradient: a sum over the places that each slice was taken to.
/// NumPy: `x[tuple(numpy.moveaxis(indices, -1, 0))]`. torch: `x[indices.unbind(-1)]`.
/// ONNX: GatherND.
[[nodiscard]] Tensor gather_nd(const Tensor& x, const Tensor& indices);

extern const Op gather_nd_op;

}  // namespace weft

// SPDX-License-Identifier: Apache-2.0
// scatter_nd: slices replaced at places given by tuples of indices (ONNX ScatterND).
#pragma once

#include <string>

#include <weft/graph/tensor.h>

namespace weft {

/// Replaces a slice for every tuple along the last axis of `indices`:
/// `out = copy(data); out[indices[i, 0], ..., indices[i, k - 1], ...] = updates[i, ...]`, where i
/// is an index of all axes but the last.
///
/// `indices` are of any integer type and of shape [..., k] with 1 <= k <= rank of `data`. Below 0
/// they count from the end. Of updates to one place the last stays, always. With a `reduction`
/// ("add", "multiply", "minimum", "maximum") each is combined with what it meets instead, as
/// index_put() does. Indices that are stored are checked here, others when the value is computed.
///
/// `updates` has the shape of `indices` without the last axis, then that of `data` from axis k on.
/// Shape: that of `data`. Throws DtypeError, ParameterError (bad_rank, bad_mode), ShapeError,
/// OverflowError, IndexError.
///
/// Group: write.
/// Cost: a pass of its own, into which `data` is moved like any result, and which reads `updates`
/// where they lie: slices, flips, transposes and broadcasts below them cost no pass, other movement
/// is stored.
/// Gradient: of data, scatter_nd of zeros; of updates, gather_nd, and zeros for those that did not
/// stay; where they are added, of data itself, of updates gather_nd; of extremes shared equally by
/// what is it.
/// NumPy: `out[tuple(numpy.moveaxis(indices, -1, 0))] = updates`.
/// torch: `data.index_put(indices.unbind(-1), updates)`. ONNX: ScatterND.
[[nodiscard]] Tensor scatter_nd(const Tensor& data, const Tensor& indices, const Tensor& updates,
                                const std::string& reduction = "none");

extern const Op scatter_nd_op;

}  // namespace weft

// SPDX-License-Identifier: Apache-2.0
// scatter_elements: every update to an index of its own (ONNX ScatterElements).
#pragma once

#include <string>

#include <weft/graph/tensor.h>

namespace weft {

/// Replaces elements along one axis, for every place on the others anew:
/// `out = copy(data); out[..., indices[..., j, ...], ...] = updates[..., j, ...]`.
///
/// `indices` are of any integer type, of the shape of `updates` and of the rank of `data`; their
/// extents beside `axis` are at most those of `data`. Below 0 they count from the end. Of updates
/// to one place the last along `axis` stays, always. With a `reduction` ("add", "multiply",
/// "minimum", "maximum") each is combined with what it meets instead, as index_put() does. Indices
/// that are stored are checked here, others when the value is computed.
///
/// Shape: that of `data`. Throws DtypeError, ParameterError (bad_rank, bad_mode), AxisError,
/// ShapeError, IndexError.
///
/// Group: write.
/// Cost: a pass of its own, into which `data` is moved like any result, and which reads `updates`
/// where they lie: slices, flips, transposes and broadcasts below them cost no pass, other movement
/// is stored.
/// Gradient: of data, scatter_elements of zeros; of updates, gather_elements, and zeros for those
/// that did not stay; where they are added, of data itself, of updates gather_elements; of extremes
/// shared equally by what is it.
/// NumPy: `numpy.put_along_axis`. torch: `torch.scatter`, `torch.scatter_reduce`.
/// ONNX: ScatterElements.
[[nodiscard]] Tensor scatter_elements(const Tensor& data, const Tensor& indices,
                                      const Tensor& updates, const Ints& axis,
                                      const std::string& reduction = "none");

extern const Op scatter_elements_op;

}  // namespace weft

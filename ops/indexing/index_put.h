// SPDX-License-Identifier: Apache-2.0
// index_put: positions of an axis replaced, by index.
#pragma once

#include <string>

#include <weft/graph/tensor.h>

namespace weft {

/// Replaces positions of one axis:
/// `out = copy(data); out[..., indices[j], ...] = updates[..., j, ...]`.
///
/// `indices` are a list of any integer type; below 0 they count from the end. Of updates to one
/// position the last stays, always. With a `reduction` ("add", "multiply", "minimum", "maximum")
/// each update is combined with what it meets instead, one after another, as by the ufunc of that
/// name (`numpy.add.at`): the same bits for any number of threads. `updates` has the element type
/// and shape of `data`, but as many positions on `axis` as there are indices. Indices that are
/// stored are checked here, others when the value is computed.
///
/// Shape: that of `data`. Throws DtypeError, ParameterError (bad_rank, bad_mode), AxisError,
/// ShapeError, IndexError.
///
/// Group: write.
/// Cost: free; data, and over it a loop over the indices. With a reduction a pass of its own, as
/// that of scatter_nd.
/// Gradient: of data, index_put of zeros; of updates, take, and zeros for those that did not stay;
/// where they are added, of data itself, of updates take; of extremes shared equally by what is it.
/// NumPy: `out[indices] = updates`, on axis 0, or `numpy.add.at`. torch: `torch.index_copy`,
/// `torch.index_add`.
/// ONNX: ScatterND, on axis 0.
[[nodiscard]] Tensor index_put(const Tensor& data, const Tensor& indices, const Tensor& updates,
                               const Ints& axis = 0, const std::string& reduction = "none");
/// The same with the indices as a list.
[[nodiscard]] Tensor index_put(const Tensor& data, const Ints& indices, const Tensor& updates,
                               const Ints& axis = 0, const std::string& reduction = "none");
/// The same of data that is given up, as slice_scatter does it: where nobody else holds its value,
/// weft allocated it and there is no reduction, evaluation writes the updates into it and copies
/// nothing.
[[nodiscard]] Tensor index_put(Tensor&& data, const Tensor& indices, Tensor updates,
                               const Ints& axis = 0, const std::string& reduction = "none");
[[nodiscard]] Tensor index_put(Tensor&& data, const Ints& indices, Tensor updates,
                               const Ints& axis = 0, const std::string& reduction = "none");

extern const Op index_put_op;

}  // namespace weft

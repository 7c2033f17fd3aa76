// SPDX-License-Identifier: Apache-2.0
// take: elements along an axis, by index (numpy.take, ONNX Gather).
#pragma once

#include <weft/graph/tensor.h>

namespace weft {

/// Picks positions of one axis: `out[..., j, ...] = x[..., indices[j], ...]`.
///
/// `indices` are of any integer type and shape; the result has their axes in the place of `axis`.
/// Below 0 they count from the end. `axis` none: `x` is read flat. Indices that are stored are
/// checked here, others when the value is computed.
///
/// Throws DtypeError, AxisError, ParameterError (bad_rank), OverflowError, IndexError.
///
/// Group: pick.
/// Cost: free; a loop over the indices in the pass that materialises it.
/// Gradient: a sum over the places that each element was taken to.
/// NumPy: `numpy.take`. torch: `torch.index_select`, by a list. ONNX: Gather.
[[nodiscard]] Tensor take(const Tensor& x, const Tensor& indices, const Ints& axis = none);
/// The same with the indices as a list or a scalar.
[[nodiscard]] Tensor take(const Tensor& x, const Ints& indices, const Ints& axis = none);

extern const Op take_op;

}  // namespace weft

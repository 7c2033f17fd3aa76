// SPDX-License-Identifier: Apache-2.0
// gather: ONNX's name for take.
#pragma once

#include <weft/ops/indexing/take.h>

namespace weft {

/// Picks positions of one axis: `out[..., j, ...] = x[..., indices[j], ...]`. It is take by another
/// name, which programs and messages call take, along the first axis unless told otherwise.
///
/// Throws DtypeError, AxisError, ParameterError (bad_rank), OverflowError, IndexError.
///
/// Group: pick.
/// Cost: free; a loop over the indices in the pass that materialises it.
/// Gradient: a sum over the places that each element was taken to.
/// NumPy: `numpy.take`. torch: `torch.index_select`, by a list. ONNX: Gather.
[[nodiscard]] inline Tensor gather(const Tensor& x, const Tensor& indices, const Ints& axis = 0) {
  return take(x, indices, axis);
}
/// The same with the indices as a list or a scalar.
[[nodiscard]] inline Tensor gather(const Tensor& x, const Ints& indices, const Ints& axis = 0) {
  return take(x, indices, axis);
}

}  // namespace weft

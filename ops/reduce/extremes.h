// SPDX-License-Identifier: Apache-2.0
// The smallest and the largest element.
#pragma once

#include <weft/graph/tensor.h>

namespace weft {

/// The smallest element along axes: `out[i] = min over j of x[i, j]`. NaN wins.
///
/// `axes` is a scalar or list of any integer type, each axis once; none: all of them, an empty
/// list: none. Those that are reduced go, or stay with extent 1 where `keepdims`.
///
/// Throws DtypeError, ParameterError (bad_rank), AxisError, and ShapeError of nothing.
///
/// Group: reduce.
/// Cost: one pass over x, where it lies.
/// Gradient: shared equally by the elements that are it.
/// NumPy: `numpy.min`. torch: `torch.amin`. ONNX: ReduceMin.
[[nodiscard]] Tensor min(const Tensor& x, const Ints& axes = none, bool keepdims = false);

/// The largest element along axes: `out[i] = max over j of x[i, j]`. As min.
///
/// Group: reduce.
/// Cost: one pass over x, where it lies.
/// Gradient: shared equally by the elements that are it.
/// NumPy: `numpy.max`. torch: `torch.amax`. ONNX: ReduceMax.
[[nodiscard]] Tensor max(const Tensor& x, const Ints& axes = none, bool keepdims = false);

extern const Op min_op;
extern const Op max_op;

}  // namespace weft

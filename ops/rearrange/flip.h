// SPDX-License-Identifier: Apache-2.0
// flip: reverses axes.
#pragma once

#include <weft/graph/tensor.h>

namespace weft {

/// Reverses the order along axes, of extents n: `out[i] = x[n - 1 - i]`.
///
/// `axes` is a scalar or list of any integer type, each axis once; none: all axes.
///
/// Shape: that of `x`. Throws DtypeError, ParameterError (bad_rank), AxisError.
///
/// Group: rearrange.
/// Cost: free; never adds a box.
/// Gradient: flip.
/// NumPy: `numpy.flip`. torch: `torch.flip`, with dims. ONNX: Slice, by steps of -1.
[[nodiscard]] Tensor flip(const Tensor& x, const Ints& axes = none);

/// The same of a tensor that is given up. Where nobody else holds its value, and weft allocated it,
/// evaluation reverses it within its memory. `x` stays as it was where this throws.
[[nodiscard]] Tensor flip(Tensor&& x, const Ints& axes = none);

extern const Op flip_op;

}  // namespace weft

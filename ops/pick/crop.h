// SPDX-License-Identifier: Apache-2.0
// crop: the sides of axes taken off.
#pragma once

#include <weft/graph/tensor.h>

namespace weft {

/// Takes so many elements off both ends of axes: `out[i] = x[before + i]`.
///
/// `before`, `after` and `axes` are lists of any integer type and of one length, no longer than the
/// rank; no entry of the first two is negative. `axes` none: 0, 1, ...; each axis once, negative
/// ones count from the end. A number for `before` or `after` is that for each entry of the others,
/// or for all axes as in pad: `x.pad(1, 1).crop(1, 1)` is x.
///
/// Shape: that of `x` less `before + after`. Throws DtypeError, ParameterError (bad_rank,
/// length_mismatch), AxisError, ShapeError where an entry is negative or the extent is less.
///
/// Group: pick.
/// Cost: free; never adds a box.
/// Gradient: pad with zeros.
/// NumPy: slicing. torch: `torch.nn.functional.pad`, by negative numbers. ONNX: Slice.
[[nodiscard]] Tensor crop(const Tensor& x, const Ints& before, const Ints& after,
                          const Ints& axes = none);

extern const Op crop_op;

}  // namespace weft

// SPDX-License-Identifier: Apache-2.0
// center_crop: the middle of axes.
#pragma once

#include <weft/graph/tensor.h>

namespace weft {

/// Takes so many elements from the middle of axes: `out[i] = x[(extent - size) / 2 + i]`, where the
/// half is rounded down, as ONNX and Keras do; torchvision rounds it to the even number.
///
/// `size` and `axes` are lists of any integer type and of one length, no longer than the rank; a
/// number is a list of one. `axes` none: the last ones, as height and width of images are where
/// channels go first; each axis once, negative ones count from the end.
///
/// Shape: that of `x` with `size` on those axes. Throws DtypeError, ParameterError (bad_rank,
/// length_mismatch), AxisError, ShapeError where a size is negative or more than the extent.
///
/// Group: pick.
/// Cost: free; never adds a box.
/// Gradient: pad with zeros.
/// NumPy: slicing. torch: `torchvision.transforms.functional.center_crop`. ONNX: CenterCropPad.
[[nodiscard]] Tensor center_crop(const Tensor& x, const Ints& size, const Ints& axes = none);

extern const Op center_crop_op;

}  // namespace weft

// SPDX-License-Identifier: Apache-2.0
// ifftshift: the zero frequency moved back to the front (numpy.fft.ifftshift).
#pragma once

#include <weft/graph/tensor.h>

namespace weft {

/// Moves the zero frequency from the middle of each of `axes` back to the front:
/// `out[i] = x[(i + n / 2) mod n]`, with n / 2 rounded down. The inverse of fftshift, and another
/// op where extents are odd.
///
/// `axes` is a scalar or list of any integer type; none: all. An axis named twice turns twice.
///
/// Shape: that of `x`. Throws DtypeError, ParameterError (bad_rank), AxisError.
///
/// Group: rearrange.
/// Cost: free; a roll.
/// Gradient: fftshift.
/// NumPy: `numpy.fft.ifftshift`. torch: `torch.fft.ifftshift`. ONNX: none.
[[nodiscard]] Tensor ifftshift(const Tensor& x, const Ints& axes = none);

extern const Op ifftshift_op;

}  // namespace weft

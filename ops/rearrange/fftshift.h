// SPDX-License-Identifier: Apache-2.0
// fftshift: the zero frequency moved to the middle (numpy.fft.fftshift).
#pragma once

#include <weft/graph/tensor.h>

namespace weft {

/// Moves the zero frequency to the middle of each of `axes`: `out[i] = x[(i - n / 2) mod n]`, with
/// n / 2 rounded down.
///
/// `axes` is a scalar or list of any integer type; none: all. An axis named twice turns twice.
///
/// Shape: that of `x`. Throws DtypeError, ParameterError (bad_rank), AxisError.
///
/// Group: rearrange.
/// Cost: free; a roll.
/// Gradient: ifftshift.
/// NumPy: `numpy.fft.fftshift`. torch: `torch.fft.fftshift`. ONNX: none.
[[nodiscard]] Tensor fftshift(const Tensor& x, const Ints& axes = none);

extern const Op fftshift_op;

namespace detail {

/// Axes of x, or none: all of them.
KnownType check_shifted_axes(std::string_view op, const KnownType& x, const Ints& axes);
/// Rolls each of `axes` by half its extent, rounded down, forwards or backwards.
[[nodiscard]] Tensor roll_by_half(const Tensor& x, const Ints& axes, bool forwards);

}  // namespace detail
}  // namespace weft

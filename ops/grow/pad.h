// SPDX-License-Identifier: Apache-2.0
// pad: more positions on both sides of axes (numpy.pad).
#pragma once

#include <concepts>
#include <string>
#include <string_view>

#include <weft/graph/tensor.h>
#include <weft/ops/create/scalar.h>

namespace weft {

/// Adds `before[k]` positions before axis k and `after[k]` after it:
/// `out[i] = 0 <= i - before < n ? x[i - before] : value`.
///
/// `before` and `after` are lists with an entry for each axis, or one number for all; none is below
/// 0. The value becomes an element of x's type that equals it, or the nearest floating-point
/// number; bool is value != 0.
///
/// Shape: `x.shape[k] + before[k] + after[k]`. Throws DtypeError (also for a value that the type
/// cannot hold), ParameterError (length_mismatch, bad_rank, bad_mode), OverflowError, ShapeError.
///
/// Group: grow.
/// Cost: free; two cuts for each padded axis.
/// Gradient: crop; where a mode repeats elements, the sum over their places.
/// NumPy: `numpy.pad`. torch: `torch.nn.functional.pad`. ONNX: Pad.
[[nodiscard]] Tensor pad(const Tensor& x, const Ints& before, const Ints& after,
                         const Scalar& value = 0);

/// The same with the value of mode "constant" as a tensor of rank 0 and the type of x.
[[nodiscard]] Tensor pad(const Tensor& x, const Ints& before, const Ints& after,
                         const Tensor& value, const std::string& mode = "constant");

/// The same with a mode, which says what is outside: "constant" (zeros), "edge" (the nearest
/// element), "reflect" (mirrored, the edge not repeated; at most n - 1 on a side), "symmetric"
/// (mirrored, the edge repeated; at most n), "wrap" (from the other side; at most n).
template <std::convertible_to<std::string_view> Mode>
[[nodiscard]] Tensor pad(const Tensor& x, const Ints& before, const Ints& after, const Mode& mode) {
  return pad(x, before, after, Scalar(0).as(x.held("pad").dtype(), "pad"), std::string(mode));
}

extern const Op pad_op;

}  // namespace weft

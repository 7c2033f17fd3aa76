// SPDX-License-Identifier: Apache-2.0
// window_partition: images cut into windows (Swin Transformer).
#pragma once

#include <array>
#include <optional>

#include <weft/graph/tensor.h>

namespace weft {

/// Cuts images `x` of shape [B, H, W, C], channels last, into windows that do not overlap, row by
/// row; those of shape [B, C, H, W] are moved by `transpose({0, 2, 3, 1})` before:
/// `out[(b * (H / w0) + p) * (W / w1) + q, i, j, c] = x[b, p * w0 + i, q * w1 + j, c]`.
///
/// `window` is a number of any integer type, or a list of two, [w0, w1], each 1 or more; H and W
/// are multiples of them.
///
/// Shape: [B * H / w0 * W / w1, w0, w1, C]. Throws DtypeError, ParameterError (bad_rank,
/// length_mismatch), OverflowError, ShapeError.
///
/// Group: rearrange.
/// Cost: free; a reshape, a transpose and a reshape.
/// Gradient: window_reverse.
/// NumPy: none. torch: none. ONNX: none.
[[nodiscard]] Tensor window_partition(const Tensor& x, const Ints& window);

extern const Op window_partition_op;

namespace detail {

/// The height and width of a window, each 1 or more, from one number or two.
std::optional<std::array<std::int64_t, 2>> check_window(std::string_view op, const Ints& window);
/// bad_rank unless x has four axes, called `axes` in the message.
void check_has_four_axes(std::string_view op, std::string_view axes, const KnownType& x);

}  // namespace detail
}  // namespace weft

// SPDX-License-Identifier: Apache-2.0
// depth_to_space: channels spread over blocks of the spatial axes (OpenVINO DepthToSpace-1).
#pragma once

#include <optional>
#include <string>

#include <weft/graph/tensor.h>

namespace weft {

/// Spreads the channels of `x`, of shape [N, C, D0, D1, ...], over blocks of the spatial axes:
/// `out[n, c, i] = x[n, (i mod block) * C / block^k + c, i / block]` on k spatial axes, where
/// `i mod block` is read as one number, the last axis fastest.
///
/// `block` is a number of any integer type, 1 or more; `mode` is "blocks_first" (as above) or
/// "depth_first", where channels are counted `c * block^k + (i mod block)`. There is at least one
/// spatial axis; C is a multiple of block^k.
///
/// Shape: [N, C / block^k, D0 * block, D1 * block, ...]. Throws DtypeError, ParameterError
/// (bad_rank, length_mismatch, bad_mode), OverflowError, ShapeError.
///
/// Group: rearrange.
/// Cost: free; a reshape, a transpose and a reshape for every six spatial axes.
/// Gradient: space_to_depth.
/// NumPy: none. torch: `torch.nn.functional.pixel_shuffle` (depth_first, two spatial axes).
/// ONNX: DepthToSpace (blocks_first is DCR, depth_first CRD).
[[nodiscard]] Tensor depth_to_space(const Tensor& x, const Ints& block,
                                    const std::string& mode = "blocks_first");

extern const Op depth_to_space_op;

namespace detail {

/// Entry `i` of a block, a factor or a window: ShapeError unless it is 1 or more, OverflowError.
std::int64_t check_block(std::string_view op, std::string_view parameter, const Ints& values,
                         std::size_t i = 0);
/// Whether `mode` is "blocks_first"; bad_mode unless it is that or "depth_first".
bool is_blocks_first(std::string_view op, const std::string& mode);
/// bad_rank unless there are [N, C] and a spatial axis.
void check_has_spatial_axes(std::string_view op, const KnownType& x);
/// What is known of `extent` times `block` (OverflowError) and of `extent` over `block`, which is a
/// whole number (ShapeError); of any block where it is none.
Extent check_product(std::string_view op, const Extent& extent, std::optional<std::int64_t> block,
                     const Extents& shape);
Extent check_quotient(std::string_view op, const Extents& shape, std::size_t axis,
                      std::optional<std::int64_t> block);
/// The block, where it is known: check_one() and check_block().
std::optional<std::int64_t> check_one_block(std::string_view op, std::string_view parameter,
                                            const Ints& block);

/// So many axes can be cut in two beside the three that the others make.
inline constexpr std::size_t most_cut_at_once = (max_rank - 3) / 2;

}  // namespace detail
}  // namespace weft

// SPDX-License-Identifier: Apache-2.0
// tile: repeats a tensor along axes (OpenVINO Tile-1).
#pragma once

#include <weft/graph/tensor.h>

namespace weft {

/// Repeats `x` along each axis, of extent n: `out[i] = x[i mod n]`.
///
/// `repeats` is a list of any integer type; the shorter of `repeats` and the shape gains leading
/// ones. No repeats: `x` itself. A repeat of 0 makes that extent 0.
///
/// Shape: extents times repeats. Throws DtypeError, ParameterError (bad_rank, negative_repeats),
/// OverflowError.
///
/// Group: grow.
/// Cost: free; one digit more, whatever the repeat.
/// Gradient: reshape and sum.
/// NumPy: `numpy.tile`. torch: `torch.tile`. ONNX: Tile.
[[nodiscard]] Tensor tile(const Tensor& x, const Ints& repeats);

extern const Op tile_op;

}  // namespace weft

// SPDX-License-Identifier: Apache-2.0
// A window of a result that need not exist.
#pragma once

#include <weft/engine/run/options.h>
#include <weft/graph/tensor.h>

namespace weft {

/// Computes the elements of `tensor` from `start` on, `shape` of them on each axis, and no others:
/// `out[i] = tensor[start + i]`. The tensor keeps no value, and only what the window needs is read.
/// It may be larger than memory. What has to be stored on the way (`explain` of the slice says
/// what) is stored as far as the window needs it, but for operands of ops that compute their
/// elements (where, scatters, gather_elements) and those ops, which are whole.
///
/// `start` and `shape` are lists with an entry for each axis. Throws ParameterError
/// (length_mismatch), ShapeError where the window is not inside the tensor, MemoryError. Cost: a
/// plan, and a copy of the window.
[[nodiscard]] Tensor eval_region(const Tensor& tensor, const Ints& start, const Ints& shape,
                                 const EvalOptions& options = {});

}  // namespace weft

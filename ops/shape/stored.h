// SPDX-License-Identifier: Apache-2.0
// stored: makes a value be stored on the way.
#pragma once

#include <weft/graph/tensor.h>

namespace weft {

/// The same values, stored once where several use them, or where pulling them through would be
/// slower than the planner thinks: `out[i] = x[i]`. Nothing is pulled through it.
///
/// Shape: that of `x`. Throws MemoryError when it is evaluated and does not fit.
///
/// Group: other.
/// Cost: one copy; free where `x` has its value or is asked for as a whole.
/// Gradient: to x.
/// NumPy: none. torch: none. ONNX: Identity.
[[nodiscard]] Tensor stored(const Tensor& x);

extern const Op stored_op;

}  // namespace weft

// SPDX-License-Identifier: Apache-2.0
// Whole numbers in their order.
#pragma once

#include <cstdint>

#include <weft/graph/tensor.h>

namespace weft {

/// 0, 1, ... count - 1, of i32 or i64. A few thousand are stored; more are sums of those, computed
/// where they are asked for.
[[nodiscard]] Tensor counted(DType type, std::int64_t count);

}  // namespace weft

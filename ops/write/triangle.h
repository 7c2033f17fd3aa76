// SPDX-License-Identifier: Apache-2.0
// What tril and triu share: the elements on one side of a diagonal, zeros on the other.
#pragma once

#include <string_view>

#include <weft/graph/op.h>
#include <weft/graph/tensor.h>

namespace weft {

enum class Side { lower, upper };

/// Keeps x[..., i, j] where j - i <= k (lower) or j - i >= k (upper).
[[nodiscard]] Tensor triangle(std::string_view op, const Tensor& x, const Ints& k, Side side);

}  // namespace weft

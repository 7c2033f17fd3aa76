// SPDX-License-Identifier: Apache-2.0
// Passes that reduce.
#pragma once

#include <weft/graph/kinds.h>
#include <weft/graph/plan/plan.h>
#include <weft/graph/reduction.h>
#include <weft/graph/value/tensor_type.h>

namespace weft {

/// What a pass reduces, of an operand of that type that lies so.
PassReduction reduction_of(const Reduction& reduction, const TensorType& operand,
                           const OperandLayout& layout);

}  // namespace weft

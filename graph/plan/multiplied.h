// SPDX-License-Identifier: Apache-2.0
// Passes that multiply matrices.
#pragma once

#include <span>

#include <weft/graph/kinds.h>
#include <weft/graph/plan/plan.h>
#include <weft/graph/product.h>
#include <weft/graph/value/tensor_type.h>

namespace weft {

/// What a pass multiplies, whose result is of that type and whose operands lie so.
PassProduct product_of(const Product& product, const TensorType& type,
                       std::span<const OperandLayout> layouts);

/// Whether matrices that lie so are read there: those of which neither axis has its elements side
/// by side are better stored first.
bool is_read_in_place(const Shape& operand, const Shape& strides);

}  // namespace weft

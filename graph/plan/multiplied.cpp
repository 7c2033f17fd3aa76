// SPDX-License-Identifier: Apache-2.0
// Passes that multiply matrices: where their operands lie.
#include <weft/graph/plan/multiplied.h>

namespace weft {

PassProduct product_of(const Product& product, const TensorType& type,
                       std::span<const OperandLayout> layouts) {
  const Shape &shape = type.shape, &left = layouts[0].strides, &right = layouts[1].strides;
  const std::size_t row = shape.size() - 2, column = row + 1;
  PassProduct made;
  made.is_product = true;
  made.told = product.told();
  made.rows = {shape[row], left[row], 0};
  made.inner = {product.inner(), left[column], right[row]};
  made.columns = {shape[column], 0, right[column]};
  for (std::size_t axis = 0; axis < row; ++axis)
    made.batch.push_back({shape[axis], left[axis], right[axis]});
  return made;
}

bool is_read_in_place(const Shape& operand, const Shape& strides) {
  bool is_one = true;
  for (std::size_t axis = operand.size() - 2; axis < operand.size(); ++axis) {
    if (operand[axis] == 1) continue;
    if (strides[axis] == 1) return true;
    is_one = false;
  }
  return is_one;
}

}  // namespace weft

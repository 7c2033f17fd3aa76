// SPDX-License-Identifier: Apache-2.0
// Passes that reduce: where their operands lie.
#include <weft/graph/plan/reduced.h>

#include <algorithm>

namespace weft {

PassReduction reduction_of(const Reduction& reduction, const TensorType& operand,
                           const OperandLayout& layout) {
  PassReduction made{&reduction.reducer(), operand.dtype, {}};
  const Index& axes = reduction.axes();
  for (std::size_t axis = 0; axis < operand.shape.size(); ++axis)
    made.axes.push_back(
        {operand.shape[axis], layout.strides[axis],
         std::find(axes.begin(), axes.end(), static_cast<std::int64_t>(axis)) != axes.end()});
  return made;
}

}  // namespace weft

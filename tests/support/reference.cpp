// Walking elements back through the graph, a node at a time.
#include "support/reference.h"

#include <cstring>

namespace weft::testing {

void reference_element(const Tensor& tensor, std::int64_t position, std::byte* to) {
  NodePtr node = tensor.node_ptr();
  Index index = unravel_index(position, node->shape());
  std::vector<NodePtr> inputs;
  for (;;) {
    inputs.clear();
    if (!node->copy_inputs(inputs)) break;
    const std::size_t operand = node->trace(index);
    node = inputs.at(operand);
  }
  const std::int64_t size = node->dtype().size();
  std::memcpy(to, node->value().get() + linear_index(index, node->shape()) * size,
              static_cast<std::size_t>(size));
}

std::vector<std::byte> reference_value(const Tensor& tensor) {
  std::vector<std::byte> value(static_cast<std::size_t>(tensor.bytes()));
  for (std::int64_t i = 0; i < tensor.size(); ++i)
    reference_element(tensor, i, value.data() + i * tensor.dtype().size());
  return value;
}

}  // namespace weft::testing

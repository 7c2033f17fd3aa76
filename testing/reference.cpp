// SPDX-License-Identifier: Apache-2.0
// Walking elements back through the graph, a node at a time.
#include <weft/testing/reference.h>

#include <algorithm>
#include <unordered_map>
#include <utility>

#include <weft/graph/elementwise.h>
#include <weft/graph/indexed.h>

namespace weft::testing {
namespace {

class Walk {
 public:
  /// Copies the element at `index` of `node` to `to`.
  void copy(const Node* node, Index index, std::byte* to) {
    copy(node, std::move(index), 0, node->dtype().size(), to);
  }

 private:
  /// The same of its bytes from `first` on.
  void copy(const Node* node, Index index, std::int64_t first, std::int64_t bytes, std::byte* to) {
    for (;;) {
      const Inputs& inputs = inputs_of(node);
      if (inputs.is_stored) break;
      if (const Elementwise* const op = node->elementwise())
        return compute(*op, inputs, index, first, bytes, to);
      if (node->keeps_order() && inputs.nodes[0]->dtype().size() != node->dtype().size()) {
        const std::int64_t from = linear_index(index, node->shape()) * node->dtype().size() + first;
        return copy_parts(inputs.nodes[0].get(), from, bytes, to);
      }
      const std::size_t operand = node->trace(index);
      node = inputs.nodes.at(operand).get();
    }
    const std::int64_t size = node->dtype().size();
    std::memcpy(to, node->value().get() + linear_index(index, node->shape()) * size + first,
                static_cast<std::size_t>(bytes));
  }

  /// Copies bytes of a node, row-major, from those of its elements.
  void copy_parts(const Node* node, std::int64_t from, std::int64_t bytes, std::byte* to) {
    const std::int64_t size = node->dtype().size();
    for (const std::int64_t end = from + bytes; from < end;) {
      const std::int64_t part = std::min(end, (from / size + 1) * size) - from;
      copy(node, unravel_index(from / size, node->shape()), from % size, part, to);
      from += part;
      to += part;
    }
  }

  struct Inputs {
    bool is_stored = false;
    std::vector<NodePtr> nodes;
  };

  /// The same of an element that is computed, from one of each operand.
  void compute(const Elementwise& op, const Inputs& inputs, const Index& index, std::int64_t first,
               std::int64_t bytes, std::byte* to) {
    std::vector<std::vector<std::byte>> elements;
    std::vector<const std::byte*> operands;
    for (std::size_t k = 0; k < inputs.nodes.size(); ++k) {
      const Node* const operand = inputs.nodes[k].get();
      elements.emplace_back(static_cast<std::size_t>(operand->dtype().size()));
      copy(operand, op.trace(k, index), elements.back().data());
      operands.push_back(elements.back().data());
    }
    std::vector<std::byte> result(static_cast<std::size_t>(op.dtype().size()));
    op.instruction().compute(operands.data(), result.data(), op.dtype().size());
    std::memcpy(to, result.data() + first, static_cast<std::size_t>(bytes));
  }

  /// Asked for once a node, not once an element: a node guards its inputs with a lock.
  const Inputs& inputs_of(const Node* node) {
    const auto [at, is_new] = inputs_.try_emplace(node);
    if (is_new) at->second.is_stored = !node->copy_inputs(at->second.nodes);
    return at->second;
  }

  std::unordered_map<const Node*, Inputs> inputs_;
};

/// Gives the operands that say where elements come from their values, those that others depend on
/// first.
void prepare(const NodePtr& root) {
  if (!root->depends_on_index()) return;
  for_each_index(Expression(root), [](const Node& node, const NodePtr& index) {
    index->value_or([&] {
      const auto value =
          std::make_shared<const std::vector<std::byte>>(reference_value(Tensor(index)));
      return Storage(value, value->data());
    });
    node.read_index(*index);
  });
}

}  // namespace

std::vector<std::byte> reference_elements(const Tensor& tensor,
                                          std::span<const std::int64_t> positions) {
  prepare(tensor.node_ptr());
  const std::size_t size = static_cast<std::size_t>(tensor.dtype().size());
  std::vector<std::byte> elements(positions.size() * size);
  Walk walk;
  for (std::size_t i = 0; i < positions.size(); ++i)
    walk.copy(&tensor.node(), unravel_index(positions[i], tensor.shape()),
              elements.data() + i * size);
  return elements;
}

std::vector<std::byte> reference_value(const Tensor& tensor) {
  prepare(tensor.node_ptr());
  std::vector<std::byte> value(static_cast<std::size_t>(tensor.bytes()));
  Walk walk;
  for (std::int64_t i = 0; i < tensor.size(); ++i)
    walk.copy(&tensor.node(), unravel_index(i, tensor.shape()),
              value.data() + i * tensor.dtype().size());
  return value;
}

}  // namespace weft::testing

// SPDX-License-Identifier: Apache-2.0
// Walking elements back through the graph, a node at a time.
#include <weft/testing/reference.h>

#include <algorithm>
#include <cstddef>
#include <unordered_map>
#include <utility>

#include <weft/graph/elementwise.h>
#include <weft/graph/indexed.h>
#include <weft/graph/open.h>
#include <weft/graph/product.h>
#include <weft/graph/reduction.h>
#include <weft/graph/value/small_vector.h>

namespace weft::testing {
namespace {

class Walk {
 public:
  explicit Walk(const Indices& indices) : indices_(indices) {}

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
      if (const auto* const op = node->operation().as<Elementwise>())
        return compute(*node, *op, inputs, index, first, bytes, to);
      if (const auto* const op = node->operation().as<Reduction>())
        return reduce(*node, *op, *inputs.nodes[0], index, first, bytes, to);
      if (const auto* const op = node->operation().as<Product>())
        return multiply(*node, *op, inputs, index, first, bytes, to);
      if (make_element(*node, inputs, index, first, bytes, to)) return;
      const auto* const movement = node->operation().as<Movement>();
      if (movement && movement->keeps_order() &&
          inputs.nodes[0]->dtype().size() != node->dtype().size()) {
        const std::int64_t from = linear_index(index, node->shape()) * node->dtype().size() + first;
        return copy_parts(inputs.nodes[0].get(), from, bytes, to);
      }
      const std::size_t operand = trace(*node, index);
      node = inputs.nodes.at(operand).get();
    }
    const std::int64_t size = node->dtype().size();
    std::memcpy(to, node->value().get() + linear_index(index, node->shape()) * size + first,
                static_cast<std::size_t>(bytes));
  }

  std::size_t trace(const Node& node, Index& index) const {
    const Operation& operation = node.operation();
    if (const auto* const movement = operation.as<Movement>())
      return movement->trace(node.shape(), index);
    if (const auto* const indexed = operation.as<IndexedMovement>())
      return indexed->trace(indices_.of(node), node.shape(), index);
    if (const auto* const opaque = operation.as<Opaque>())
      return opaque->trace(node.shape(), index);
    throw_open();
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

  /// Elements, aligned for any type; on the stack, but for very large ones.
  using Memory = SmallVector<std::max_align_t, 4>;
  static std::size_t units(DType type) {
    return (static_cast<std::size_t>(type.size()) + sizeof(std::max_align_t) - 1) /
           sizeof(std::max_align_t);
  }

  struct Inputs {
    bool is_stored = false;
    std::vector<NodePtr> nodes;
    std::vector<DType> types;
  };

  /// The same of an element that is computed, from one of each operand.
  void compute(const Node& node, const Elementwise& op, const Inputs& inputs, const Index& index,
               std::int64_t first, std::int64_t bytes, std::byte* to) {
    std::size_t end = units(node.dtype());
    for (const DType type : inputs.types) end += units(type);
    Memory memory(end);
    SmallVector<const std::byte*, 4> operands;
    std::byte* const result = reinterpret_cast<std::byte*>(memory.data());
    std::size_t at = units(node.dtype());
    for (std::size_t k = 0; k < inputs.nodes.size(); at += units(inputs.types[k++])) {
      std::byte* const element = reinterpret_cast<std::byte*>(memory.data() + at);
      copy(inputs.nodes[k].get(), op.trace(k, node.shape(), index), element);
      operands.push_back(element);
    }
    op.instruction().compute({inputs.types, operands.data(), node.dtype(), result});
    std::memcpy(to, result + first, static_cast<std::size_t>(bytes));
  }

  /// The same of an element that is made of many of one operand.
  void reduce(const Node& node, const Reduction& op, const Node& operand, const Index& index,
              std::int64_t first, std::int64_t bytes, std::byte* to) {
    const std::int64_t size = operand.dtype().size(), at = linear_index(index, node.shape());
    std::vector<std::byte> elements(static_cast<std::size_t>(op.extent() * size));
    for (std::int64_t i = 0; i < op.extent(); ++i)
      copy(&operand, unravel_index(op.position(at, i), operand.shape()),
           elements.data() + i * size);
    std::vector<std::byte> result(static_cast<std::size_t>(node.dtype().size()));
    op.reducer().compute(operand.dtype(), elements.data(), op.extent(), result.data());
    std::memcpy(to, result.data() + first, static_cast<std::size_t>(bytes));
  }

  /// The same of an element of a product: in double, or in integers that wrap.
  void multiply(const Node& node, const Product& op, const Inputs& inputs, const Index& index,
                std::int64_t first, std::int64_t bytes, std::byte* to) {
    const auto made = [&]<class T, class Wide>(T, Wide all) {
      for (std::int64_t i = 0; i < op.inner(); ++i) {
        T x, y;
        copy(inputs.nodes[0].get(), op.position(0, index, i), reinterpret_cast<std::byte*>(&x));
        copy(inputs.nodes[1].get(), op.position(1, index, i), reinterpret_cast<std::byte*>(&y));
        all += static_cast<Wide>(x) * static_cast<Wide>(y);
      }
      const T result = static_cast<T>(all);
      std::memcpy(to, reinterpret_cast<const std::byte*>(&result) + first,
                  static_cast<std::size_t>(bytes));
    };
    if (node.dtype() == f32) made(float(), double());
    else if (node.dtype() == f64) made(double(), double());
    else if (node.dtype() == i32) made(std::int32_t(), std::uint64_t());
    else made(std::int64_t(), std::uint64_t());
  }

  /// The same of an element that an operation makes in its own way; false where it moves them.
  bool make_element(const Node& node, const Inputs& inputs, const Index& index, std::int64_t first,
                    std::int64_t bytes, std::byte* to) {
    const auto* const opaque = node.operation().as<Opaque>();
    const auto* const indexed = node.operation().as<IndexedMovement>();
    if (!opaque && !indexed) return false;
    const TensorType type{node.dtype(), node.shape()};
    Memory memory(units(type.dtype));
    std::byte* const result = reinterpret_cast<std::byte*>(memory.data());
    const auto element = [&](std::size_t k, const Index& at, std::byte* own) {
      copy(inputs.nodes.at(k).get(), at, own);
    };
    const bool makes = opaque
                           ? opaque->make_element(type, index, element, result)
                           : indexed->make_element(indices_.of(node), type, index, element, result);
    if (makes) std::memcpy(to, result + first, static_cast<std::size_t>(bytes));
    return makes;
  }

  /// Asked for once a node, not once an element: a node guards its inputs with a lock.
  const Inputs& inputs_of(const Node* node) {
    const auto [at, is_new] = inputs_.try_emplace(node);
    if (!is_new) return at->second;
    const std::optional<NodeInputs> inputs = node->inputs();
    at->second.is_stored = !inputs;
    if (inputs) at->second.nodes.assign(inputs->begin(), inputs->end());
    for (const NodePtr& input : at->second.nodes) at->second.types.push_back(input->dtype());
    return at->second;
  }

  const Indices& indices_;
  std::unordered_map<const Node*, Inputs> inputs_;
};

/// Gives the operands that say where elements come from their values, those that others depend on
/// first, and reads them.
Indices read_indices(const NodePtr& root) {
  Indices indices;
  if (!root->depends_on_index()) return indices;
  for_each_index(Expression(root), [&](const Node& node, const NodePtr& index) {
    index->value_or([&] {
      const auto value =
          std::make_shared<const std::vector<std::byte>>(reference_value(Tensor(index)));
      return Storage(value, value->data());
    });
    indices.add(node, *index, read_index_of(node, *index));
  });
  return indices;
}

}  // namespace

std::vector<std::byte> reference_elements(const Tensor& tensor,
                                          std::span<const std::int64_t> positions) {
  const Indices indices = read_indices(tensor.node_ptr());
  const std::size_t size = static_cast<std::size_t>(tensor.dtype().size());
  std::vector<std::byte> elements(positions.size() * size);
  Walk walk(indices);
  for (std::size_t i = 0; i < positions.size(); ++i)
    walk.copy(&tensor.node(), unravel_index(positions[i], tensor.shape()),
              elements.data() + i * size);
  return elements;
}

std::vector<std::byte> reference_value(const Tensor& tensor) {
  const Indices indices = read_indices(tensor.node_ptr());
  std::vector<std::byte> value(static_cast<std::size_t>(tensor.bytes()));
  Walk walk(indices);
  for (std::int64_t i = 0; i < tensor.size(); ++i)
    walk.copy(&tensor.node(), unravel_index(i, tensor.shape()),
              value.data() + i * tensor.dtype().size());
  return value;
}

}  // namespace weft::testing

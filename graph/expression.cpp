// SPDX-License-Identifier: Apache-2.0
// Laying an expression out flat, without recursion over its depth.
#include <weft/graph/expression.h>

#include <algorithm>

namespace weft {

/// Finds vertices by node: those of few by looking at each, of more by open addressing, at most
/// half full.
class Expression::Numbering {
 public:
  explicit Numbering(Expression& expression) : expression_(expression) {}

  /// The vertex of a node: a new one where it has none yet.
  std::uint32_t number(const NodePtr& node) {
    const std::size_t count = expression_.size();
    if (count <= few) {
      const Vertex* const all = expression_.vertices_.data();
      for (std::size_t v = 0; v < count; ++v)
        if (all[v].node == node.get()) return static_cast<std::uint32_t>(v);
    } else {
      if (2 * (count + 1) > slots_.size()) grow();
      std::uint32_t& slot = find(node.get());
      if (slot != free) return slot;
      slot = static_cast<std::uint32_t>(count);
    }
    expression_.vertices_.push_back({node.get(), node->is_stored(), false, 0, 0, 0});
    if (count < few) expression_.few_pointers_[count] = node;
    else expression_.more_pointers_.push_back(node);
    return static_cast<std::uint32_t>(count);
  }

 private:
  static constexpr std::uint32_t free = static_cast<std::uint32_t>(-1);

  std::uint32_t& find(const Node* node) {
    // The high bits of the product depend on all bits of the address.
    const std::uint64_t hash = reinterpret_cast<std::uintptr_t>(node) * 0x9E3779B97F4A7C15u;
    std::size_t at = (hash >> 32) & (slots_.size() - 1);
    while (slots_[at] != free && expression_[slots_[at]].node != node)
      at = (at + 1) & (slots_.size() - 1);
    return slots_[at];
  }

  void grow() {
    const std::size_t size = slots_.empty() ? 4 * few : 2 * slots_.size();
    slots_.clear();
    slots_.resize(size, free);
    for (std::uint32_t v = 0; v < expression_.size(); ++v) find(expression_[v].node) = v;
  }

  Expression& expression_;
  SmallVector<std::uint32_t, 4 * few> slots_;
};

void Expression::enter(std::uint32_t v, Numbering& numbering) {
  vertices_[v].is_entered = true;
  if (vertices_[v].is_stored) return;
  const std::size_t first = operands_.size();
  const bool has_inputs = vertices_[v].node->for_each_input([&](const NodePtr& input) {
    const std::uint32_t operand = numbering.number(input);
    operands_.push_back(operand);
    ++vertices_[operand].uses;
  });
  vertices_[v].is_stored = !has_inputs;  // it may have gained its value since it was added
  vertices_[v].first_operand = static_cast<std::uint32_t>(first);
  vertices_[v].operand_count = static_cast<std::uint32_t>(operands_.size() - first);
}

Expression::Expression(std::span<const NodePtr> roots) {
  Numbering numbering(*this);
  for (const NodePtr& root : roots) roots_.push_back(numbering.number(root));
  for (const std::uint32_t root : roots_)
    if (!vertices_[root].is_entered) walk(root, numbering);
  // Whoever was left last comes first: a root that uses another one precedes it.
  std::reverse(order_.begin(), order_.end());
}

void Expression::walk(std::uint32_t root, Numbering& numbering) {
  struct Visit {
    std::uint32_t vertex, next_operand;
  };
  SmallVector<Visit, 16> path;
  enter(root, numbering);
  path.push_back({root, 0});
  while (!path.empty()) {
    Visit& visit = path.back();
    const Vertex& vertex = vertices_[visit.vertex];
    if (visit.next_operand == vertex.operand_count) {
      order_.push_back(visit.vertex);
      path.pop_back();
      continue;
    }
    const std::uint32_t operand = operands_[vertex.first_operand + visit.next_operand++];
    if (vertices_[operand].is_entered) continue;
    enter(operand, numbering);
    if (vertices_[operand].operand_count == 0) order_.push_back(operand);
    else path.push_back({operand, 0});
  }
}

}  // namespace weft

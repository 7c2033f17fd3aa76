// Laying an expression out flat, without recursion over its depth.
#include <weft/graph/expression.h>

#include <algorithm>
#include <unordered_map>

namespace weft {

std::uint32_t Expression::add(const NodePtr& node) {
  vertices_.push_back({node.get(), node->is_stored()});
  pointers_.push_back(node);
  return static_cast<std::uint32_t>(vertices_.size() - 1);
}

Expression::Expression(const NodePtr& root) {
  struct Visit {
    std::uint32_t vertex, next_operand;
  };
  std::unordered_map<const Node*, std::uint32_t> seen;
  std::vector<NodePtr> inputs;
  std::vector<Visit> path;

  const auto enter = [&](std::uint32_t v) {
    path.push_back({v, 0});
    inputs.clear();
    if (vertices_[v].is_stored) return;
    if (!pointers_[v]->copy_inputs(inputs)) {
      vertices_[v].is_stored = true;  // it has gained its value since it was added
      return;
    }
    vertices_[v].first_operand = static_cast<std::uint32_t>(operands_.size());
    vertices_[v].operand_count = static_cast<std::uint32_t>(inputs.size());
    for (const NodePtr& input : inputs) {
      const auto [at, is_new] = seen.try_emplace(input.get(), 0);
      if (is_new) at->second = add(input);
      operands_.push_back(at->second);
      ++vertices_[at->second].uses;
    }
  };

  seen.emplace(root.get(), add(root));
  std::vector<bool> entered{false};
  entered[0] = true;
  enter(0);
  while (!path.empty()) {
    Visit& visit = path.back();
    const Vertex& vertex = vertices_[visit.vertex];
    if (visit.next_operand == vertex.operand_count) {
      order_.push_back(visit.vertex);
      path.pop_back();
      continue;
    }
    const std::uint32_t operand = operands_[vertex.first_operand + visit.next_operand++];
    entered.resize(vertices_.size(), false);
    if (entered[operand]) continue;
    entered[operand] = true;
    enter(operand);
  }
  std::reverse(order_.begin(), order_.end());
}

}  // namespace weft

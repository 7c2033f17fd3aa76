// SPDX-License-Identifier: Apache-2.0
// Index operands are evaluated first, those that others depend on before them.
#include <weft/engine/run/resolve_indices.h>

#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <vector>

#include <weft/engine/run/eval.h>
#include <weft/engine/run/limits.h>
#include <weft/graph/indexed.h>
#include <weft/graph/value/error.h>

namespace weft {
namespace {

// What takes longer to plan than to store, mostly.
constexpr std::int64_t many_nodes = 256;

/// Parts that indices have in common with others, and how large they are. Each index that is made
/// of one would carry it out again, so in a chain, where each link is an index into the one before
/// it, the work would grow by the square of the links.
class SharedParts {
 public:
  explicit SharedParts(const Expression& expression)
      : expression_(expression),
        is_in_index_(expression.size(), false),
        nodes_(expression.size(), 0) {
    for (const std::uint32_t v : expression.order())
      for (std::size_t k = 0; k < expression[v].operand_count; ++k)
        if (is_in_index_[v] || k == expression[v].node->index_operand())
          is_in_index_[expression.operand(v, k)] = true;
  }

  /// To be asked of operands before their users.
  bool is_large(std::size_t v) {
    const Expression::Vertex& vertex = expression_[v];
    nodes_[v] = 1;  // and those of its operands, which may be counted twice
    for (std::size_t k = 0; k < vertex.operand_count; ++k)
      if (k != vertex.node->index_operand()) nodes_[v] += nodes_[expression_.operand(v, k)];
    nodes_[v] = std::min(nodes_[v], many_nodes);
    return nodes_[v] == many_nodes && is_in_index_[v] && vertex.uses > 1;
  }

  void store(std::size_t v) { nodes_[v] = 0; }

 private:
  const Expression& expression_;
  std::vector<bool> is_in_index_;
  std::vector<std::int64_t> nodes_;
};

}  // namespace

void evaluate(const Tensor& tensor, EvalOptions& options) {
  if (tensor.is_stored()) return;
  tensor.eval(options);
  if (options.memory_limit > 0)
    options.memory_limit = std::max<std::int64_t>(1, options.memory_limit - tensor.bytes());
}

void resolve_indices(std::span<const NodePtr> roots, const EvalOptions& options) {
  if (std::none_of(roots.begin(), roots.end(),
                   [](const NodePtr& root) { return root->depends_on_index(); }))
    return;
  EvalOptions for_index = options;
  for_index.in_place = false;  // that is about the roots
  std::int64_t left = limits_of(options).planning_bytes;
  const Expression expression(roots);
  SharedParts parts(expression);
  for (std::size_t i = expression.size(); i-- > 0;) {
    const std::size_t v = expression.order()[i];
    const Expression::Vertex& vertex = expression[v];
    if (vertex.is_stored) continue;
    if (const std::size_t k = vertex.node->index_operand(); k != Node::no_operand) {
      const Tensor index(expression.pointer(expression.operand(v, k)));
      evaluate(index, for_index);
      vertex.node->read_index(index.node(), left);
      left -= vertex.node->index_bytes();
    }
    if (!parts.is_large(v)) continue;
    try {
      evaluate(Tensor(expression.pointer(v)), for_index);
      parts.store(v);
    } catch (const MemoryError&) {  // it was only to save time
    }
  }
}

void refuse_too_large(std::span<const NodePtr> roots, const EvalOptions& options) {
  const std::int64_t limit = limits_of(options).stored_bytes;
  // The largest alone: several may lie in one another's memory.
  const NodePtr& root =
      *std::max_element(roots.begin(), roots.end(),
                        [](const NodePtr& a, const NodePtr& b) { return a->bytes() < b->bytes(); });
  if (root->bytes() <= limit || root->is_stored()) return;
  // One that is no larger than something stored may lie there, or be written over it.
  const Expression expression(roots);
  for (std::size_t v = 0; v < expression.size(); ++v)
    if (expression[v].is_stored && expression[v].node->bytes() >= root->bytes()) return;
  throw MemoryError(fmt::format("{} {} has {} bytes, at most {} are allowed", root->op(),
                                to_string(root->shape()), root->bytes(), limit));
}

std::vector<ResolvedIndex> resolved_indices(const NodePtr& root) {
  std::vector<ResolvedIndex> indices;
  if (!root->depends_on_index()) return indices;
  const Expression expression(root);
  for_each_index(expression, [&](const Node& node, const NodePtr& index) {
    indices.push_back({&node, {}, index});
  });
  for (ResolvedIndex& each : indices)
    for (std::size_t v = 0; v < expression.size() && each.node != root.get(); ++v)
      if (expression[v].node == each.node) each.holder = expression.pointer(v);
  return indices;
}

bool is_index_within(const std::vector<ResolvedIndex>& indices, const std::byte* begin,
                     const std::byte* end) {
  return std::any_of(indices.begin(), indices.end(), [&](const ResolvedIndex& each) {
    const std::byte* const at = each.index->value().get();
    return std::less<>()(at, end) && std::less<>()(begin, at + each.index->bytes());
  });
}

}  // namespace weft

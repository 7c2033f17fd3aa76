// Index operands are evaluated first, those that others depend on before them.
#include <weft/engine/prepare.h>

#include <algorithm>
#include <functional>

#include <weft/engine/eval.h>
#include <weft/graph/expression.h>

namespace weft {

void prepare(std::span<const NodePtr> roots, const EvalOptions& options) {
  if (std::none_of(roots.begin(), roots.end(),
                   [](const NodePtr& root) { return root->depends_on_index(); }))
    return;
  EvalOptions for_index = options;
  for_index.in_place = false;  // that is about the roots
  const Expression expression(roots);
  const Expression::Numbers& order = expression.order();
  for (std::size_t i = order.size(); i-- > 0;) {
    const Expression::Vertex& vertex = expression[order[i]];
    if (vertex.is_stored || vertex.node->index_operand() == Node::no_operand) continue;
    const Tensor index(
        expression.pointer(expression.operand(order[i], vertex.node->index_operand())));
    vertex.node->read_index(index.eval(for_index).node());
  }
}

bool is_index_within(const NodePtr& root, const std::byte* begin, const std::byte* end) {
  if (!root->depends_on_index()) return false;
  const Expression expression(root);
  for (std::size_t v = 0; v < expression.size(); ++v) {
    const std::size_t k = expression[v].node->index_operand();
    if (expression[v].is_stored || k == Node::no_operand) continue;
    const Node& index = *expression[expression.operand(v, k)].node;
    const std::byte* const at = index.value().get();
    if (std::less<>()(at, end) && std::less<>()(begin, at + index.bytes())) return true;
  }
  return false;
}

}  // namespace weft

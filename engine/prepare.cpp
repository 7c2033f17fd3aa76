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
    if (vertex.is_stored || !vertex.node->index()) continue;
    for (std::size_t k = 0; k < vertex.operand_count; ++k) {
      const std::size_t operand = expression.operand(order[i], k);
      if (expression[operand].node == vertex.node->index())
        Tensor(expression.pointer(operand)).eval(for_index);
    }
    vertex.node->read_index();
  }
}

bool is_index_within(const NodePtr& root, const std::byte* begin, const std::byte* end) {
  if (!root->depends_on_index()) return false;
  const Expression expression(root);
  for (std::size_t v = 0; v < expression.size(); ++v) {
    const Node* const index = expression[v].is_stored ? nullptr : expression[v].node->index();
    if (!index) continue;
    const std::byte* const at = index->value().get();
    if (std::less<>()(at, end) && std::less<>()(begin, at + index->bytes())) return true;
  }
  return false;
}

}  // namespace weft

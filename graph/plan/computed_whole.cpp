// SPDX-License-Identifier: Apache-2.0
// What speaks for computing a vertex as a whole.
#include <weft/graph/plan/computed_whole.h>

#include <weft/graph/indexed.h>
#include <weft/graph/plan/by_kind.h>

namespace weft {
namespace {

/// Whether nothing is carried out together with v: it is stored whole, and its operands are in
/// memory.
bool is_alone(const Expression& expression, std::size_t v, const Demand& demand,
              std::int64_t asked) {
  const Node& node = *expression[v].node;
  if (!demand.is_whole || asked < node.count()) return false;
  for (std::size_t k = 0; k < expression[v].operand_count; ++k) {
    if (k == index_of(node)) continue;
    const Expression::Vertex& base = expression[order_base(expression, expression.operand(v, k))];
    if (!base.is_stored && !by_kind::is_computed(*base.node)) return false;
  }
  return true;
}

}  // namespace

std::size_t order_base(const Expression& expression, std::size_t v) {
  while (!expression[v].is_stored && by_kind::keeps_order(*expression[v].node))
    v = expression.operand(v, 0);
  return v;
}

bool is_better_computed(const Expression& expression, std::size_t v,
                        const IndexedMovement& operation, const Demand& demand, std::int64_t asked,
                        const PlanLimits& limits) {
  if (!limits.may_compute) return false;
  if (operation.is_computed_alone()) return is_alone(expression, v, demand, asked);
  const Node& node = *expression[v].node;
  std::int64_t cuts = 0;
  for (const TargetBoxes& own : demand.boxes)
    for (const Box& box : own.boxes) cuts += operation.cuts(node.shape(), box);
  if (cuts <= static_cast<std::int64_t>(limits.boxes)) return false;
  // A pass that was begun may be one for a part.
  if (demand.is_whole ? asked < node.count()
                      : asked < node.count() / 2 || node.bytes() > limits.stored_bytes)
    return false;
  for (std::size_t k = 0; k < expression[v].operand_count; ++k) {
    const Expression::Vertex& operand = expression[expression.operand(v, k)];
    if (!operand.is_stored && operand.node->bytes() > limits.stored_bytes) return false;
  }
  return true;
}

}  // namespace weft

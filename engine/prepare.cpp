// SPDX-License-Identifier: Apache-2.0
// Index operands are evaluated first, those that others depend on before them.
#include <weft/engine/prepare.h>

#include <algorithm>
#include <fmt/format.h>
#include <functional>

#include <weft/engine/eval.h>
#include <weft/engine/execute.h>
#include <weft/graph/error.h>
#include <weft/graph/indexed.h>

namespace weft {

void prepare(std::span<const NodePtr> roots, const EvalOptions& options) {
  if (std::none_of(roots.begin(), roots.end(),
                   [](const NodePtr& root) { return root->depends_on_index(); }))
    return;
  EvalOptions for_index = options;
  for_index.in_place = false;  // that is about the roots
  std::int64_t left = limits_of(options).planning_bytes;
  for_each_index(Expression(roots), [&](const Node& node, const NodePtr& index) {
    node.read_index(Tensor(index).eval(for_index).node(), left);
    left -= node.index_bytes();
  });
}

void refuse_too_large(std::span<const NodePtr> roots, const EvalOptions& options) {
  const std::int64_t limit = limits_of(options).stored_bytes;
  std::int64_t left = limit;
  // Of roots that are larger than `most`, as often as they are given; the one that is too much.
  const auto excess = [&](std::int64_t most) -> const Node* {
    left = limit;
    for (const NodePtr& root : roots) {
      if (root->is_stored() || root->bytes() <= most) continue;
      if (root->bytes() > left) return root.get();
      left -= root->bytes();
    }
    return nullptr;
  };
  if (!excess(0)) return;
  // One that is no larger than something stored may lie there, or be written over it.
  const Expression expression(roots);
  std::int64_t largest = 0;
  for (std::size_t v = 0; v < expression.size(); ++v)
    if (expression[v].is_stored) largest = std::max(largest, expression[v].node->bytes());
  if (const Node* const root = excess(largest))
    throw MemoryError(
        fmt::format("{} {} has {} bytes beside {} of this evaluation, at most {} "
                    "are allowed",
                    root->op(), to_string(root->shape()), root->bytes(), limit - left, limit));
}

bool is_index_within(const NodePtr& root, const std::byte* begin, const std::byte* end) {
  if (!root->depends_on_index()) return false;
  bool is_within = false;
  for_each_index(Expression(root), [&](const Node&, const NodePtr& index) {
    const std::byte* const at = index->value().get();
    is_within |= std::less<>()(at, end) && std::less<>()(begin, at + index->bytes());
  });
  return is_within;
}

}  // namespace weft

// SPDX-License-Identifier: Apache-2.0
// Index operands are evaluated first, those that others depend on before them.
#include <weft/engine/prepare.h>

#include <algorithm>
#include <functional>

#include <weft/engine/eval.h>
#include <weft/graph/indexed.h>

namespace weft {

void prepare(std::span<const NodePtr> roots, const EvalOptions& options) {
  if (std::none_of(roots.begin(), roots.end(),
                   [](const NodePtr& root) { return root->depends_on_index(); }))
    return;
  EvalOptions for_index = options;
  for_index.in_place = false;  // that is about the roots
  for_each_index(Expression(roots), [&](const Node& node, const NodePtr& index) {
    node.read_index(Tensor(index).eval(for_index).node());
  });
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

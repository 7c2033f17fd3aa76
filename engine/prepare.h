// What has to be known before a plan is made.
#pragma once

#include <span>

#include <weft/engine/options.h>
#include <weft/graph/node.h>

namespace weft {

/// Evaluates the operands that say where elements come from, and checks them. Throws IndexError.
void prepare(std::span<const NodePtr> roots, const EvalOptions& options);

inline void prepare(const NodePtr& root, const EvalOptions& options) {
  if (root->depends_on_index()) prepare(std::span(&root, 1), options);
}

}  // namespace weft

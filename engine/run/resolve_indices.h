// SPDX-License-Identifier: Apache-2.0
// What has to be known before a plan is made.
#pragma once

#include <span>
#include <vector>

#include <weft/engine/run/options.h>
#include <weft/graph/tensor.h>

namespace weft {

/// Gives a tensor its value and takes that from the limit of what is evaluated next.
void evaluate(const Tensor& tensor, EvalOptions& options);

/// Evaluates the operands that say where elements come from, and checks them. Throws IndexError.
/// To be called before a plan is made.
void resolve_indices(std::span<const NodePtr> roots, const EvalOptions& options);

inline void resolve_indices(const NodePtr& root, const EvalOptions& options) {
  if (root->depends_on_index()) resolve_indices(std::span(&root, 1), options);
}

/// Refuses roots whose values are certain to take more than is allowed, before anything is planned
/// or evaluated for them. Each is given once. Throws MemoryError.
void refuse_too_large(std::span<const NodePtr> roots, const EvalOptions& options);

/// A node that has an index, and that.
struct ResolvedIndex {
  const Node* node;
  NodePtr holder;  ///< keeps the node alive, but where it is the root itself
  NodePtr index;
};

/// All of an expression, after resolve_indices().
std::vector<ResolvedIndex> resolved_indices(const NodePtr& root);

/// Whether one of them lies in memory from `begin` to `end`: a computation may read it there.
bool is_index_within(const std::vector<ResolvedIndex>& indices, const std::byte* begin,
                     const std::byte* end);

}  // namespace weft

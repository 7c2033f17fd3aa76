// SPDX-License-Identifier: Apache-2.0
// What has to be known before a plan is made.
#pragma once

#include <span>

#include <weft/engine/run/options.h>
#include <weft/graph/indexed.h>
#include <weft/graph/tensor.h>

namespace weft {

/// Gives a tensor its value and takes that from the limit of what is evaluated next.
void evaluate(const Tensor& tensor, EvalOptions& options);

/// Whether nobody writes to the memory of an index that has its value.
bool is_fixed_index(const Node& index);

/// Carries out work on so many bytes, on so many threads.
ForParts in_parts(int threads, std::int64_t bytes);

/// Which indices are checked: all, or all but those of roots whose computation checks what it
/// reads, which is right where what it writes is lost with the error.
enum class IndexChecks { all, but_of_roots };

/// Evaluates the operands that say where elements come from, checks them, and reads what a plan is
/// made by. Their values stay beside that of the root: they are taken from the limit of the
/// options. Throws IndexError, and MemoryError where they, or copies of them, take more than is
/// allowed.
Indices resolve_indices(std::span<const NodePtr> roots, EvalOptions& options,
                        IndexChecks checks = IndexChecks::all);

inline Indices resolve_indices(const NodePtr& root, EvalOptions& options,
                               IndexChecks checks = IndexChecks::all) {
  return root->depends_on_index() ? resolve_indices(std::span(&root, 1), options, checks)
                                  : Indices();
}

/// Refuses roots whose values are certain to take more than is allowed, before anything is planned
/// or evaluated for them. Each is given once. Throws MemoryError.
void refuse_too_large(std::span<const NodePtr> roots, const EvalOptions& options);

}  // namespace weft

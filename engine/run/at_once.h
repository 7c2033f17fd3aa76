// SPDX-License-Identifier: Apache-2.0
// Small expressions that compute and move nothing, without a plan: making one takes many times as
// long as they do.
#pragma once

#include <cstddef>

#include <weft/graph/node.h>

namespace weft {

/// Computes the value of `root` into `out` on this thread. False, and nothing is written, where it
/// is large or takes long; where it is not of elementwise ops of one shape over stored tensors that
/// have that shape, or one element, or are its last axes, of as many elements as a group repeats
/// whole; or where one of those overlaps `out`.
bool compute_at_once(const NodePtr& root, std::byte* out);

/// The same in memory of its own, null where that is false; and where the value may be made over
/// an operand that was given up.
Storage value_at_once(const NodePtr& root);

}  // namespace weft

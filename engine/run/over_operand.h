// SPDX-License-Identifier: Apache-2.0
// Programs that may write their result where an operand lies.
#pragma once

#include <cstddef>

#include <weft/graph/plan/plan.h>

namespace weft {

/// Whether links carry a program out, or can: a group of elements is read before it is written.
bool is_of_links(const PassProgram& program);

/// Whether a pass that computes all that it writes reads nothing of a source but, for each element
/// that it writes, the bytes of the source at the same place: they may be the same memory then.
bool may_write_over(const Pass& pass, std::size_t source);

}  // namespace weft

// SPDX-License-Identifier: Apache-2.0
// Passes that compute element by element: where their operands lie.
#pragma once

#include <cstddef>
#include <vector>

#include <weft/graph/plan/plan.h>

namespace weft {

/// A pass that computes, and for each operand the pass that puts it in the order of that one; those
/// follow one another.
struct ComputedPass {
  std::size_t pass;
  SmallVector<std::size_t, 4> operands;
};

/// Gives the passes their pieces: operands are read where the copies of their own passes read them,
/// or, where that makes too many pieces or too short ones, what those passes store. Says which
/// passes nobody reads then. Throws MemoryError.
std::vector<bool> meet_operands(Plan& plan, const std::vector<ComputedPass>& computed,
                                PlanBudget& budget);

}  // namespace weft

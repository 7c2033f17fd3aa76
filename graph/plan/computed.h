// SPDX-License-Identifier: Apache-2.0
// Passes that compute element by element: where their operands lie.
#pragma once

#include <cstddef>
#include <vector>

#include <weft/graph/plan/demand.h>
#include <weft/graph/plan/plan.h>

namespace weft {

/// A pass that computes, and for each operand the pass that puts it in the order of that one; those
/// follow one another.
struct ComputedPass {
  std::size_t pass;
  SmallVector<std::size_t, 4> operands;
};

/// Whether a pass puts an operand of another in that one's order.
bool is_operand(const std::vector<ComputedPass>& computed, std::size_t pass);

/// Whether a group is all that its pass asks for, in whole elements of so many bytes.
bool is_all_of(const Pass& pass, const TargetBoxes& asked, std::int64_t element);

/// Gives the passes their pieces: operands are read where the copies of their own passes read them,
/// or, where that makes too many pieces or too short ones, what those passes store. Drops those
/// that nobody reads then, and says which number each pass has now. Throws MemoryError.
std::vector<std::size_t> meet_operands(Plan& plan, const std::vector<ComputedPass>& computed,
                                       PlanBudget& budget);

}  // namespace weft

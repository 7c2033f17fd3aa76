// SPDX-License-Identifier: Apache-2.0
// Passes that compute element by element: what they are made of, and where their operands lie.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include <weft/graph/plan/plan.h>
#include <weft/graph/plan/slots.h>

namespace weft {

/// Gives the passes that compute their programs and pieces: operands are read where the copies of
/// their own passes read them, or, where that makes too many pieces or too short ones, what those
/// passes store. Drops those that nobody reads then, and says which number each pass has now; none
/// where values that are computed at some of their positions make too many pieces. Throws
/// MemoryError.
std::optional<std::vector<std::size_t>> meet_operands(Plan& plan, Slots& slots, PlanBudget& budget);

}  // namespace weft

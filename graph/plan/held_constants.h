// SPDX-License-Identifier: Apache-2.0
// What is one element for all of a program, though other passes make it.
#pragma once

#include <span>

#include <weft/graph/plan/plan.h>

namespace weft {

/// A tensor of one element that all pieces of a program read as the same value of it becomes one of
/// its constants, which are made ready once and not for each group.
void hold_constants(std::span<const PlanSource> sources, PassProgram& program,
                    std::span<ComputedPiece> pieces);

}  // namespace weft

// SPDX-License-Identifier: Apache-2.0
// What is one element for all of a program, though other passes make it.
#pragma once

#include <span>

#include <weft/graph/plan/plan.h>

namespace weft {

/// A tensor of one element that a program reads for the same value in all of its pieces becomes one
/// of its constants, which are made ready once and not for each row or group.
void hold_constants(std::span<const PlanSource> sources, PassProgram& program,
                    std::span<ComputedPiece> pieces);

}  // namespace weft

// SPDX-License-Identifier: Apache-2.0
// Moving values from those that are read to the constants.
#include <weft/graph/plan/held_constants.h>

#include <algorithm>

namespace weft {
namespace {

/// From value k, which is read, to the last constant: those between are one earlier then.
void hold(std::size_t k, PassProgram& program, std::span<ComputedPiece> pieces) {
  const std::size_t last = program.first_step() - 1;
  const auto moved = [&](std::size_t value) {
    return value < k || value > last ? value : value == k ? last : value - 1;
  };
  program.constants.push_back(pieces.front().sources[k]);
  --program.reads;
  const auto type = program.types.begin() + static_cast<std::ptrdiff_t>(k);
  std::rotate(type, type + 1, program.types.begin() + static_cast<std::ptrdiff_t>(last) + 1);
  for (PassProgram::Step& step : program.steps)
    for (std::uint32_t& operand : step.operands)
      operand = static_cast<std::uint32_t>(moved(operand));
  for (ComputedPiece& piece : pieces) {
    piece.sources.erase(piece.sources.begin() + k);
    piece.box.first.erase(piece.box.first.begin() + k);
    for (JointLoop& loop : piece.box.loops) loop.steps.erase(loop.steps.begin() + k);
    join_loops(piece.box);
  }
}

}  // namespace

void hold_constants(std::span<const PlanSource> sources, PassProgram& program,
                    std::span<ComputedPiece> pieces) {
  if (pieces.empty()) return;
  for (std::size_t k = program.reads; k-- > 0;) {
    const std::size_t source = pieces.front().sources[k];
    // Of another type one may be several.
    if (sources[source].count != 1 || sources[source].bytes() != program.types[k].size()) continue;
    if (std::all_of(pieces.begin(), pieces.end(),
                    [&](const ComputedPiece& piece) { return piece.sources[k] == source; }))
      hold(k, program, pieces);
  }
}

}  // namespace weft

// SPDX-License-Identifier: Apache-2.0
// Looking through pieces for what is read elsewhere than it is written.
#include <weft/engine/run/over_operand.h>

#include <algorithm>

namespace weft {
namespace {

/// Whether value k of a piece lies as the result does.
bool lies_as_result(const JointBox& box, std::size_t k) {
  return box.first[k] == box.offset &&
         std::all_of(box.loops.begin(), box.loops.end(), [&](const JointLoop& loop) {
           return loop.steps[k] == JointStep{loop.stride, nullptr};
         });
}

}  // namespace

bool is_of_links(const PassProgram& program) {
  if (program.steps.size() > 1) return true;
  const Instruction& one = *program.steps[0].instruction;
  return one.may_be_in_programs() &&
         std::all_of(program.types.begin(), program.types.end(), is_in_programs);
}

bool may_write_over(const Pass& pass, std::size_t source) {
  const auto may_be_over = [&](const PassProgram& program) {
    const auto& constants = program.constants;
    return is_of_links(program) &&
           std::find(constants.begin(), constants.end(), source) == constants.end();
  };
  if (!pass.has_program() || !pass.copies.empty() ||
      !std::all_of(pass.programs.begin(), pass.programs.end(), may_be_over))
    return false;
  return std::all_of(pass.pieces.begin(), pass.pieces.end(), [&](const ComputedPiece& piece) {
    const PassProgram& program = pass.programs[piece.program];
    for (std::size_t k = 0; k < program.reads; ++k)
      if (piece.sources[k] == source &&
          (program.types[k].size() != pass.element() || !lies_as_result(piece.box, k)))
        return false;
    return true;
  });
}

}  // namespace weft

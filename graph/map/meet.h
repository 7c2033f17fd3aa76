// SPDX-License-Identifier: Apache-2.0
// Meeting: operands of one iteration space, each with boxes of its own, as pieces in which all of
// them step together.
//
// A piece says which positions of the space it has, and where each operand lies there:
//
//     at       = offset   + sum over loops of stride * i
//     place[k] = first[k] + sum over loops of step[k] * i      (linear, in operand k)
//
// with 0 <= i < extent for each loop. For operands x and y, y rolled by 1, over a space of 4:
//
//     {at 0, first (0, 3)}    {at 1, first (1, 0)} {3: stride 1, step (1, 1)}
//
// Invariants: pieces are disjoint and cover the space; strides are positive, sorted, largest first,
// and nested, each larger than the span of the loops below it; no two neighbouring loops could be
// one. Steps may be anything, 0 and negative among them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <weft/graph/map/box.h>

namespace weft {

/// How an operand goes on along a loop: by a stride, or as a table says (step 0).
struct JointStep {
  std::int64_t step = 0;
  const std::int64_t* table = nullptr;  ///< of as many entries as the loop has steps

  std::int64_t at(std::int64_t i) const { return table ? table[i] : step * i; }
  friend bool operator==(const JointStep&, const JointStep&) = default;
};

struct JointLoop {
  std::int64_t extent, stride;
  SmallVector<JointStep, 4> steps;  ///< of each operand

  std::int64_t span() const { return stride * (extent - 1); }
};

/// Whether two loops, one around the other, are one.
bool can_join(const JointLoop& outer, const JointLoop& inner);

struct JointBox {
  std::int64_t offset = 0;
  SmallVector<std::int64_t, 4> first{};  ///< of each operand
  std::vector<JointLoop> loops{};

  std::int64_t count() const {
    std::int64_t n = 1;
    for (const JointLoop& loop : loops) n *= loop.extent;
    return n;
  }
  /// What its loops take, beside itself.
  std::size_t loop_bytes() const { return loops.size() * sizeof(JointLoop); }
};
using JointBoxes = std::vector<JointBox>;

/// Drops loops of one step and joins neighbours.
void join_loops(JointBox& box);

/// The pieces of a space that all operands reach, each given as disjoint boxes in linear
/// coordinates (of one axis). None where there would be more than `most`, where they would take
/// more memory than is left, or where finding them costs more than some steps for each: an operand
/// that is stored first is one box. In the order of their offsets; they read what `operands` has as
/// tables. What they take is theirs to count who keeps them.
std::optional<JointBoxes> meet(std::span<const Boxes> operands, std::size_t most,
                               const PlanBudget& left = PlanBudget());
/// The same of pieces of one operand each, whose loops are as pieces' are.
std::optional<JointBoxes> meet(std::span<const JointBoxes> operands, std::size_t most,
                               const PlanBudget& left = PlanBudget());

/// Throws InternalError naming the invariant that pieces of a space of `count` positions break, but
/// for disjointness where the numbers of positions agree.
void check_joint(const JointBoxes& pieces, std::int64_t count);

}  // namespace weft

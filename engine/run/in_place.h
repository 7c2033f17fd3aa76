// SPDX-License-Identifier: Apache-2.0
// Where a result may be written over what it is made of.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include <weft/graph/map/cyclic_map.h>
#include <weft/graph/plan/plan.h>

namespace weft {

/// Stored sources that hold the elements of an output wherever no copy of another source writes,
/// all but a quarter at most (`at_any_cost`: but any part), which is read before anything is
/// written, and that no later pass reads; or that a program reads only at the elements that it
/// writes. The output may be written over one of them that nobody else holds. Where copies move
/// nothing, all that is written belongs to the result, so that can be done again where it was
/// broken off.
SmallVector<std::size_t, 4> bases(const Plan& plan, std::size_t output, bool at_any_cost = false);

/// Whether a copy leaves the elements of a base where they are.
bool is_kept(const Copy& copy, const Pass& pass);

/// The copies of a pass that is written over the source `base`.
struct OverBase {
  Pass pass;   ///< what differs from the base; what moves is read from one more source, the last
  Pass moved;  ///< reads the base, and makes that source; without copies where nothing moves
};
OverBase over_base(const Pass& pass, std::size_t base, std::size_t sources);

/// The value of an op that replaces() a part of stored data by stored updates, written over the
/// data where that was given up; null where it is anything else. What planning would find, without
/// planning: for one small step after another.
Storage replaced(const Node& root, int threads);

/// How the axes of one stored tensor turn, where that is all that `root` does.
std::optional<CyclicMap> turn_of(const Node& root);

/// Whether a plan whose root is but a turn may do that within its only source.
bool can_turn(const Plan& plan);

/// Turns the axes of elements in memory.
void turn_in_place(std::byte* data, const Shape& shape, const CyclicMap& turn, std::int64_t element,
                   int threads);

/// Which memory the value of `root` would be written over if it was evaluated now ("source 0"), or
/// why it would not be.
struct InPlace {
  bool is_possible;
  bool is_held;  ///< nothing is in the way but that somebody else holds the memory, too
  std::string text;
};
InPlace in_place_of(const Node& root, const Plan& plan, bool at_any_cost = false);

}  // namespace weft

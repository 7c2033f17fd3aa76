// SPDX-License-Identifier: Apache-2.0
// What passes read: boxes that have reached memory, which in the end are joined and become copies.
#pragma once

#include <cstdint>
#include <vector>

#include <weft/graph/plan/plan.h>

namespace weft {

class Reads {
 public:
  Reads(Arena& arena, PlanBudget& budget) : budget_(budget), reads_(&arena) {}

  /// Boxes in linear coordinates of a source, for one layer of a pass.
  void add(std::size_t pass, std::uint64_t layer, std::size_t source, Boxes lines) {
    reads_.push_back({pass, layer, source, std::move(lines)});
  }

  /// Gives each pass its copies, lower layers first and then by where they start.
  void finish(std::vector<Pass>& passes);

 private:
  struct Read {
    std::size_t pass;
    std::uint64_t layer;
    std::size_t source;
    Boxes lines;
  };
  PlanBudget& budget_;
  std::vector<Read, ArenaAllocator<Read>> reads_;
};

}  // namespace weft

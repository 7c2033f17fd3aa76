// SPDX-License-Identifier: Apache-2.0
// What passes read: boxes that have reached memory, which in the end are joined and become copies.
#pragma once

#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

#include <weft/graph/plan/plan.h>

namespace weft {

class Reads {
 public:
  Reads(Arena& arena, PlanBudget& budget) : budget_(budget), reads_(&arena) {}

  /// Boxes for one layer of a pass, in linear coordinates of a source, which as the output is
  /// counted in units of so many bytes.
  struct Read {
    std::size_t pass;
    std::uint64_t layer;
    std::size_t source;
    std::uint32_t unit;
    Boxes lines;
    auto key() const { return std::tie(pass, layer, source); }
  };
  void add(Read read) { reads_.push_back(std::move(read)); }

  /// Gives each pass its copies, lower layers first and then by where they start. A pass that moves
  /// parts of its elements becomes one of those parts.
  void finish(std::vector<Pass>& passes);

 private:
  /// Of the reads [first, end), of one pass: puts boxes of one layer and source together.
  void join(std::size_t first, std::size_t end);
  /// Makes the pass one of parts of its elements: of the largest that all of those move whole.
  void part(Pass& pass, std::int64_t unit, std::size_t first, std::size_t end);

  PlanBudget& budget_;
  std::vector<Read, ArenaAllocator<Read>> reads_;
};

}  // namespace weft

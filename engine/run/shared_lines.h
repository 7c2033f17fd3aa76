// SPDX-License-Identifier: Apache-2.0
// Lines that tasks share: to take one out of another core's caches takes longer than to move it.
#pragma once

#include <cstddef>
#include <cstdint>

#include <weft/graph/plan/plan.h>

namespace weft {

/// A copy cut along one of its loops, between so many steps.
struct LoopCut {
  const Copy& copy;
  std::size_t loop;
  std::int64_t steps;
  std::int64_t element;
  bool reads_made;  ///< what passes before it made, in their order
};

/// About how long threads wait for lines that they share along one cut, in nanoseconds. Two tasks
/// that follow one another are of one thread for the most part, so one cut is all there is between
/// two threads. 0 where a loop goes by a table.
double wait_of(const LoopCut& cut);

}  // namespace weft

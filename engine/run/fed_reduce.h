// SPDX-License-Identifier: Apache-2.0
// Reducing what another pass makes, while it makes it: some rows of it at a time, in memory of the
// task that adds them up.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <weft/engine/run/reduce_steps.h>
#include <weft/engine/run/row_steps.h>
#include <weft/graph/plan/plan.h>

namespace weft {

/// Only read once it is made.
struct FedReduce {
  ReduceSteps reduce{};
  std::int64_t row = 1;  ///< elements of a row of what is made
  RowDivision division{};
  std::vector<RowSteps> blocks{};  ///< what makes the rows of each column unit
  std::int64_t slab_bytes = 0;     ///< of a task
  std::int64_t scratch_bytes = 0;  ///< of a task, behind that

  std::int64_t task_bytes() const { return slab_bytes + scratch_bytes + reduce.task_bytes(); }
  /// Where all tasks run at once.
  std::int64_t aside_bytes() const {
    return reduce.parts_bytes() + reduce.tasks() * task_bytes();
  }
  /// What it takes itself.
  std::int64_t bytes() const;
};

/// Of a pass that nobody but `reducing` reads; none where that reads it in another order than it is
/// made, or where it would not pay.
std::optional<FedReduce> make_fed_reduce(const Pass& fed, const Pass& reducing,
                                         const BlockLimits& limits);

/// Writes the results, on `threads` at most, or 0 for as many as there are, and on no more than
/// `most_aside` bytes have room for, but one. Throws MemoryError before anything is written.
void run(const FedReduce& fed, const Pass& pass, std::byte* out,
         std::span<const std::byte* const> sources, int threads, std::int64_t most_aside);

}  // namespace weft

// SPDX-License-Identifier: Apache-2.0
// Reducing what another pass makes, while it makes it: some rows of it at a time, in memory of the
// task that adds them up.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <weft/engine/run/reduce_steps.h>
#include <weft/engine/run/reduce_task.h>
#include <weft/engine/run/row_steps.h>
#include <weft/graph/plan/plan.h>

namespace weft {

/// Only read once it is made.
struct FedReduce {
  /// Elements of a row that lie side by side somewhere, and may as well be read there.
  struct Run {
    std::size_t source;
    std::int64_t first, step;     ///< in bytes, as RowFeed has them
    std::int64_t offset, length;  ///< in the row, in elements
  };
  ReduceSteps reduce{};
  std::int64_t row = 1;  ///< elements of a row of what is made
  RowDivision division{};
  std::vector<std::vector<Run>> runs{};  ///< of each segment, where rows are not made but found
  std::vector<RowSteps> blocks{};        ///< what makes the rows of each column unit
  std::int64_t slab_bytes = 0;           ///< of a task
  std::int64_t scratch_bytes = 0;        ///< of a task, behind that

  bool is_found() const { return !runs.empty(); }
  std::int64_t task_bytes() const { return slab_bytes + scratch_bytes + reduce.task_bytes(); }
  /// Where all tasks run at once.
  std::int64_t aside_bytes() const { return reduce.parts_bytes() + reduce.tasks() * task_bytes(); }
  /// What it takes itself.
  std::int64_t bytes() const;
};

/// Where the elements of a unit are, in the order in which they are made.
struct FedRange {
  std::int64_t begin, end;          ///< elements, of which a column has one a row
  std::int64_t first_row, end_row;  ///< that have them
};
FedRange range_of(const FedReduce& fed, const ReduceUnit& unit);

/// Calls visit(steps, slab) for what makes what a unit adds up.
template <class Visit>
void for_each_slab(const FedReduce& fed, const ReduceUnit& unit, const Visit& visit) {
  const bool has_columns = fed.reduce.manner == ReduceSteps::Manner::columns;
  const RowSteps& steps =
      fed.blocks[static_cast<std::size_t>(has_columns ? unit.column / fed.reduce.width : 0)];
  const FedRange range = range_of(fed, unit);
  fed.division.for_each_slab(range.first_row, range.end_row,
                             [&](const RowSlab& slab) { visit(steps, slab); });
}

/// Of a pass that nobody but `reducing` reads; none where that reads it in another order than it is
/// made, or where it would not pay; where asked so, also if it would have to be made.
std::optional<FedReduce> make_fed_reduce(const Pass& fed, const Pass& reducing,
                                         const BlockLimits& limits, bool is_found_only);

/// Writes the results, on `threads` at most, or 0 for as many as there are, and on no more than
/// `most_aside` bytes have room for, but one. Throws MemoryError before anything is written.
void run(const FedReduce& fed, const Pass& pass, std::byte* out,
         std::span<const std::byte* const> sources, int threads, std::int64_t most_aside);

}  // namespace weft

// SPDX-License-Identifier: Apache-2.0
// What carries a pass that reduces out: units of results side by side, each of a chunk of what is
// reduced.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include <weft/engine/kernels/reduce.h>
#include <weft/engine/memory/buffer.h>
#include <weft/engine/run/blocks.h>
#include <weft/graph/plan/plan.h>

namespace weft {

/// Only read once it is made, so threads may run one at the same time.
struct ReduceSteps {
  /// How the elements of a unit are reached.
  enum class Manner : std::uint8_t {
    rows,     ///< those of one result lie side by side
    columns,  ///< results lie side by side
    strided   ///< neither
  };
  /// Strides in bytes of the operand, and in results.
  struct Loop {
    std::int64_t extent, step, out;
  };
  using Loops = SmallVector<Loop, 4>;

  const ReduceKernels* kernels = nullptr;
  std::size_t source = 0;   ///< of the plan
  std::int64_t offset = 0;  ///< of its first element, in bytes
  Manner manner = Manner::rows;
  Loops around{};           ///< over units, outermost first
  Loop columns{1, 0, 0};    ///< results of which a unit has `width`
  Loops reduced{};          ///< outermost first
  std::int64_t extent = 1;  ///< elements that make a result
  std::int64_t results = 1, width = 1;
  std::int64_t share = 1;  ///< units of a task

  std::int64_t chunks() const { return (extent + chunk_elements - 1) / chunk_elements; }
  std::int64_t column_units() const { return (columns.extent + width - 1) / width; }
  std::int64_t units() const {
    std::int64_t units = column_units() * chunks();
    for (const Loop& loop : around) units *= loop.extent;
    return units;
  }
  std::int64_t tasks() const { return (units() + share - 1) / share; }
  /// What the results of chunks take until they are combined, in whole lines.
  std::int64_t parts_bytes() const {
    return chunks() == 1 ? 0 : in_lines(chunks() * results * kernels->element);
  }
  /// What the partial results of a unit take.
  std::int64_t partial_bytes() const {
    return in_lines(std::min(extent, partial_results) * width * kernels->element);
  }
  /// What a task needs: those, and a row that is put together.
  std::int64_t task_bytes() const {
    return partial_bytes() + (manner == Manner::strided ? in_lines(width * kernels->element) : 0);
  }
  /// What a run on one thread needs.
  std::int64_t alone_bytes() const { return parts_bytes() + task_bytes(); }
  /// What is needed where all tasks run at once.
  std::int64_t scratch_bytes() const {
    return parts_bytes() + (task_bytes() <= near_bytes ? 0 : tasks() * task_bytes());
  }

 private:
  static std::int64_t in_lines(std::int64_t bytes) {
    return (bytes + cache_line - 1) / cache_line * cache_line;
  }
};

ReduceSteps make_reduce_steps(const Pass& pass);

/// Writes the results, on `threads` at most, or 0 for as many as there are. Throws MemoryError.
void run(const ReduceSteps& steps, const Pass& pass, std::byte* out,
         std::span<const std::byte* const> sources, int threads);

/// The same on this thread; `aside` has alone_bytes().
void run_alone(const ReduceSteps& steps, std::byte* out, std::span<const std::byte* const> sources,
               std::byte* aside) noexcept;

}  // namespace weft

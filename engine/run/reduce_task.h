// SPDX-License-Identifier: Apache-2.0
// What a task of a reduction does: its units, one after another.
#pragma once

#include <cstddef>
#include <cstdint>

#include <weft/engine/run/reduce_steps.h>

namespace weft {

/// Results side by side, and those of their elements that are of one chunk.
struct ReduceUnit {
  std::int64_t from;    ///< where the elements of the first result begin, in bytes
  std::int64_t result;  ///< the first one
  std::int64_t column, width;
  std::int64_t begin, end;  ///< of the elements that make a result
  std::int64_t chunk;
};
ReduceUnit unit_of(const ReduceSteps& steps, std::int64_t number);

class ReduceTask {
 public:
  /// Reads `operand` and writes the results of chunk after chunk to `to`; `aside` has room for
  /// partial results, and a row.
  ReduceTask(const ReduceSteps& steps, const std::byte* operand, std::byte* to,
             std::byte* aside) noexcept;

  /// Units [begin, end), of elements where they lie.
  void run(std::int64_t begin, std::int64_t end) noexcept;

  // The same in steps, of elements that come from elsewhere.
  void start(const ReduceUnit& unit) noexcept;
  /// So many elements of each result: all results of the first one, then of the next.
  void add(const std::byte* from, std::int64_t count) noexcept;
  /// Of some of the results, `step` bytes from element to element; advance() follows once all have
  /// theirs.
  void add_part(const std::byte* from, std::int64_t step, std::int64_t count, std::int64_t first,
                std::int64_t width) noexcept;
  void advance(std::int64_t count) noexcept { count_ += count; }
  void finish(const ReduceUnit& unit) noexcept;

 private:
  void add_loops(std::size_t k, const std::byte* from, std::int64_t all, std::int64_t begin,
                 std::int64_t end) noexcept;
  void add_run(const std::byte* from, std::int64_t step, std::int64_t count) noexcept;
  void add_rows(const std::byte* from, std::int64_t rows) noexcept;
  void add_strided(const std::byte* from) noexcept;
  template <class T>
  void gather(const std::byte* from, std::int64_t step) noexcept;
  void join(std::int64_t live) noexcept;
  void put(std::byte* to) const noexcept;

  const ReduceSteps& steps_;
  const std::int64_t element_;
  const std::byte* const operand_;
  std::byte* const to_;
  std::int64_t width_ = 1, count_ = 0;  // of the unit at hand: results, elements of each so far
  std::byte* const partial_;
  std::byte* const row_;
};

/// What the results of chunks, one chunk behind another, are together.
void join_chunks(const ReduceSteps& steps, std::byte* parts, std::byte* out) noexcept;

}  // namespace weft

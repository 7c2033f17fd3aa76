// SPDX-License-Identifier: Apache-2.0
// Reducing, unit by unit, and then what the chunks of a result have made.
#include <algorithm>
#include <atomic>
#include <cstring>
#include <functional>
#include <memory>

#include <weft/engine/kernels/counting.h>
#include <weft/engine/memory/buffer.h>
#include <weft/engine/run/reduce_steps.h>
#include <weft/engine/run/workers.h>

namespace weft {
namespace {

using Loop = ReduceSteps::Loop;
using Manner = ReduceSteps::Manner;

// Rows that are added to a partial result before the next one is looked at: more take more pages.
constexpr std::int64_t rows_at_once = 4;

/// One task.
class Task {
 public:
  /// `aside` has room for partial results, and a row.
  Task(const ReduceSteps& steps, const std::byte* operand, std::byte* to, std::byte* aside) noexcept
      : steps_(steps),
        element_(steps.kernels->element),
        operand_(operand),
        to_(to),
        partial_(aside),
        row_(aside + steps.partial_bytes()) {}

  void run(std::int64_t unit, std::int64_t end) noexcept {
    const bool is_whole = steps_.manner == Manner::rows && steps_.chunks() == 1 &&
                          steps_.reduced.size() == 1 && steps_.around.size() == 1;
    if (!is_whole) {
      for (; unit < end; ++unit) run(unit);
      return;
    }
    const Loop& rows = steps_.around[0];
    for (; unit < end; ++unit)
      steps_.kernels->fold_all(to_ + unit * rows.out * element_, operand_ + unit * rows.step,
                               steps_.extent);
  }

 private:
  /// Chunks are outermost, then what goes round, then columns.
  void run(std::int64_t unit) noexcept {
    const std::int64_t blocks = steps_.column_units(), block = unit % blocks;
    std::int64_t left = unit / blocks, result = 0;
    const std::byte* from = operand_;
    for (std::size_t k = steps_.around.size(); k-- > 0;) {
      const Loop& loop = steps_.around[k];
      const std::int64_t i = left % loop.extent;
      from += i * loop.step;
      result += i * loop.out;
      left /= loop.extent;
    }
    const std::int64_t column = block * steps_.width;
    from += column * steps_.columns.step;
    result += column * steps_.columns.out;
    width_ = std::min(steps_.width, steps_.columns.extent - column);
    const std::int64_t begin = left * chunk_elements,
                       end = std::min(steps_.extent, begin + chunk_elements);
    count_ = 0;
    add_loops(0, from, steps_.extent, begin, end);
    join(std::min(count_, partial_results));
    put(to_ + (left * steps_.results + result) * element_);
  }

  /// Elements [begin, end) of loops from k on, which are `all`.
  void add_loops(std::size_t k, const std::byte* from, std::int64_t all, std::int64_t begin,
                 std::int64_t end) noexcept {
    if (k == steps_.reduced.size()) return add_run(from, 0, end - begin);
    const Loop& loop = steps_.reduced[k];
    const std::int64_t each = all / loop.extent;
    if (k + 1 == steps_.reduced.size())
      return add_run(from + begin * loop.step, loop.step, end - begin);
    for (std::int64_t i = begin / each; i * each < end; ++i)
      add_loops(k + 1, from + i * loop.step, each, std::max<std::int64_t>(0, begin - i * each),
                std::min(each, end - i * each));
  }

  /// Elements `step` apart; of a unit's width each.
  void add_run(const std::byte* from, std::int64_t step, std::int64_t count) noexcept {
    const std::int64_t row = width_ * element_;
    const bool lie_together =
        steps_.manner == Manner::rows || (steps_.manner == Manner::columns && step == row);
    if (lie_together) return add_together(from, count);
    if (steps_.manner == Manner::columns && steps_.reduced.size() == 1)
      return add_columns(from, step, count);
    for (std::int64_t i = 0; i < count; ++i, from += step) {
      if (steps_.manner == Manner::columns) add_rows(from, 1);
      else add_strided(from);
    }
  }
  /// Some rows of each partial result at a time, in registers.
  void add_columns(const std::byte* from, std::int64_t step, std::int64_t count) noexcept {
    constexpr std::int64_t group = rows_at_once * partial_results;
    const std::int64_t row = width_ * element_, first = std::min(count, partial_results);
    for (std::int64_t lane = 0; lane < first; ++lane)
      std::memcpy(partial_ + lane * row, from + lane * step, static_cast<std::size_t>(row));
    for (std::int64_t begin = partial_results; begin < count; begin += group)
      for (std::int64_t lane = 0; lane < std::min(count - begin, partial_results); ++lane) {
        const std::int64_t own = begin + lane, end = std::min(count, begin + group);
        const std::int64_t rows = (end - own + partial_results - 1) / partial_results;
        steps_.kernels->fold_rows(partial_ + lane * row, from + own * step, partial_results * step,
                                  rows, width_);
      }
    count_ = count;
  }
  void add_together(const std::byte* from, std::int64_t count) noexcept {
    while (count > 0) {
      const std::int64_t lane = count_ % partial_results;
      std::int64_t rows = std::min(count, partial_results - lane);
      if (width_ == 1 && lane == 0 && count_ > 0 && count >= partial_results) {
        rows = count / partial_results * partial_results;
        steps_.kernels->fold(partial_, from, rows / partial_results);
        count_ += rows;
      } else {
        add_rows(from, rows);
      }
      from += rows * width_ * element_;
      count -= rows;
    }
  }
  /// Rows of a unit's width that follow one another, for as many partial results.
  void add_rows(const std::byte* from, std::int64_t rows) noexcept {
    const std::int64_t row = width_ * element_;
    std::byte* const to = partial_ + count_ % partial_results * row;
    if (count_ < partial_results) std::memcpy(to, from, static_cast<std::size_t>(rows * row));
    else steps_.kernels->combine(to, from, rows * width_);
    count_ += rows;
  }
  void add_strided(const std::byte* from) noexcept {
    const std::int64_t step = steps_.columns.step;
    if (element_ == 8) gather<std::uint64_t>(from, step);
    else gather<std::uint32_t>(from, step);
    add_rows(row_, 1);
  }
  template <class T>
  void gather(const std::byte* from, std::int64_t step) noexcept {
    for (std::int64_t k = 0; k < width_; ++k, from += step)
      std::memcpy(row_ + k * std::int64_t{sizeof(T)}, from, sizeof(T));
  }

  /// Of so many partial results the first one becomes that of all.
  void join(std::int64_t live) noexcept {
    for (std::int64_t half = partial_results / 2; half > 0; half /= 2) {
      if (live <= half) continue;
      steps_.kernels->combine(partial_, partial_ + half * width_ * element_,
                              (live - half) * width_);
      live = half;
    }
  }

  void put(std::byte* to) const noexcept {
    if (steps_.columns.out == 1 || width_ == 1) {
      std::memcpy(to, partial_, static_cast<std::size_t>(width_ * element_));
      return;
    }
    const std::int64_t step = steps_.columns.out * element_;
    for (std::int64_t k = 0; k < width_; ++k)
      std::memcpy(to + k * step, partial_ + k * element_, static_cast<std::size_t>(element_));
  }

  const ReduceSteps& steps_;
  const std::int64_t element_;
  const std::byte* const operand_;
  std::byte* const to_;
  std::int64_t width_ = 1, count_ = 0;  // of the unit at hand: results, elements of each so far
  std::byte* const partial_;
  std::byte* const row_;
};

/// Neighbours are combined until one is left.
void join_chunks(const ReduceSteps& steps, std::byte* parts, std::byte* out) noexcept {
  const std::int64_t bytes = steps.results * steps.kernels->element;
  for (std::int64_t left = steps.chunks(); left > 1; left = (left + 1) / 2)
    for (std::int64_t k = 0; 2 * k < left; ++k) {
      std::byte* const to = parts + k * bytes;
      if (k > 0) std::memcpy(to, parts + 2 * k * bytes, static_cast<std::size_t>(bytes));
      if (2 * k + 1 < left) steps.kernels->combine(to, parts + (2 * k + 1) * bytes, steps.results);
    }
  std::memcpy(out, parts, static_cast<std::size_t>(bytes));
}

}  // namespace

void run(const ReduceSteps& steps, const Pass& pass, std::byte* out,
         std::span<const std::byte* const> sources, int threads) {
  const std::byte* const operand = sources[steps.source] + steps.offset;
  const std::int64_t units = steps.units(), tasks = steps.tasks(), parts = steps.parts_bytes();
  const Workers workers(tasks == 1 ? 1 : threads);
  const std::int64_t at_once = std::min(workers.count(), tasks), each = steps.task_bytes();
  const bool is_near = each <= near_bytes;
  std::shared_ptr<std::byte> memory;
  if (const std::int64_t bytes = parts + (is_near ? 0 : at_once * each); bytes > 0)
    memory = allocate(bytes, pass.what, pass.type.shape);
  std::byte* const to = parts > 0 ? memory.get() : out;
  std::atomic<std::int64_t> next = 0;
  const auto task = [&](std::int64_t t) {
    alignas(cache_line) std::byte near[near_bytes];
    Task own(steps, operand, to, is_near ? near : memory.get() + parts + t * each);
    for (std::int64_t k; (k = next.fetch_add(1)) < tasks;)
      own.run(k * steps.share, std::min(units, (k + 1) * steps.share));
  };
  if (at_once > 1) workers.run(at_once, std::ref(task));
  else task(0);
  if (parts > 0) join_chunks(steps, to, out);
}

void run_alone(const ReduceSteps& steps, std::byte* out, std::span<const std::byte* const> sources,
               std::byte* aside) noexcept {
  const std::int64_t parts = steps.parts_bytes(), units = steps.units();
  Task own(steps, sources[steps.source] + steps.offset, parts > 0 ? aside : out, aside + parts);
  own.run(0, units);
  if (parts > 0) join_chunks(steps, aside, out);
}

}  // namespace weft

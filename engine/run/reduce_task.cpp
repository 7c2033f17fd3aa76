// SPDX-License-Identifier: Apache-2.0
// The elements of a unit go to its partial results, and those into one.
#include <weft/engine/run/reduce_task.h>

#include <algorithm>
#include <cstring>

namespace weft {
namespace {

using Manner = ReduceSteps::Manner;

// Rows that are added to a partial result before the next one is looked at: more take more pages.
constexpr std::int64_t rows_at_once = 4;

}  // namespace

/// Chunks are outermost, then what goes round, then columns.
ReduceUnit unit_of(const ReduceSteps& steps, std::int64_t number) {
  const std::int64_t blocks = steps.column_units(), block = number % blocks;
  std::int64_t left = number / blocks;
  ReduceUnit unit{};
  for (std::size_t k = steps.around.size(); k-- > 0;) {
    const ReduceSteps::Loop& loop = steps.around[k];
    const std::int64_t i = left % loop.extent;
    unit.from += i * loop.step;
    unit.result += i * loop.out;
    left /= loop.extent;
  }
  unit.column = block * steps.width;
  unit.from += unit.column * steps.columns.step;
  unit.result += unit.column * steps.columns.out;
  unit.width = std::min(steps.width, steps.columns.extent - unit.column);
  unit.chunk = left;
  unit.begin = left * chunk_elements;
  unit.end = std::min(steps.extent, unit.begin + chunk_elements);
  return unit;
}

ReduceTask::ReduceTask(const ReduceSteps& steps, const std::byte* operand, std::byte* to,
                       std::byte* aside) noexcept
    : steps_(steps),
      element_(steps.kernels->element),
      operand_(operand),
      to_(to),
      partial_(aside),
      row_(aside + steps.partial_bytes()) {}

void ReduceTask::run(std::int64_t number, std::int64_t end) noexcept {
  const bool is_whole = steps_.manner == Manner::rows && steps_.chunks() == 1 &&
                        steps_.reduced.size() == 1 && steps_.around.size() == 1;
  if (is_whole) {
    const ReduceSteps::Loop& rows = steps_.around[0];
    for (; number < end; ++number)
      steps_.kernels->fold_all(to_ + number * rows.out * element_, operand_ + number * rows.step,
                               steps_.extent);
    return;
  }
  for (; number < end; ++number) {
    const ReduceUnit unit = unit_of(steps_, number);
    start(unit);
    add_loops(0, operand_ + unit.from, steps_.extent, unit.begin, unit.end);
    finish(unit);
  }
}

void ReduceTask::start(const ReduceUnit& unit) noexcept {
  width_ = unit.width;
  count_ = 0;
}

void ReduceTask::finish(const ReduceUnit& unit) noexcept {
  join(std::min(count_, partial_results));
  put(to_ + (unit.chunk * steps_.results + unit.result) * element_);
}

/// Elements [begin, end) of loops from k on, which are `all`.
void ReduceTask::add_loops(std::size_t k, const std::byte* from, std::int64_t all,
                           std::int64_t begin, std::int64_t end) noexcept {
  if (k == steps_.reduced.size()) return add_run(from, 0, end - begin);
  const ReduceSteps::Loop& loop = steps_.reduced[k];
  const std::int64_t each = all / loop.extent;
  if (k + 1 == steps_.reduced.size())
    return add_run(from + begin * loop.step, loop.step, end - begin);
  for (std::int64_t i = begin / each; i * each < end; ++i)
    add_loops(k + 1, from + i * loop.step, each, std::max<std::int64_t>(0, begin - i * each),
              std::min(each, end - i * each));
}

/// Elements `step` apart; of a unit's width each.
void ReduceTask::add_run(const std::byte* from, std::int64_t step, std::int64_t count) noexcept {
  if (steps_.manner == Manner::rows) return add(from, count);
  if (steps_.manner == Manner::columns) {
    if (step == width_ * element_) return add(from, count);
    add_part(from, step, count, 0, width_);
    return advance(count);
  }
  for (std::int64_t i = 0; i < count; ++i, from += step) add_strided(from);
}

void ReduceTask::add(const std::byte* from, std::int64_t count) noexcept {
  const std::int64_t row = width_ * element_;
  while (count > 0) {
    const std::int64_t lane = count_ % partial_results;
    if (lane == 0 && count > partial_results) {
      // Whole rounds; the first elements of all are copied.
      if (width_ > 1) {
        add_part(from, row, count, 0, width_);
        return advance(count);
      }
      if (count_ > 0) {
        const std::int64_t rounds = count / partial_results, rows = rounds * partial_results;
        steps_.kernels->fold(partial_, from, rounds);
        count_ += rows;
        from += rows * row;
        count -= rows;
        continue;
      }
    }
    const std::int64_t rows = std::min(count, partial_results - lane);
    add_rows(from, rows);
    from += rows * row;
    count -= rows;
  }
}

/// Some rows of each partial result at a time, in registers.
void ReduceTask::add_part(const std::byte* from, std::int64_t step, std::int64_t count,
                          std::int64_t first, std::int64_t width) noexcept {
  constexpr std::int64_t group = rows_at_once * partial_results;
  const std::int64_t row = width_ * element_;
  std::byte* const to = partial_ + first * element_;
  const auto lane_of = [&](std::int64_t i) { return to + (count_ + i) % partial_results * row; };
  // The first elements of all are copied.
  const std::int64_t copied = std::clamp<std::int64_t>(partial_results - count_, 0, count);
  for (std::int64_t i = 0; i < copied; ++i)
    std::memcpy(lane_of(i), from + i * step, static_cast<std::size_t>(width * element_));
  for (std::int64_t begin = copied; begin < count; begin += group)
    for (std::int64_t i = begin; i < std::min(count, begin + partial_results); ++i) {
      const std::int64_t end = std::min(count, begin + group);
      const std::int64_t rows = (end - i + partial_results - 1) / partial_results;
      steps_.kernels->fold_rows(lane_of(i), from + i * step, partial_results * step, rows, width);
    }
}

/// Rows of a unit's width that follow one another, for as many partial results.
void ReduceTask::add_rows(const std::byte* from, std::int64_t rows) noexcept {
  const std::int64_t row = width_ * element_;
  std::byte* const to = partial_ + count_ % partial_results * row;
  if (count_ < partial_results) std::memcpy(to, from, static_cast<std::size_t>(rows * row));
  else steps_.kernels->combine(to, from, rows * width_);
  count_ += rows;
}

void ReduceTask::add_strided(const std::byte* from) noexcept {
  const std::int64_t step = steps_.columns.step;
  if (element_ == 8) gather<std::uint64_t>(from, step);
  else gather<std::uint32_t>(from, step);
  add_rows(row_, 1);
}
template <class T>
void ReduceTask::gather(const std::byte* from, std::int64_t step) noexcept {
  for (std::int64_t k = 0; k < width_; ++k, from += step)
    std::memcpy(row_ + k * std::int64_t{sizeof(T)}, from, sizeof(T));
}

/// Of so many partial results the first one becomes that of all.
void ReduceTask::join(std::int64_t live) noexcept {
  for (std::int64_t half = partial_results / 2; half > 0; half /= 2) {
    if (live <= half) continue;
    steps_.kernels->combine(partial_, partial_ + half * width_ * element_, (live - half) * width_);
    live = half;
  }
}

void ReduceTask::put(std::byte* to) const noexcept {
  if (steps_.columns.out == 1 || width_ == 1) {
    std::memcpy(to, partial_, static_cast<std::size_t>(width_ * element_));
    return;
  }
  const std::int64_t step = steps_.columns.out * element_;
  for (std::int64_t k = 0; k < width_; ++k)
    std::memcpy(to + k * step, partial_ + k * element_, static_cast<std::size_t>(element_));
}

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

}  // namespace weft

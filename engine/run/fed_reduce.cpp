// SPDX-License-Identifier: Apache-2.0
// Making and running reductions that are fed.
#include <weft/engine/run/fed_reduce.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <utility>

#include <weft/engine/kernels/kernel.h>
#include <weft/engine/memory/buffer.h>
#include <weft/engine/run/reduce_task.h>
#include <weft/engine/run/task_queue.h>
#include <weft/engine/run/trace.h>
#include <weft/engine/run/workers.h>

namespace weft {
namespace {

using Manner = ReduceSteps::Manner;

// What is made at a time, which the second cache keeps, and how wide.
constexpr std::int64_t slab_bytes = 128 * 1024, most_width = 512, least_width = 32;
// Rows where elements of one result follow one another.
constexpr std::int64_t most_row = 16 * 1024, usual_row = 8 * 1024;
// There are at least so many units.
constexpr std::int64_t fewest_units = 8;
constexpr std::size_t most_boxes = 1024;
// Runs that are shorter are put together first.
constexpr std::int64_t short_run = 256;
// What is asked for so many bytes ahead is there in time.
constexpr std::int64_t ask_ahead = 4096, asked_rows = 2;

std::int64_t in_lines(std::int64_t bytes) {
  return (bytes + cache_line - 1) / cache_line * cache_line;
}

/// Whether it reads all of the other one's result, in its order.
bool is_in_order(const Pass& fed, const Pass& reducing) {
  const PassOperand& operand = reducing.operands[0];
  std::int64_t count = 1;
  const auto& axes = reducing.reduction.axes;
  for (std::size_t k = axes.size(); k-- > 0; count *= axes[k].extent)
    if (axes[k].extent > 1 && axes[k].stride != count) return false;
  return operand.offset == 0 && count == fed.count && reducing.reduction.type == fed.type.dtype;
}

/// Elements of a row, where any number of them will do: of axes of what is made.
std::int64_t row_of(const Shape& shape) {
  std::int64_t row = 1;
  for (std::size_t axis = shape.size(); axis-- > 0; row *= shape[axis])
    if (shape[axis] * row > most_row) break;
  return row > 1 ? row : usual_row;
}

class Maker {
 public:
  Maker(const Pass& fed, const Pass& reducing, const BlockLimits& limits, bool is_found_only)
      : pass_(fed), reducing_(reducing), limits_(limits), is_found_only_(is_found_only) {}

  std::optional<FedReduce> run() {
    if (pass_.bytes() < parallel_bytes >> limits_.shrink || !is_in_order(pass_, reducing_))
      return {};
    made_.reduce = make_reduce_steps(reducing_);
    ReduceSteps& reduce = made_.reduce;
    if (reduce.manner == Manner::strided || reduce.reduced.size() != 1) return {};
    const bool has_columns = reduce.manner == Manner::columns;
    made_.row = has_columns ? reduce.columns.extent : row_of(pass_.type.shape);
    const std::optional<RowBoxes> boxes = row_boxes(pass_, made_.row, most_boxes);
    if (!boxes) return {};
    find_ends(*boxes);
    if (find_runs(*boxes)) return std::move(made_);
    if (has_columns) narrow(reduce);
    if (is_found_only_ || reduce.units() < fewest_units >> limits_.shrink) return {};
    divide();
    add_blocks(*boxes);
    return std::move(made_);
  }

 private:
  static void narrow(ReduceSteps& reduce) {
    const std::int64_t unit = reduce.width;
    reduce.width = std::min(reduce.width, most_width);
    while (reduce.units() < fewest_units && reduce.width > least_width) reduce.width /= 2;
    reduce.share = std::max<std::int64_t>(1, reduce.share * unit / reduce.width);
  }

  void find_ends(const RowBoxes& boxes) {
    auto& ends = made_.division.ends;
    for (const RowBox& box : boxes)
      for (const std::int64_t end : {box.begin, box.end})
        if (end > 0) ends.push_back(end);
    std::sort(ends.begin(), ends.end());
    ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
  }

  /// Where all that is made is moved, in long runs.
  bool find_runs(const RowBoxes& boxes) {
    const std::int64_t element = pass_.element();
    for (const RowBox& box : boxes) {
      if (box.part >= pass_.copies.size()) return false;  // of constants alone it reads nothing
      const auto& loops = box.box.loops;
      const bool is_run = loops.size() == 1 && loops[0].stride == 1 && loops[0].steps[0].step == 1;
      if (!loops.empty() && !is_run) return false;
    }
    const std::int64_t rows = made_.division.ends.back();
    if (pass_.count * element / (rows + std::ssize(boxes)) < short_run) return false;
    for (std::size_t k = 0; k < made_.division.ends.size(); ++k) {
      const std::int64_t begin = made_.division.begin(k);
      auto& runs = made_.runs.emplace_back();
      for (const RowBox& box : boxes) {
        if (box.begin > begin || box.end <= begin) continue;
        const std::int64_t step = box.steps.empty() ? 0 : box.steps[0];
        runs.push_back({pass_.copies[box.part].source,
                        (box.box.first[0] + (begin - box.begin) * step) * element, step * element,
                        box.box.offset, box.box.count()});
      }
      std::sort(runs.begin(), runs.end(),
                [](const auto& a, const auto& b) { return a.offset < b.offset; });
    }
    return true;
  }

  void divide() {
    RowDivision& division = made_.division;
    const std::int64_t width =
        made_.reduce.manner == Manner::columns ? made_.reduce.width : made_.row;
    const std::int64_t most =
        std::max<std::int64_t>(1, (slab_bytes >> limits_.shrink) / (width * pass_.element()));
    division.most = static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(most)));
    division.is_by_halves = true;
    made_.slab_bytes = in_lines(division.most * width * pass_.element());
  }

  void add_blocks(const RowBoxes& boxes) {
    BlockLimits limits = limits_;
    const bool has_columns = made_.reduce.manner == Manner::columns;
    limits.ahead = has_columns ? rows_ahead(boxes) : ask_ahead;
    const std::int64_t columns = made_.row, width = has_columns ? made_.reduce.width : columns;
    for (std::int64_t begin = 0; begin < columns; begin += width) {
      const std::int64_t end = std::min(columns, begin + width);
      RowBoxes clipped;
      for (const RowBox& box : boxes) clip_columns(box, begin, end, clipped);
      made_.blocks.push_back(make_row_steps(pass_, clipped, end - begin, made_.division, limits));
      const RowSteps& steps = made_.blocks.back();
      made_.scratch_bytes =
          std::max(made_.scratch_bytes,
                   in_lines(static_cast<std::int64_t>(steps.most_feeds() * sizeof(void*))) +
                       steps.scratch_bytes());
    }
  }

  /// Behind a part of a row lies what other tasks ask for: some rows ahead in what it reads.
  std::int64_t rows_ahead(const RowBoxes& boxes) const {
    for (const RowBox& box : boxes) {
      if (box.part < pass_.copies.size()) continue;
      const ComputedPiece& piece = pass_.pieces[box.part - pass_.copies.size()];
      for (std::size_t k = 0; k < box.steps.size(); ++k)
        if (box.steps[k] > 0)
          return asked_rows * box.steps[k] * pass_.programs[piece.program].types[k].size();
    }
    return 0;
  }

  const Pass& pass_;
  const Pass& reducing_;
  const BlockLimits& limits_;
  const bool is_found_only_;
  FedReduce made_;
};

/// What a unit adds up, read where it lies.
void find_unit(const FedReduce& fed, const ReduceUnit& unit, ReduceTask& task,
               std::span<const std::byte* const> sources) noexcept {
  const std::int64_t element = fed.reduce.kernels->element;
  const bool has_columns = fed.reduce.manner == Manner::columns;
  const FedRange range = range_of(fed, unit);
  const auto& ends = fed.division.ends;
  std::int64_t row = range.first_row;
  task.start(unit);
  while (row < range.end_row) {
    const auto segment =
        static_cast<std::size_t>(std::upper_bound(ends.begin(), ends.end(), row) - ends.begin());
    const std::int64_t rows = std::min(range.end_row, ends[segment]) - row;
    const std::int64_t behind = row - fed.division.begin(segment);
    // Of a run, elements [low, high) of the row.
    const auto at = [&](const FedReduce::Run& run, std::int64_t i, std::int64_t low) {
      return sources[run.source] +
             (run.first + (behind + i) * run.step + (low - run.offset) * element);
    };
    for (const FedReduce::Run& run : fed.runs[segment]) {
      if (!has_columns) break;
      const std::int64_t low = std::max(run.offset, unit.column),
                         high = std::min(run.offset + run.length, unit.column + unit.width);
      if (low < high) task.add_part(at(run, 0, low), run.step, rows, low - unit.column, high - low);
    }
    if (has_columns) task.advance(rows);
    for (std::int64_t i = 0; i < rows && !has_columns; ++i)
      for (const FedReduce::Run& run : fed.runs[segment]) {
        const std::int64_t first = (row + i) * fed.row,
                           low = std::max(run.offset, range.begin - first),
                           high = std::min(run.offset + run.length, range.end - first);
        if (low < high) task.add(at(run, i, low), high - low);
      }
    row += rows;
  }
  task.finish(unit);
}

/// What a unit adds up, made slab by slab.
void run_unit(const FedReduce& fed, const ReduceUnit& unit, ReduceTask& task,
              std::span<const std::byte* const> sources, std::byte* aside) noexcept {
  const std::int64_t element = fed.reduce.kernels->element;
  const FedRange range = range_of(fed, unit);
  task.start(unit);
  for_each_slab(fed, unit, [&](const RowSteps& steps, const RowSlab& slab) {
    run(steps, slab, fed.division.begin(slab.segment), aside, sources, aside,
        aside + fed.slab_bytes);
    if (fed.reduce.manner == Manner::columns) return task.add(aside, slab.rows);
    const std::int64_t first = slab.begin * fed.row, low = std::max(range.begin, first),
                       high = std::min(range.end, first + slab.rows * fed.row);
    task.add(aside + (low - first) * element, high - low);
  });
  task.finish(unit);
}

}  // namespace

FedRange range_of(const FedReduce& fed, const ReduceUnit& unit) {
  const std::int64_t from = unit.from / fed.reduce.kernels->element, row = fed.row;
  if (fed.reduce.manner == Manner::columns) {
    const FedRange range{from + unit.begin * row, from + unit.end * row, 0, 0};
    return {range.begin, range.end, range.begin / row, range.end / row};
  }
  const std::int64_t begin = from + unit.begin, end = from + unit.end;
  return {begin, end, begin / row, (end + row - 1) / row};
}

std::int64_t FedReduce::bytes() const {
  std::int64_t all = static_cast<std::int64_t>(division.ends.size() * sizeof(std::int64_t));
  for (const RowSteps& steps : blocks) all += steps.bytes();
  for (const auto& own : runs) all += static_cast<std::int64_t>(own.size() * sizeof(Run));
  return all;
}

std::optional<FedReduce> make_fed_reduce(const Pass& fed, const Pass& reducing,
                                         const BlockLimits& limits, bool is_found_only) {
  return Maker(fed, reducing, limits, is_found_only).run();
}

void run(const FedReduce& fed, const Pass& pass, std::byte* out,
         std::span<const std::byte* const> sources, int threads, std::int64_t most_aside) {
  const ReduceSteps& reduce = fed.reduce;
  const std::int64_t units = reduce.units(), tasks = reduce.tasks(), parts = reduce.parts_bytes();
  const std::int64_t each = fed.task_bytes();
  const Workers workers(threads);
  const std::int64_t at_once =
      std::clamp<std::int64_t>((most_aside - parts) / each, 1, std::min(workers.count(), tasks));
  const std::shared_ptr<std::byte> memory =
      allocate(parts + at_once * each, pass.what, pass.type.shape);
  std::byte* const to = parts > 0 ? memory.get() : out;
  TaskQueue queue(tasks, at_once);
  workers.begin_shares(tasks);
  const auto task = [&](std::int64_t t) {
    std::byte* const aside = memory.get() + parts + t * each;
    ReduceTask own(reduce, nullptr, to, aside + fed.slab_bytes + fed.scratch_bytes);
    for (std::int64_t k; queue.take(t, k);) {
      workers.next_share();
      const TraceScope scope(workers.trace(), "kernel", "reduce");
      for (std::int64_t u = k * reduce.share; u < std::min(units, (k + 1) * reduce.share); ++u)
        if (fed.is_found()) find_unit(fed, unit_of(reduce, u), own, sources);
        else run_unit(fed, unit_of(reduce, u), own, sources, aside);
    }
  };
  if (at_once > 1) workers.run(at_once, std::ref(task));
  else task(0);
  if (parts > 0) join_chunks(reduce, to, out);
}

}  // namespace weft

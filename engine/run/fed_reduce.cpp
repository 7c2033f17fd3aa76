// SPDX-License-Identifier: Apache-2.0
// Making and running reductions that are fed.
#include <weft/engine/run/fed_reduce.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <memory>
#include <utility>

#include <weft/engine/kernels/kernel.h>
#include <weft/engine/memory/buffer.h>
#include <weft/engine/run/reduce_task.h>
#include <weft/engine/run/workers.h>

namespace weft {
namespace {

using Manner = ReduceSteps::Manner;

// What is made at a time, which the second cache keeps, and how wide.
constexpr std::int64_t slab_bytes = 128 * 1024, most_width = 256;
// Rows where elements of one result follow one another.
constexpr std::int64_t most_row = 16 * 1024, usual_row = 8 * 1024;
// There are at least so many units.
constexpr std::int64_t fewest_units = 8;
constexpr std::size_t most_boxes = 1024;
// What is asked for so many bytes ahead is there in time.
constexpr std::int64_t ask_ahead = 4096;

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
  Maker(const Pass& fed, const Pass& reducing, const BlockLimits& limits)
      : pass_(fed), reducing_(reducing), limits_(limits) {}

  std::optional<FedReduce> run() {
    if (pass_.bytes() < parallel_bytes || !is_in_order(pass_, reducing_)) return {};
    made_.reduce = make_reduce_steps(reducing_);
    ReduceSteps& reduce = made_.reduce;
    if (reduce.manner == Manner::strided || reduce.reduced.size() != 1) return {};
    const bool has_columns = reduce.manner == Manner::columns;
    if (has_columns) narrow(reduce);
    if (reduce.units() < fewest_units) return {};
    made_.row = has_columns ? reduce.columns.extent : row_of(pass_.type.shape);
    const std::optional<RowBoxes> boxes = row_boxes(pass_, made_.row, most_boxes);
    if (!boxes) return {};
    divide(*boxes);
    add_blocks(*boxes);
    return std::move(made_);
  }

 private:
  static void narrow(ReduceSteps& reduce) {
    const std::int64_t unit = reduce.width;
    reduce.width = std::min(reduce.width, most_width);
    reduce.share = std::max<std::int64_t>(1, reduce.share * unit / reduce.width);
  }

  void divide(const RowBoxes& boxes) {
    RowDivision& division = made_.division;
    const std::int64_t width = made_.reduce.manner == Manner::columns ? made_.reduce.width : made_.row;
    const std::int64_t most = std::max<std::int64_t>(1, slab_bytes / (width * pass_.element()));
    division.most = static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(most)));
    division.is_by_halves = true;
    for (const RowBox& box : boxes)
      for (const std::int64_t end : {box.begin, box.end})
        if (end > 0) division.ends.push_back(end);
    std::sort(division.ends.begin(), division.ends.end());
    division.ends.erase(std::unique(division.ends.begin(), division.ends.end()),
                        division.ends.end());
    made_.slab_bytes = in_lines(division.most * width * pass_.element());
  }

  void add_blocks(const RowBoxes& boxes) {
    BlockLimits limits = limits_;
    limits.ahead = ask_ahead;
    const std::int64_t columns = made_.row;
    const std::int64_t width =
        made_.reduce.manner == Manner::columns ? made_.reduce.width : columns;
    for (std::int64_t begin = 0; begin < columns; begin += width) {
      const std::int64_t end = std::min(columns, begin + width);
      RowBoxes clipped;
      for (const RowBox& box : boxes) clip_columns(box, begin, end, clipped);
      made_.blocks.push_back(
          make_row_steps(pass_, clipped, end - begin, made_.division, limits));
      const RowSteps& steps = made_.blocks.back();
      made_.scratch_bytes =
          std::max(made_.scratch_bytes,
                   in_lines(static_cast<std::int64_t>(steps.most_feeds() * sizeof(void*))) +
                       steps.scratch_bytes());
    }
  }

  const Pass& pass_;
  const Pass& reducing_;
  const BlockLimits& limits_;
  FedReduce made_;
};

/// What a unit adds up, made slab by slab.
void run_unit(const FedReduce& fed, const ReduceUnit& unit, ReduceTask& task,
              std::span<const std::byte* const> sources, std::byte* aside) noexcept {
  const ReduceSteps& reduce = fed.reduce;
  const std::int64_t element = reduce.kernels->element;
  const bool has_columns = reduce.manner == Manner::columns;
  const RowSteps& steps =
      fed.blocks[static_cast<std::size_t>(has_columns ? unit.column / reduce.width : 0)];
  // Its elements in the order in which they are made: of a column one a row, else side by side.
  const std::int64_t each = has_columns ? fed.row : 1;
  const std::int64_t begin = unit.from / element + unit.begin * each,
                     end = unit.from / element + unit.end * each;
  const std::int64_t last = has_columns ? end / fed.row : (end + fed.row - 1) / fed.row;
  task.start(unit);
  fed.division.for_each_slab(begin / fed.row, last, [&](const RowSlab& slab) {
    run(steps, slab, fed.division.begin(slab.segment), aside, sources, aside,
        aside + fed.slab_bytes);
    if (has_columns) return task.add(aside, slab.rows);
    const std::int64_t first = slab.begin * fed.row, low = std::max(begin, first),
                       high = std::min(end, first + slab.rows * fed.row);
    task.add(aside + (low - first) * element, high - low);
  });
  task.finish(unit);
}

}  // namespace

std::int64_t FedReduce::bytes() const {
  std::int64_t all = static_cast<std::int64_t>(division.ends.size() * sizeof(std::int64_t));
  for (const RowSteps& steps : blocks) all += steps.bytes();
  return all;
}

std::optional<FedReduce> make_fed_reduce(const Pass& fed, const Pass& reducing,
                                         const BlockLimits& limits) {
  return Maker(fed, reducing, limits).run();
}

void run(const FedReduce& fed, const Pass& pass, std::byte* out,
         std::span<const std::byte* const> sources, int threads, std::int64_t most_aside) {
  const ReduceSteps& reduce = fed.reduce;
  const std::int64_t units = reduce.units(), tasks = reduce.tasks(), parts = reduce.parts_bytes();
  const std::int64_t each = fed.task_bytes();
  const Workers workers(threads);
  const std::int64_t at_once = std::clamp<std::int64_t>((most_aside - parts) / each, 1,
                                                        std::min(workers.count(), tasks));
  const std::shared_ptr<std::byte> memory =
      allocate(std::max(parts + at_once * each, std::min(kept_from, most_aside)), pass.what,
               pass.type.shape);
  std::byte* const to = parts > 0 ? memory.get() : out;
  std::atomic<std::int64_t> next = 0;
  const auto task = [&](std::int64_t t) {
    std::byte* const aside = memory.get() + parts + t * each;
    ReduceTask own(reduce, nullptr, to, aside + fed.slab_bytes + fed.scratch_bytes);
    for (std::int64_t k; (k = next.fetch_add(1)) < tasks;)
      for (std::int64_t u = k * reduce.share; u < std::min(units, (k + 1) * reduce.share); ++u)
        run_unit(fed, unit_of(reduce, u), own, sources, aside);
  };
  if (at_once > 1) workers.run(at_once, std::ref(task));
  else task(0);
  if (parts > 0) join_chunks(reduce, to, out);
}

}  // namespace weft

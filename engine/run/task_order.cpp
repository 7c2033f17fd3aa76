// SPDX-License-Identifier: Apache-2.0
// Ordering tasks.
#include <weft/engine/run/task_order.h>

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include <weft/engine/run/workers.h>

namespace weft {
namespace {

/// Where a task starts to read, each time by as much as it reads: as a part of what was made. What
/// one thread made is all of the first.
struct MeanPlace {
  double weighted = 0, bytes = 0;

  void add(const PlanSource& source, std::int64_t start, double read) {
    if (source.pass == PlanSource::stored) return;
    bytes += read;
    if (source.bytes() < parallel_bytes) return;
    weighted += read * static_cast<double>(start) / static_cast<double>(source.bytes());
  }
  void add(const Step& step, const Plan& plan) {
    const auto read =
        static_cast<double>(step.bound.traffic().read) / static_cast<double>(step.bound.sources);
    step.for_each_source([&](std::size_t s, std::int64_t start) {
      if (s != Step::own_output) add(plan.sources[s], start, read);
    });
  }
  /// Block b.
  void add(const BlockPiece& piece, std::int64_t b, const Plan& plan) {
    const std::size_t operands = piece.operands.size();
    for (std::size_t k = 0; k < operands; ++k) {
      const BlockOperand& operand = piece.operands[k];
      // Of one that is still or periodic a row reads little.
      if (plan.sources[operand.source].pass == PlanSource::stored || operand.period > 0) continue;
      std::int64_t start = operand.first;
      const BlockAt at = piece.locate(b, piece.all(), [&](std::size_t loop, std::int64_t step) {
        start += step * piece.steps[loop * operands + k];
      });
      start +=
          piece.rows.begin(at.row) * operand.row + piece.columns.begin(at.column) * operand.column;
      add(plan.sources[operand.source], start, static_cast<double>(operand.bytes));
    }
  }
};

/// Of each task; those that read nothing that was made lie evenly among the others, so that each
/// thread has as many of them.
std::vector<double> places_of(const std::vector<MeanPlace>& read) {
  const auto reads_none = [](const MeanPlace& place) { return place.bytes == 0; };
  const auto others = static_cast<double>(std::count_if(read.begin(), read.end(), reads_none));
  std::vector<double> places;
  places.reserve(read.size());
  double other = 0.5;
  for (const MeanPlace& place : read)
    places.push_back(reads_none(place) ? other++ / others : place.weighted / place.bytes);
  return places;
}

/// How far apart the halves of tasks read: 1 where each reads a half, 0 where both read all.
double distance_of_halves(const std::vector<double>& places,
                          const std::vector<std::size_t>& order) {
  const std::size_t half = order.size() / 2;
  double first = 0, second = 0;
  for (std::size_t k = 0; k < order.size(); ++k) (k < half ? first : second) += places[order[k]];
  const double distance =
      second / static_cast<double>(order.size() - half) - first / static_cast<double>(half);
  return std::clamp(2 * distance, 0.0, 1.0);
}

/// The order in which tasks read what was made.
std::vector<std::size_t> order_of(const std::vector<double>& places) {
  std::vector<std::size_t> order(places.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return places[a] < places[b]; });
  return order;
}

}  // namespace

double order_tasks(PassSteps& steps, const Plan& plan) {
  // Stretches that are put together aside are told by their number, and taken one by one.
  if (steps.ends.size() < 2 || steps.manner == PassSteps::Manner::aside) return 0;
  std::vector<MeanPlace> read(steps.ends.size());
  double bytes = 0;
  for (std::size_t t = 0; t < read.size(); ++t) {
    for_each_step_of_task(steps, static_cast<std::int64_t>(t),
                          [&](const Step& step) { read[t].add(step, plan); });
    bytes += read[t].bytes;
  }
  if (bytes == 0) return 0;
  const std::vector<double> places = places_of(read);
  const std::vector<std::size_t> order = order_of(places);
  const double strange = bytes / 2 * (1 - distance_of_halves(places, order));
  if (std::is_sorted(order.begin(), order.end())) return strange;
  std::vector<Step> ordered;
  std::vector<std::size_t> ends;
  ordered.reserve(steps.steps.size());
  for (const std::size_t t : order) {
    for (std::size_t k = t == 0 ? 0 : steps.ends[t - 1]; k < steps.ends[t]; ++k)
      ordered.push_back(std::move(steps.steps[k]));
    ends.push_back(ordered.size());
  }
  steps.steps = std::move(ordered);
  steps.ends = std::move(ends);
  return strange;
}

void order_tasks(BlockSteps& steps, const Plan& plan) {
  const auto is_made = [&](const BlockOperand& operand) {
    return plan.sources[operand.source].pass != PlanSource::stored;
  };
  const auto reads_made = [&](const BlockPiece& piece) {
    return std::any_of(piece.operands.begin(), piece.operands.end(), is_made);
  };
  if (steps.tasks() < 2 || std::none_of(steps.pieces.begin(), steps.pieces.end(), reads_made))
    return;
  // Of each piece of a task about so many blocks are looked at, evenly.
  constexpr std::int64_t looked_at = 4;
  std::vector<MeanPlace> read(steps.ends.size());
  std::int64_t before = 0;
  for (const BlockPiece& piece : steps.pieces) {
    std::int64_t begin = 0;
    for (std::size_t t = 0; t < read.size(); ++t) {
      const std::int64_t first = std::max<std::int64_t>(begin - before, 0),
                         last = std::min(steps.ends[t] - before, piece.blocks);
      const std::int64_t each = std::max<std::int64_t>(1, (last - first) / looked_at);
      for (std::int64_t b = first; b < last; b += each) read[t].add(piece, b, plan);
      begin = steps.ends[t];
    }
    before += piece.blocks;
  }
  const std::vector<std::size_t> order = order_of(places_of(read));
  if (!std::is_sorted(order.begin(), order.end()))
    for (const std::size_t t : order) steps.order.push_back(static_cast<std::uint32_t>(t));
}

}  // namespace weft

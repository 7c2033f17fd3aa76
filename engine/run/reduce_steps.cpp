// SPDX-License-Identifier: Apache-2.0
// Making what reduces: which loops go round, side by side, and into a result.
#include <weft/engine/run/reduce_steps.h>

#include <utility>

#include <weft/engine/run/workers.h>

namespace weft {
namespace {

using Loop = ReduceSteps::Loop;
using Loops = ReduceSteps::Loops;

// A unit has at most so many bytes of partial results, which the second cache keeps, and so many
// results; fewer where there would be few units.
constexpr std::int64_t most_partial_bytes = 256 * 1024, most_width = 2048, fewest_units = 4,
                       narrow_width = 128;
// Shorter runs are not worth what a row costs that begins.
constexpr std::int64_t fewest_in_row = 32;

/// Adds a loop inside the others, or to the last one where it goes on as that does.
void add(Loops& loops, const Loop& loop) {
  if (loop.extent == 1) return;
  if (loops.size() > 0) {
    Loop& last = loops.back();
    if (last.step == loop.step * loop.extent && last.out == loop.out * loop.extent) {
      last = {last.extent * loop.extent, loop.step, loop.out};
      return;
    }
  }
  loops.push_back(loop);
}

std::int64_t width_of(const ReduceSteps& steps) {
  const std::int64_t partial = std::min(steps.extent, partial_results) * steps.kernels->element;
  const std::int64_t others = steps.results / steps.columns.extent * steps.chunks();
  const std::int64_t parallel =
      others >= fewest_units ? most_width
                             : std::max(steps.columns.extent * others / fewest_units, narrow_width);
  return std::min({most_partial_bytes / partial, most_width, parallel, steps.columns.extent});
}

}  // namespace

ReduceSteps make_reduce_steps(const Pass& pass) {
  const PassReduction& reduction = pass.reduction;
  ReduceSteps steps;
  steps.kernels = &reduction.reducer->kernels(reduction.type);
  steps.source = pass.operands[0].source;
  steps.offset = pass.operands[0].offset;
  steps.results = pass.count;
  const std::int64_t element = steps.kernels->element;
  std::int64_t out = pass.count;
  for (const PassReduction::Axis& axis : reduction.axes) {
    if (axis.is_reduced) {
      steps.extent *= axis.extent;
      add(steps.reduced, {axis.extent, axis.stride * element, 0});
    } else {
      out /= axis.extent;
      add(steps.around, {axis.extent, axis.stride * element, out});
    }
  }
  const bool is_in_rows = steps.reduced.size() > 0 && steps.reduced.back().step == element &&
                          steps.reduced.back().extent >= fewest_in_row;
  if (!is_in_rows) {
    // Results side by side in the operand, or else those side by side in the result.
    std::size_t chosen = steps.around.size();
    for (std::size_t k = 0; k < steps.around.size(); ++k)
      if (steps.around[k].step == element || chosen == steps.around.size()) chosen = k;
    for (std::size_t k = 0; k < steps.around.size(); ++k)
      if (steps.around[chosen].step != element && steps.around[k].out == 1) chosen = k;
    if (chosen < steps.around.size()) {
      steps.columns = steps.around[chosen];
      steps.around.erase(steps.around.begin() + chosen);
    } else {
      steps.columns.step = element;
    }
    steps.manner =
        steps.columns.step == element ? ReduceSteps::Manner::columns : ReduceSteps::Manner::strided;
    steps.width = width_of(steps);
  }
  const std::int64_t unit = std::min(steps.extent, chunk_elements) * steps.width * element;
  steps.share = std::max<std::int64_t>(1, share_of(steps.results * steps.extent * element) / unit);
  return steps;
}

}  // namespace weft

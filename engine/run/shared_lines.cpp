// SPDX-License-Identifier: Apache-2.0
// Counting lines that tasks share.
#include <weft/engine/run/shared_lines.h>

#include <algorithm>
#include <cstdlib>

#include <weft/engine/memory/buffer.h>

namespace weft {
namespace {

// A line that both write goes there and back; one that both read, and one that the other has made
// and this one reads, go once (docs/decisions/0042).
constexpr double written_wait = 60, read_wait = 4, made_wait = 10;

bool is_line(std::int64_t elements, std::int64_t element) {
  return elements * element % cache_line == 0;
}

/// One for each step of the loops around, unless parts end where lines do.
double written_lines(const LoopCut& cut) {
  const SmallVector<Loop, 6>& loops = cut.copy.loops;
  double lines = 1;
  // The innermost loop is cut where lines of the output end, wherever it begins.
  bool ends_lines = cut.loop + 1 == loops.size() || is_line(cut.copy.out_offset, cut.element);
  for (std::size_t k = 0; k < cut.loop; ++k) {
    lines *= static_cast<double>(loops[k].extent);
    ends_lines = ends_lines && is_line(loops[k].out_stride, cut.element);
  }
  return ends_lines && is_line(cut.steps * loops[cut.loop].out_stride, cut.element) ? 0 : lines;
}

/// One for each stretch of the source that the cut loop steps through by less than a line.
double read_lines(const LoopCut& cut) {
  const Loop& own = cut.copy.loops[cut.loop];
  const std::int64_t step = std::abs(own.src_stride);
  if (step == 0 || step * cut.element >= cache_line) return 0;
  double lines = 1;
  for (const Loop& loop : cut.copy.loops)
    if (std::abs(loop.src_stride) >= step * own.extent) lines *= static_cast<double>(loop.extent);
  return lines;
}

/// Half of all, unless the cut loop is the outermost of the source, too.
double made_lines(const LoopCut& cut) {
  std::int64_t longest = 0;
  double elements = 1;
  for (const Loop& loop : cut.copy.loops) {
    longest = std::max(longest, std::abs(loop.src_stride));
    if (!loop.is_repetition()) elements *= static_cast<double>(loop.extent);
  }
  if (std::abs(cut.copy.loops[cut.loop].src_stride) == longest) return 0;
  return elements * static_cast<double>(cut.element) / (2 * cache_line);
}

}  // namespace

double wait_of(const LoopCut& cut) {
  // Where a table leads is not looked at.
  for (const Loop& loop : cut.copy.loops)
    if (!loop.is_plain()) return 0;
  const double read = read_wait * read_lines(cut);
  return written_wait * written_lines(cut) +
         (cut.reads_made ? std::max(read, made_wait * made_lines(cut)) : read);
}

}  // namespace weft

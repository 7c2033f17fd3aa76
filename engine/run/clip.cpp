// SPDX-License-Identifier: Apache-2.0
// Cutting a copy: whole steps of the outermost loop stay together, the steps at the ends are cut
// on.
#include <weft/engine/run/clip.h>

namespace weft {

Copy restrict(Copy copy, std::size_t at, std::int64_t low, std::int64_t high) {
  Loop& loop = copy.loops[at];
  if (high - low == 1) {
    copy.out_offset += loop.out_at(low);
    copy.src_offset += loop.src_at(low);
    copy.loops.erase(copy.loops.begin() + at);
    return copy;
  }
  if (loop.src_table) loop.src_table += low;
  else copy.src_offset += loop.src_stride * low;
  if (loop.out_table) loop.out_table += low;
  else copy.out_offset += loop.out_stride * low;
  loop.extent = high - low;
  return copy;
}

namespace {

/// The first step that starts at `position` or later.
std::int64_t first_step_from(const Loop& loop, std::int64_t position) {
  std::int64_t low = 0, high = loop.extent;
  while (low < high) {
    const std::int64_t middle = low + (high - low) / 2;
    if (loop.out_at(middle) < position) low = middle + 1;
    else high = middle;
  }
  return low;
}

}  // namespace

void clip(const Copy& copy, std::int64_t begin, std::int64_t end, std::vector<Copy>& pieces) {
  const std::int64_t first = first_position(copy);
  const std::int64_t last = last_position(copy);
  if (last < begin || first >= end) return;
  if (first >= begin && last < end) return pieces.push_back(copy);
  const Loop& loop = copy.loops.front();
  // Of one step, without what the outermost loop itself adds.
  const std::int64_t step_first = first - loop.out_at(0);
  const std::int64_t step_last = last - loop.out_at(loop.extent - 1);
  const std::int64_t touched = first_step_from(loop, begin - step_last);
  const std::int64_t whole = first_step_from(loop, begin - step_first);
  const std::int64_t whole_end = first_step_from(loop, end - step_last);
  const std::int64_t touched_end = first_step_from(loop, end - step_first);
  if (touched < whole) clip(restrict(copy, 0, touched, touched + 1), begin, end, pieces);
  if (whole < whole_end) pieces.push_back(restrict(copy, 0, whole, whole_end));
  if (whole_end < touched_end && whole_end >= whole)
    clip(restrict(copy, 0, whole_end, whole_end + 1), begin, end, pieces);
}

}  // namespace weft

// SPDX-License-Identifier: Apache-2.0
// Taking copies apart into rows.
#include <weft/engine/run/row_parts.h>

#include <algorithm>
#include <utility>

namespace weft {

bool stand_still(const RowLoops& loops) {
  return std::all_of(loops.begin(), loops.end(),
                     [](const Loop& loop) { return loop.is_repetition(); });
}

std::optional<RowPart> part_of(const Copy& copy, std::int64_t row, std::int64_t phase) {
  std::int64_t at = (copy.out_offset % row + row - phase) % row;
  RowPart part{copy.out_offset - at};
  Copy outer{};
  for (const Loop& loop : copy.loops) {
    if (!loop.is_plain()) {
      if (&loop != &copy.loops.back() || at + loop.out_at(loop.extent - 1) >= row) return {};
      part.within.push_back(loop);
      continue;
    }
    if (loop.out_stride >= row) {
      outer.add_within(loop);
      continue;
    }
    const std::int64_t reach = (loop.extent - 1) * loop.out_stride;
    if (at + reach < row) {
      part.within.push_back(loop);
      at += reach;
      continue;
    }
    const std::int64_t steps = row / loop.out_stride;
    if (row % loop.out_stride != 0 || loop.extent % steps != 0 || at >= loop.out_stride) return {};
    outer.add_within({loop.extent / steps, row, loop.src_stride * steps});
    part.within.push_back({steps, loop.out_stride, loop.src_stride});
    at += (steps - 1) * loop.out_stride;
  }
  part.over_rows = std::move(outer.loops);
  return part;
}

std::optional<RowLoops> by_loops(const RowLoops& own, const RowLoops& like) {
  RowLoops made;
  std::size_t at = like.size();
  for (std::size_t k = own.size(); k-- > 0;) {  // innermost first
    const Loop& loop = own[k];
    std::int64_t stride = loop.out_stride, steps = 1;
    while (steps < loop.extent) {
      if (at == 0) return {};
      const Loop& part = like[--at];
      if (part.out_stride != stride) return {};
      made.push_back({part.extent, stride, loop.src_stride * steps});
      stride *= part.extent;
      steps *= part.extent;
    }
    if (steps != loop.extent) return {};
  }
  if (at > 0) return {};
  std::reverse(made.begin(), made.end());
  return made;
}

std::optional<Copy> by_loops_of(const Copy& copy, const Copy& other, std::int64_t row) {
  const auto own = part_of(copy, row), like = part_of(other, row);
  if (!own || !like || own->row != like->row) return {};
  auto loops = by_loops(own->over_rows, like->over_rows);
  if (!loops) return {};
  Copy made{copy.source, copy.layer, copy.out_offset, copy.src_offset, std::move(*loops)};
  for (const Loop& loop : own->within) made.loops.push_back(loop);
  return made;
}

}  // namespace weft

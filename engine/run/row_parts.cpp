// SPDX-License-Identifier: Apache-2.0
// Taking copies apart into rows.
#include <weft/engine/run/row_parts.h>

#include <algorithm>
#include <span>
#include <utility>

#include <weft/engine/run/clip.h>
#include <weft/graph/value/division.h>

namespace weft {
namespace {

/// How far behind the start of a row a copy starts.
std::int64_t past_row(const Copy& copy, std::int64_t row, std::int64_t phase) {
  return (copy.out_offset % row + row - phase) % row;
}

}  // namespace

bool stand_still(const RowLoops& loops) {
  return std::all_of(loops.begin(), loops.end(),
                     [](const Loop& loop) { return loop.is_repetition(); });
}

std::optional<RowPart> part_of(const Copy& copy, std::int64_t row, std::int64_t phase) {
  std::int64_t at = past_row(copy, row, phase);
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

namespace {

// Rows with more ends stay whole.
constexpr std::size_t most_ends = 8;

/// The whole rows that a copy writes parts of, by the loop that leads from one to the next.
struct RowSteps {
  std::size_t loop;
  std::int64_t steps;       ///< of the loop, a row
  std::int64_t first;       ///< of these, counted from where rows start
  std::int64_t begin, end;  ///< rows, counted alike
};

std::optional<RowSteps> row_steps_of(const Copy& copy, std::int64_t row, std::int64_t phase) {
  std::size_t k = 0;
  while (k < copy.loops.size() && copy.loops[k].is_plain() && copy.loops[k].out_stride > row) ++k;
  if (k == copy.loops.size() || !copy.loops[k].is_plain()) return {};
  const Loop& loop = copy.loops[k];
  const std::int64_t at = past_row(copy, row, phase), steps = row / loop.out_stride;
  if (row % loop.out_stride != 0 || loop.extent <= steps) return {};
  const std::int64_t first = (copy.out_offset - phase - at) / row * steps + at / loop.out_stride;
  return RowSteps{k, steps, first, ceil_div(first, steps), floor_div(first + loop.extent, steps)};
}

/// Whether the loops around rows are the same.
bool are_alike(const Copy& a, const Copy& b, std::size_t loops) {
  return std::equal(a.loops.begin(), a.loops.begin() + loops, b.loops.begin(),
                    [](const Loop& x, const Loop& y) {
                      return x.extent == y.extent && x.out_stride == y.out_stride;
                    });
}

/// Where rows of a copy are cut; nowhere if no other has some of them.
std::vector<std::int64_t> ends_of_rows(const std::vector<Copy>& copies,
                                       std::span<const std::optional<RowSteps>> rows,
                                       std::size_t k) {
  std::vector<std::int64_t> ends;
  if (!rows[k] || rows[k]->begin >= rows[k]->end) return ends;
  const RowSteps& own = *rows[k];
  bool has_others = false;
  for (std::size_t n = 0; n < copies.size(); ++n) {
    if (!rows[n] || rows[n]->loop != own.loop || !are_alike(copies[n], copies[k], own.loop))
      continue;
    has_others |= n != k && rows[n]->begin < own.end && rows[n]->end > own.begin;
    for (const std::int64_t end : {rows[n]->begin, rows[n]->end})
      if (end >= own.begin && end <= own.end) ends.push_back(end);
  }
  std::sort(ends.begin(), ends.end());
  ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
  if (!has_others || ends.size() > most_ends) ends.clear();
  return ends;
}

}  // namespace

std::vector<CopyPart> cut_alike(const std::vector<Copy>& copies, std::int64_t row,
                                std::int64_t phase) {
  std::vector<std::optional<RowSteps>> rows;
  for (const Copy& copy : copies) rows.push_back(row_steps_of(copy, row, phase));
  std::vector<CopyPart> made;
  for (std::size_t k = 0; k < copies.size(); ++k) {
    const std::vector<std::int64_t> ends = ends_of_rows(copies, rows, k);
    if (ends.empty()) {
      made.push_back({copies[k], k});
      continue;
    }
    std::int64_t low = 0;
    const std::int64_t extent = copies[k].loops[rows[k]->loop].extent;
    const auto add_until = [&](std::int64_t high) {
      if (low == 0 && high == extent) made.push_back({copies[k], k});
      else if (low < high) made.push_back({restrict(copies[k], rows[k]->loop, low, high), k});
      low = std::max(low, high);
    };
    for (const std::int64_t end : ends) add_until(end * rows[k]->steps - rows[k]->first);
    add_until(extent);
  }
  return made;
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

// SPDX-License-Identifier: Apache-2.0
// Finding rows that several copies make.
#include <weft/engine/run/shared_rows.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <optional>
#include <utility>

#include <weft/engine/memory/buffer.h>

namespace weft {
namespace {

std::int64_t steps_of(const RowLoops& loops) {
  std::int64_t steps = 1;
  for (const Loop& loop : loops) steps *= loop.extent;
  return steps;
}

bool are_same(const RowLoops& a, const RowLoops& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Loop& x, const Loop& y) {
    return x.extent == y.extent && x.out_stride == y.out_stride && x.src_stride == y.src_stride;
  });
}

/// Calls `visit`(element of the row, where it comes from) for all that loops within a row write.
template <class Visit>
void each_element(const RowLoops& loops, std::size_t k, std::int64_t to, std::int64_t from,
                  const Visit& visit) {
  if (k == loops.size()) return visit(static_cast<std::size_t>(to), from);
  for (std::int64_t i = 0; i < loops[k].extent; ++i)
    each_element(loops, k + 1, to + loops[k].out_at(i), from + loops[k].src_at(i), visit);
}

}  // namespace

std::int64_t RowStream::known() const {
  return std::ssize(from) - std::count(from.begin(), from.end(), unknown);
}

bool RowStream::reads_apart(std::int64_t element) const {
  std::int64_t apart = 0, before = unknown;
  for (const std::int64_t place : from) {
    if (place == unknown) continue;
    if (before != unknown) apart = std::max(apart, std::abs(place - before));
    before = place;
  }
  const auto lies_between = [&](const Loop& loop) {
    return loop.src_stride != 0 && std::abs(loop.src_stride) < apart;
  };
  return !over_rows.empty() && std::abs(over_rows.back().src_stride) * element >= cache_line &&
         std::any_of(over_rows.begin(), over_rows.end(), lies_between);
}

Copy RowStream::by_table(std::int64_t row, JoinedTables& tables) const {
  const std::int64_t count = known();
  const std::shared_ptr<std::int64_t[]> table(
      new std::int64_t[2 * static_cast<std::size_t>(count)]);
  Copy copy{source, 0, row, 0, over_rows};
  std::int64_t at = 0;
  for (std::size_t k = 0; k < from.size(); ++k) {
    if (from[k] == unknown) continue;
    if (at == 0) copy.src_offset = from[k];
    table[at] = static_cast<std::int64_t>(k);
    table[count + at++] = from[k] - copy.src_offset;
  }
  copy.loops.push_back({count, 1, 0, table.get() + count, table.get()});
  tables.push_back(table);
  return copy;
}

std::int64_t SharedRows::count() const { return steps_of(streams[0].over_rows); }

RowStream* SharedRows::stream_of(std::size_t source, const RowPart& part, std::size_t most) {
  if (part.row != start) return nullptr;
  const auto known = [&](const RowLoops& over_rows) -> RowStream* {
    for (RowStream& stream : streams)
      if (stream.source == source && are_same(stream.over_rows, over_rows)) return &stream;
    return nullptr;
  };
  if (RowStream* const stream = known(part.over_rows)) return stream;
  if (streams.empty()) return &add(source, part.over_rows);
  if (const auto own = by_loops(part.over_rows, streams[0].over_rows)) {
    RowStream* const stream = known(*own);
    return stream || streams.size() == most ? stream : &add(source, *own);
  }
  if (streams.size() > 1 || most == 1) return nullptr;
  auto like = by_loops(streams[0].over_rows, part.over_rows);
  if (!like) return nullptr;
  streams[0].over_rows = std::move(*like);
  return &add(source, part.over_rows);
}

RowStream& SharedRows::add(std::size_t source, const RowLoops& over_rows) {
  return streams.emplace_back(
      RowStream{source, over_rows,
                std::vector<std::int64_t>(static_cast<std::size_t>(length), RowStream::unknown)});
}

std::vector<SharedRows> shared_rows(std::span<const CopyPart> parts, std::int64_t length,
                                    std::int64_t phase, std::size_t most_streams) {
  std::vector<SharedRows> found;
  for (std::size_t k = 0; k < parts.size(); ++k) {
    const Copy& copy = parts[k].copy;
    const auto part = part_of(copy, length, phase);
    if (!part) continue;
    SharedRows* rows = nullptr;
    RowStream* stream = nullptr;
    for (std::size_t n = 0; n < found.size() && !stream; ++n)
      if ((stream = found[n].stream_of(copy.source, *part, most_streams))) rows = &found[n];
    if (!stream) {
      rows = &found.emplace_back(SharedRows{part->row, length});
      stream = rows->stream_of(copy.source, *part, most_streams);
    }
    rows->copies.push_back(k);
    each_element(part->within, 0, copy.out_offset - part->row, copy.src_offset,
                 [&](std::size_t to, std::int64_t from) {
                   for (RowStream& other : rows->streams) other.from[to] = RowStream::unknown;
                   stream->from[to] = from;
                 });
    if (copy.layer == parts.front().copy.layer) rows->lowest += steps_of(part->within);
  }
  return found;
}

}  // namespace weft

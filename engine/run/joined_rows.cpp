// SPDX-License-Identifier: Apache-2.0
// Finding rows that several copies make.
#include <weft/engine/run/joined_rows.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include <weft/engine/kernels/move/grouping.h>
#include <weft/engine/kernels/move/long_groups.h>
#include <weft/engine/run/lower.h>

namespace weft {
namespace {

// More copies are not looked at, as each is compared with those before it.
constexpr std::size_t most_joined = 32;
constexpr std::int64_t unknown = -1;
// Longer rows are moved as quickly by several copies; so is less than this of rows of more than a
// line.
constexpr std::int64_t most_row_bytes = 256, fewest_long_bytes = 24 * 1024;

using Loops = SmallVector<Loop, 6>;

/// What a copy writes of each row of so many elements.
struct Part {
  std::int64_t row;  ///< where the first row starts
  Loops over_rows{}, within{};
};

/// `copy` as parts of rows; none where a loop of it leads from one row into another.
std::optional<Part> part_of(const Copy& copy, std::int64_t row) {
  std::int64_t at = copy.out_offset % row;
  Part part{copy.out_offset - at};
  Copy outer{};
  for (const Loop& loop : copy.loops) {
    if (!loop.is_plain()) return {};
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

std::int64_t steps_of(const Loops& loops) {
  std::int64_t steps = 1;
  for (const Loop& loop : loops) steps *= loop.extent;
  return steps;
}

bool are_same(const Loops& a, const Loops& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Loop& x, const Loop& y) {
    return x.extent == y.extent && x.out_stride == y.out_stride && x.src_stride == y.src_stride;
  });
}

/// Rows that are found, and which copies make them.
struct Rows {
  std::size_t source;
  Part part;  ///< of the first of them
  std::vector<std::size_t> copies{};
  std::vector<std::int64_t> from;  ///< for each element of a row; or unknown
  std::int64_t lowest = 0;         ///< elements of a row that copies of the lowest layer write
};

void write(const Loops& loops, std::size_t k, std::int64_t to, std::int64_t from,
           std::vector<std::int64_t>& row) {
  if (k == loops.size()) {
    row[static_cast<std::size_t>(to)] = from;
    return;
  }
  for (std::int64_t i = 0; i < loops[k].extent; ++i)
    write(loops, k + 1, to + i * loops[k].out_stride, from + i * loops[k].src_stride, row);
}

class Joining {
 public:
  Joining(const Pass& pass, std::int64_t element)
      : pass_(pass), element_(element), is_joined_(pass.copies.size(), false) {
    made_.is_painted = pass.is_painted;
  }

  Pieces run() {
    // Of rows that there may be: the longest of those that one store makes first, then longer ones.
    std::vector<std::int64_t> lengths;
    for (const Copy& copy : pass_.copies)
      for (const Loop& loop : copy.loops)
        if (loop.out_stride > 1 && loop.out_stride * element_ <= most_row_bytes)
          lengths.push_back(loop.out_stride);
    std::sort(lengths.begin(), lengths.end());
    lengths.erase(std::unique(lengths.begin(), lengths.end()), lengths.end());
    std::reverse(lengths.begin(),
                 std::upper_bound(lengths.begin(), lengths.end(), most_group_bytes / element_));
    for (const std::int64_t length : lengths) join(length);
    for (std::size_t k = 0; k < pass_.copies.size(); ++k)
      if (!is_joined_[k]) made_.pieces.push_back({pass_.copies[k]});
    return std::move(made_);
  }

 private:
  void join(std::int64_t length) {
    const std::vector<Rows> found = rows_of(length);
    // What is painted stays in order unless all of it is rows that nothing else lies over.
    if (pass_.is_painted && !are_apart(found)) return;
    Pieces joined;
    std::vector<bool> is_joined = is_joined_;
    for (const Rows& rows : found) {
      if (rows.copies.size() == 1) continue;
      if (add(rows, joined))
        for (const std::size_t k : rows.copies) is_joined[k] = true;
      else if (pass_.is_painted) return;
    }
    if (joined.pieces.empty()) return;
    is_joined_ = std::move(is_joined);
    std::move(joined.pieces.begin(), joined.pieces.end(), std::back_inserter(made_.pieces));
    std::move(joined.tables.begin(), joined.tables.end(), std::back_inserter(made_.tables));
    made_.is_painted = false;
  }

  std::vector<Rows> rows_of(std::int64_t length) const {
    std::vector<Rows> found;
    for (std::size_t k = 0; k < pass_.copies.size(); ++k) {
      const Copy& copy = pass_.copies[k];
      auto part = is_joined_[k] ? std::nullopt : part_of(copy, length);
      if (!part) continue;
      auto rows = std::find_if(found.begin(), found.end(), [&](const Rows& other) {
        return other.source == copy.source && other.part.row == part->row &&
               are_same(other.part.over_rows, part->over_rows);
      });
      if (rows == found.end())
        rows = found.insert(found.end(), {.source = copy.source,
                                          .part = *part,
                                          .from = std::vector<std::int64_t>(
                                              static_cast<std::size_t>(length), unknown)});
      rows->copies.push_back(k);
      write(part->within, 0, copy.out_offset - part->row, copy.src_offset, rows->from);
      if (copy.layer == pass_.copies.front().layer) rows->lowest += steps_of(part->within);
    }
    return found;
  }

  /// Whether these are all copies, and what is painted lies over the same rows: copies of one layer
  /// do not meet.
  bool are_apart(const std::vector<Rows>& found) const {
    std::size_t copies = 0;
    for (const Rows& rows : found) {
      if (rows.lowest < static_cast<std::int64_t>(rows.from.size())) return false;
      copies += rows.copies.size();
    }
    return copies == pass_.copies.size();
  }

  /// Adds a piece that makes them, if there is a kernel for it.
  bool add(const Rows& rows, Pieces& to) const {
    const auto [first, last] = std::minmax_element(rows.from.begin(), rows.from.end());
    if (*first == unknown) return false;
    const std::int64_t middle = (*first + *last) / 2;  // groups reach as far in either direction
    const auto length = static_cast<std::int64_t>(rows.from.size());
    const std::shared_ptr<std::int64_t[]> table(new std::int64_t[rows.from.size()]);
    std::transform(rows.from.begin(), rows.from.end(), table.get(),
                   [&](std::int64_t from) { return from - middle; });
    Copy copy{rows.source, 0, rows.part.row, middle, rows.part.over_rows};
    copy.loops.push_back({length, 1, 0, table.get()});
    const Nest nest = nest_of(copy, element_);
    if (!find_grouping(nest, Loads::several) && !pays_long(nest)) return false;
    to.tables.push_back(table);
    to.pieces.push_back({.copy = std::move(copy), .is_group = true});
    return true;
  }

  /// Whether rows of more than a line are made sooner as a whole than by several copies.
  static bool pays_long(const Nest& nest) {
    const auto group = find_long_group(nest);
    const bool is_large = nest.bytes() >= large_bytes;
    return group && group->pieces >= group->loads * (is_large ? 2 : 3) &&
           nest.bytes() >= fewest_long_bytes;
  }

  const Pass& pass_;
  const std::int64_t element_;
  std::vector<bool> is_joined_;
  Pieces made_;
};

}  // namespace

Pieces join_rows(const Pass& pass, std::int64_t element) {
  if (pass.copies.size() > 1 && pass.copies.size() <= most_joined)
    return Joining(pass, element).run();
  Pieces made{.is_painted = pass.is_painted};
  made.pieces.reserve(pass.copies.size());
  for (const Copy& copy : pass.copies) made.pieces.push_back({copy});
  return made;
}

std::optional<Copy> by_loops_of(const Copy& copy, const Copy& other, std::int64_t row) {
  const auto own = part_of(copy, row), like = part_of(other, row);
  if (!own || !like || own->row != like->row) return {};
  Copy made{copy.source, copy.layer, copy.out_offset, copy.src_offset, {}};
  std::size_t at = like->over_rows.size();
  for (std::size_t k = own->over_rows.size(); k-- > 0;) {  // innermost first
    const Loop& loop = own->over_rows[k];
    std::int64_t stride = loop.out_stride, steps = 1;
    while (steps < loop.extent) {
      if (at == 0) return {};
      const Loop& part = like->over_rows[--at];
      if (part.out_stride != stride) return {};
      made.loops.push_back({part.extent, stride, loop.src_stride * steps});
      stride *= part.extent;
      steps *= part.extent;
    }
    if (steps != loop.extent) return {};
  }
  if (at > 0) return {};
  std::reverse(made.loops.begin(), made.loops.end());
  for (const Loop& loop : own->within) made.loops.push_back(loop);
  return made;
}

}  // namespace weft

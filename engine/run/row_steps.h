// SPDX-License-Identifier: Apache-2.0
// What carries a pass out some rows at a time, into memory where those follow one another.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <weft/engine/run/blocks.h>
#include <weft/engine/run/pass_steps.h>
#include <weft/engine/run/reduce_steps.h>
#include <weft/engine/run/row_boxes.h>
#include <weft/graph/plan/plan.h>

namespace weft {

/// Something that is read: in bytes, where it begins in the first row of a segment, and how far it
/// goes from row to row.
struct RowFeed {
  static constexpr std::size_t aside = static_cast<std::size_t>(-1);
  std::size_t source;  ///< of the plan, or the memory of the task
  std::int64_t first, step;
};

/// What makes so many rows: a pass of its own, whose sources are the feeds.
struct RowForm {
  std::int64_t rows;
  Pass pass;
  PassSteps steps{};
  std::vector<BlockSteps> blocks{};
  std::optional<ReduceSteps> reduce{};

  /// Memory that running it takes.
  std::int64_t scratch_bytes() const;
  /// What it takes itself.
  std::int64_t bytes() const;
};

/// Some rows that follow one another, all of one segment.
struct RowSlab {
  std::int64_t begin, rows;
  std::uint32_t segment;
};

/// How rows are divided: into segments, in which every pass has the same boxes, and those into
/// slabs.
struct RowDivision {
  std::vector<std::int64_t> ends{};  ///< of the segments, ascending
  std::int64_t most = 1;             ///< rows of a slab
  /// Whether slabs may begin in any row: what is left of one is then cut into powers of two.
  bool is_by_halves = false;

  std::int64_t begin(std::size_t segment) const { return segment == 0 ? 0 : ends[segment - 1]; }
  /// Rows of a slab of a segment, of which so many are left.
  std::int64_t rows(std::int64_t left) const {
    if (left >= most) return most;
    return is_by_halves
               ? static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(left)))
               : left;
  }
  /// Calls visit(slab), in order, for rows [begin, end).
  template <class Visit>
  void for_each_slab(std::int64_t row, std::int64_t end, const Visit& visit) const {
    auto segment =
        static_cast<std::size_t>(std::upper_bound(ends.begin(), ends.end(), row) - ends.begin());
    while (row < end) {
      const std::int64_t count = rows(std::min(end, ends[segment]) - row);
      visit(RowSlab{row, count, static_cast<std::uint32_t>(segment)});
      row += count;
      if (row == ends[segment]) ++segment;
    }
  }
  /// Calls visit(rows) for those that slabs of a segment may have.
  template <class Visit>
  void for_each_size(std::size_t segment, const Visit& visit) const {
    const std::int64_t all = ends[segment] - begin(segment);
    if (all >= most) visit(most);
    if (!is_by_halves) {
      if (all % most > 0) visit(all % most);
      return;
    }
    for (std::int64_t size = rows(std::min(all, most - 1)); size > 0; size /= 2) visit(size);
  }
};

struct RowSteps {
  struct Segment {
    std::size_t feeds = 0;                  ///< its first one
    SmallVector<std::uint32_t, 2> forms{};  ///< one for each size of slabs
  };
  std::vector<RowFeed> feeds{};
  std::vector<RowForm> forms{};
  std::vector<Segment> segments{};

  const RowForm& form(const RowSlab& slab) const {
    std::size_t k = 0;
    const auto& own = segments[slab.segment].forms;
    while (forms[own[k]].rows != slab.rows) ++k;
    return forms[own[k]];
  }
  /// The most that a form has, and what one takes.
  std::size_t most_feeds() const;
  std::int64_t scratch_bytes() const;
  /// What they take themselves.
  std::int64_t bytes() const;
};

/// Of the rows of a pass that moves, computes, or reduces each of them, in that many columns.
RowSteps make_row_steps(const Pass& pass, const RowBoxes& boxes, std::int64_t width,
                        const RowDivision& division, const BlockLimits& limits);

/// Writes the rows of a slab. `sources` are those of the plan, `aside` is memory of the task,
/// `scratch` what the form takes and, behind that, room for the addresses of all feeds.
void run(const RowSteps& steps, const RowSlab& slab, std::int64_t segment_begin, std::byte* out,
         std::span<const std::byte* const> sources, std::byte* aside, std::byte* scratch) noexcept;

}  // namespace weft

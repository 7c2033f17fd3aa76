// SPDX-License-Identifier: Apache-2.0
// What copies write of rows: rows of so many elements, and loops over them.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <weft/graph/plan/plan.h>

namespace weft {

using RowLoops = SmallVector<Loop, 6>;

/// What a copy writes of each row of so many elements.
struct RowPart {
  std::int64_t row;  ///< where the first row starts
  RowLoops over_rows{}, within{};
};

/// Whether what is read through all of them is the same.
bool stand_still(const RowLoops& loops);

/// `copy` as parts of rows, one of which would start at `phase`; none where a loop of it leads from
/// one row into another.
std::optional<RowPart> part_of(const Copy& copy, std::int64_t row, std::int64_t phase = 0);

/// RowLoops that do what `own` do, of the extents and out strides of `like`; none where these are
/// others.
std::optional<RowLoops> by_loops(const RowLoops& own, const RowLoops& like);

/// `copy`, which writes parts of rows so many elements apart, with the loops over rows that `other`
/// has; none where these are other rows.
std::optional<Copy> by_loops_of(const Copy& copy, const Copy& other, std::int64_t row);

/// A part of one of several copies.
struct CopyPart {
  Copy copy;
  std::size_t of;  ///< which
};
/// What copies write, in their order; those that write parts of the same rows are cut where another
/// of them starts or ends, and where their own whole rows do.
std::vector<CopyPart> cut_alike(const std::vector<Copy>& copies, std::int64_t row,
                                std::int64_t phase);

}  // namespace weft

// SPDX-License-Identifier: Apache-2.0
// A pass row by row: what it writes, cut into boxes that are the same in each of some rows but for
// where operands begin.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <weft/graph/map/meet.h>
#include <weft/graph/plan/plan.h>

namespace weft {

/// A box of rows [begin, end), which follow one another.
struct RowBox {
  std::int64_t begin, end;
  std::size_t part;  ///< which of the pass's copies, or, behind those, of its pieces; where it
                     ///< reduces, how many axes rows are
  JointBox box;      ///< in the first row: positions from where that begins
  SmallVector<std::int64_t, 4> steps{};  ///< of each operand from row to row, in elements
};
using RowBoxes = std::vector<RowBox>;

/// Those of a pass, in rows of `width` elements each. None where its copies are painted over or
/// step by tables from row to row, or where there would be more than `most`.
std::optional<RowBoxes> row_boxes(const Pass& pass, std::int64_t width, std::size_t most);

/// Those of a pass that reduces: the operand of each row. None where rows are not all that some
/// axes have.
std::optional<RowBoxes> reduced_row_boxes(const Pass& pass, std::int64_t rows, std::size_t most);

/// What `row` has in columns [begin, end), positions from where those begin.
void clip_columns(const RowBox& row, std::int64_t begin, std::int64_t end, RowBoxes& to);

/// That box in so many rows of `width` elements each, its loops as pieces have them.
JointBox in_rows(const RowBox& row, std::int64_t rows, std::int64_t width);

}  // namespace weft

// SPDX-License-Identifier: Apache-2.0
// Rolled rows: two copies that turn the two parts of an axis that is rolled, as one kernel turns
// the whole of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <weft/graph/plan/plan.h>

namespace weft {

/// Two copies as one.
struct RolledRows {
  Copy copy;         ///< but for the table that its loop over rows reads by
  std::size_t loop;  ///< that one
  std::int64_t first, step;

  /// What its step `i` adds: rows from `first` on come first, `step` elements apart.
  std::int64_t from(std::int64_t i) const {
    const std::int64_t rows = copy.loops[loop].extent;
    return (i + first < rows ? i + first : i + first - rows) * step;
  }
};

/// Of copies the first of which writes the first rows and reads the last ones; none where rows are
/// not neighbours in the source, or the columns of the source none in the output.
std::optional<RolledRows> rolled_rows(const Copy& a, const Copy& b, std::int64_t element);

/// Which copies of a pass are one of such two each, and write lines or all there is: of rows of
/// several copies short parts of lines are left.
std::vector<bool> parts_of_rolled(const Pass& pass);

}  // namespace weft

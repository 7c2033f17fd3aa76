// SPDX-License-Identifier: Apache-2.0
// Rows that several copies make parts of, and where each element of such a row comes from.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include <weft/engine/run/pairs.h>
#include <weft/engine/run/row_parts.h>

namespace weft {

/// A source of rows, as it moves on from one to the next.
struct RowStream {
  /// Where elements come from that this source does not have.
  static constexpr std::int64_t unknown = std::numeric_limits<std::int64_t>::min();

  std::size_t source;
  RowLoops over_rows;
  std::vector<std::int64_t> from;  ///< for each element of a row; or unknown

  std::int64_t known() const;
  /// Whether rows read what lies further apart than rows do, of lines that the next row does not go
  /// on in: each line is read again and again.
  bool reads_apart(std::int64_t element) const;
  /// What it has of rows, the first of which starts at `row`, by tables of where that goes and
  /// where it comes from.
  Copy by_table(std::int64_t row, JoinedTables& tables) const;
};

/// Rows that are found, and which copies make them.
struct SharedRows {
  std::int64_t start, length;
  std::vector<RowStream> streams{};  ///< of loops with the same extents and out strides
  std::vector<std::size_t> copies{};
  std::int64_t lowest = 0;  ///< elements of a row that copies of the lowest layer write

  std::int64_t count() const;  ///< of rows

  /// That of a copy whose part this is, which perhaps is new; none where there would be more than
  /// `most`.
  RowStream* stream_of(std::size_t source, const RowPart& part, std::size_t most);

 private:
  RowStream& add(std::size_t source, const RowLoops& over_rows);
};

/// Rows of so many elements, one of which would start at `phase`, that copies make parts of, of at
/// most so many streams; the copies in their order, lower layers first.
std::vector<SharedRows> shared_rows(std::span<const CopyPart> parts, std::int64_t length,
                                    std::int64_t phase, std::size_t most_streams);

}  // namespace weft

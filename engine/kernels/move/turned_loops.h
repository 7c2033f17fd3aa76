// SPDX-License-Identifier: Apache-2.0
// Turned nests: which of their loops are rows and which are columns of the output.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <optional>

#include <weft/engine/kernels/kernel.h>
#include <weft/engine/kernels/move/byte_loops.h>
#include <weft/engine/kernels/move/rows.h>

namespace weft {

/// The columns are contiguous in the output, the rows in the source, units shorter than
/// `long_unit`. Either goes on over up to three loops, innermost first; strides in bytes. Columns
/// that are not evenly apart have a table, and the distance of the first two for a stride.
struct TurnedLoops {
  std::int64_t unit;
  ByteLoops rows, columns;
  bool streams, is_large, is_vast, in_turns;  ///< as of Writing
  bool are_apart = false;                     ///< columns, each a source of its own
  std::int16_t rolled = 0;  ///< rows go so many steps further in their innermost loop, around
  const std::int64_t* table = nullptr;  ///< of where columns are, in units
};

inline Traffic traffic_of(const TurnedLoops& loops) {
  const std::int64_t bytes = steps_of(loops.rows) * steps_of(loops.columns) * loops.unit;
  return {bytes, bytes};
}

/// Fewer units than this are turned without squares: a call costs a tenth of a microsecond.
inline constexpr std::int64_t fewest_in_squares = 512;

/// From one address to another, which may be of other memory.
inline std::int64_t bytes_between(const std::byte* from, const std::byte* to) {
  return static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(to) -
                                   reinterpret_cast<std::uintptr_t>(from));
}

/// So many rows follow one another in the output; but for where they are rolled.
inline std::int64_t rows_together(const TurnedLoops& loops) {
  const std::int64_t row_bytes = steps_of(loops.columns) * loops.unit;
  std::int64_t together = 1;
  for (const ByteLoop& side : loops.rows) {
    if (side.extent > 1 && side.dst != together * row_bytes) break;
    together *= side.extent;
    if (loops.rolled > 0) break;
  }
  return together;
}

/// Of those, so many from row `first` on.
inline std::int64_t rows_behind(const TurnedLoops& loops, std::int64_t together,
                                std::int64_t first) {
  const std::int64_t at = first % together, around = together - loops.rolled;
  return (loops.rolled > 0 && at < around ? around : together) - at;
}

/// So many bytes of the output lie together before rows go apart, forwards or backwards.
inline std::int64_t bytes_together(const ByteLoops& rows, std::int64_t row_bytes) {
  std::int64_t stretch = row_bytes;
  for (const ByteLoop& side : rows) {
    if (side.extent > 1 && std::abs(side.dst) != stretch) break;
    stretch *= side.extent;
  }
  return stretch;
}

/// Units that words turn: those of three quarters of a word with a last quarter that nobody reads.
inline bool has_turned_word(const Nest& nest) {
  return nest.has_vector_unit() || nest.unit == 3 || nest.unit == 6;
}

extern const KernelDefinition transpose_kernel, few_columns_kernel;

/// A loop that reads neighbours in the source, from one of them on to the last and then from the
/// first, or the other way.
struct RolledLoop {
  std::int64_t first = 0;  ///< the step that reads the first of them
  bool is_forwards = true;

  /// None where its table says otherwise.
  static std::optional<RolledLoop> of(const Nest& nest, const NestLoop& loop) {
    constexpr std::int64_t most = 1024;  // longer ones are no short rows
    if (!loop.src_table || loop.dst_table || loop.extent < 3 || loop.extent > most) return {};
    const std::int64_t* const begin = loop.src_table;
    const std::int64_t* const lowest = std::min_element(begin, begin + loop.extent);
    const RolledLoop found{lowest - begin, begin[0] == begin[1] - nest.unit / nest.element ||
                                               begin[1] == begin[2] - nest.unit / nest.element};
    for (std::int64_t i = 0; i < loop.extent; ++i)
      if ((begin[i] - *lowest) * nest.element != found.row(i, loop.extent) * nest.unit) return {};
    return found;
  }

  /// What step `i` reads.
  std::int64_t row(std::int64_t i, std::int64_t extent) const {
    const std::int64_t beyond = is_forwards ? i - first : first - i;
    return beyond < 0 ? beyond + extent : beyond;
  }
};

/// The loop over rows of a nest that is turned, or whose columns are repeated or have a table; or
/// one over rows that are rolled.
inline std::size_t rows_of(const Nest& nest) {
  if (nest.innermost().src[0] == 0) return nest.loop_along_source();
  if (nest.rows != no_loop) return nest.rows;
  for (std::size_t k = 0; k + 1 < nest.loops.size(); ++k)
    if (RolledLoop::of(nest, nest.loops[k])) return k;
  return no_loop;
}
/// Whether the innermost loop, if it has a table, is over columns that one could turn.
inline bool may_be_columns(const Nest& nest) {
  const NestLoop& inner = nest.innermost();
  return !inner.dst_table && inner.dst == nest.unit &&
         (!inner.src_table || nest.unit == nest.element);
}

/// Short axes make long rows and columns together.
class RowsAndColumns {
 public:
  /// Sets of loops are the bits of a word.
  static constexpr std::size_t most_loops = 63;
  static constexpr std::uint64_t bit(std::size_t k) { return std::uint64_t{1} << k; }

  /// Of a turned nest of at most so many loops.
  explicit RowsAndColumns(const Nest& nest) : RowsAndColumns(nest, rows_of(nest)) {}
  /// Of a nest whose loop `rows` is over rows.
  RowsAndColumns(const Nest& nest, std::size_t rows)
      : nest_(nest), left_(bit(nest.loops.size()) - 1) {
    if (const NestLoop& loop = nest.loops[rows]; !loop.is_plain())
      rolled_ = RolledLoop::of(nest, loop);
    add(columns_, nest.loops.size() - 1);
    add(rows_, rows);
    // The shorter side takes the loop that goes on where it ends.
    while (rows_.steps < columns_.steps ? join_row() || join_column() : join_column() || join_row())
      continue;
  }

  std::int64_t steps() const { return rows_.steps * columns_.steps; }
  std::int64_t rows() const { return rows_.steps; }
  std::int64_t columns() const { return columns_.steps; }
  std::size_t column_loops() const { return columns_.count; }
  std::uint64_t mask_of_rows() const { return rows_.mask; }
  /// Of a loop that stays whole.
  std::uint64_t mask_of_rolled() const { return rolled_ ? bit(rows_.loops[0]) : 0; }

  TurnedLoops loops(const Writing& writing) const {
    TurnedLoops made{nest_.unit,       sides(rows_),
                     sides(columns_),  writing.streams_turned && !has_ragged_rows(writing),
                     writing.is_large, writing.is_vast,
                     writing.in_turns};
    if (rolled_)
      made.rolled = static_cast<std::int16_t>(
          rolled_->is_forwards ? rolled_->first : made.rows[0].extent - 1 - rolled_->first);
    made.table = nest_.loops[columns_.loops[0]].src_table;
    if (made.table) made.columns[0].src = (made.table[1] - made.table[0]) * made.unit;
    return made;
  }

  /// Rows are read forwards then, of the nest that this is of.
  void turn_rows_forwards(Nest& nest) const {
    if (rolled_) {
      NestLoop& loop = nest.loops[rows_.loops[0]];
      nest.of[0].src += loop.src_table[rolled_->first] * nest.element;
      if (!rolled_->is_forwards) turn_around(nest, rows_.loops[0]);
    }
    for (std::size_t k = 0; k < nest.loops.size(); ++k)
      if (rows_.mask & bit(k) && nest.loops[k].src[0] < 0) turn_around(nest, k);
  }

  void take_off(Nest& nest) const {
    for (std::size_t k = nest.loops.size(); k-- > 0;)
      if (!(left_ & bit(k))) nest.loops.erase(nest.loops.begin() + k);
  }

 private:
  /// Whether short rows lie apart that are no whole lines: of what is streamed in parts, each part
  /// goes to memory by itself (two threads; f32, 347 of 694 columns, 40 MiB: 6.3 ms, 3.8 otherwise;
  /// f64, 18 of 29, 115 MiB: 27.9 and 10.9; but u16, 64 lines of 128: 2.7 and 3.2). Where reads and
  /// streams take turns, rows are short below 384 bytes (streamed and not: u16, 300 of 600, 34 MiB:
  /// 9.0 and 15.8 ms; f64, 60 of 120, 73 MiB: 14.0 and 19.6; but u8, 90 of 180: 15 and 7).
  bool has_ragged_rows(const Writing& writing) const {
    constexpr std::int64_t line = 64, short_row_of_wide = 3 * line;
    const std::int64_t short_row = writing.in_turns ? 384 : 1024;
    const ByteLoops rows = sides(rows_);
    const std::int64_t row_bytes = columns_.steps * nest_.unit;
    const std::int64_t bytes = bytes_together(rows, row_bytes);
    if (bytes == rows_.steps * row_bytes) return false;
    bool has_lines = bytes % line == 0;
    for (const ByteLoop& side : rows)  // those within a stretch go less far
      if (std::abs(side.dst) >= bytes) has_lines &= side.dst % line == 0;
    return !(has_lines && bytes >= short_row_of_wide) &&
           bytes < (nest_.unit > 8 ? short_row_of_wide : short_row);
  }

  // Rows and columns are joined with further loops until they are this long.
  static constexpr std::int64_t long_side_bytes = 16 * 1024;

  struct Joined {
    std::array<std::size_t, 3> loops{};
    std::size_t count = 0;
    std::int64_t steps = 1;
    std::uint64_t mask = 0;
  };

  void add(Joined& joined, std::size_t k) {
    joined.loops[joined.count++] = k;
    joined.steps *= nest_.loops[k].extent;
    joined.mask |= bit(k);
    left_ &= ~bit(k);
  }

  bool has_room(const Joined& joined) const {
    return joined.count < joined.loops.size() && joined.steps * nest_.unit < long_side_bytes;
  }

  bool join_row() {
    if (!has_room(rows_)) return false;
    for (std::size_t k = 0; k < nest_.loops.size(); ++k) {
      const NestLoop& loop = nest_.loops[k];
      if (!(left_ & bit(k)) || !loop.is_plain() ||
          std::abs(loop.src[0]) != rows_.steps * nest_.unit)
        continue;
      if (is_next_column(k) && goes_on_in_columns(nest_.loops[k].extent)) return false;
      add(rows_, k);
      return true;
    }
    return false;
  }

  /// Whether columns go on in a loop.
  bool is_next_column(std::size_t k) const {
    return has_room(columns_) && nest_.innermost().is_plain() &&
           k + 1 == static_cast<std::size_t>(std::bit_width(left_)) &&
           nest_.loops[k].dst == columns_.steps * nest_.unit;
  }

  /// Whether a loop that goes on for so many steps where rows end in the source, and short columns
  /// in the output, goes on with those: rows would lie apart by the loop they have, a short piece
  /// of the output each (two threads; units of 3 bytes, 7 rows, 18 columns, 218573 steps: 36.7 ms,
  /// by columns 10.7; u8, 20, 132, 96261: 72, 40; but u16, 10, 36, 19: 127 us, 188).
  bool goes_on_in_columns(std::int64_t steps) const {
    constexpr std::int64_t short_columns = 192, long_rows = 24, fewest_row_bytes = 16, many = 96;
    const std::int64_t row_bytes = rows_.steps * nest_.unit;
    return columns_.steps * nest_.unit <= short_columns &&
           (row_bytes >= long_rows || (row_bytes >= fewest_row_bytes && steps >= many));
  }

  bool join_column() {
    if (!has_room(columns_) || left_ == 0 || !nest_.innermost().is_plain()) return false;
    const auto k = static_cast<std::size_t>(std::bit_width(left_)) - 1;
    const NestLoop& loop = nest_.loops[k];
    if (!loop.is_plain() || loop.dst != columns_.steps * nest_.unit) return false;
    add(columns_, k);
    return true;
  }

  ByteLoops sides(const Joined& joined) const {
    ByteLoops sides{once, once, once};
    for (std::size_t n = 0; n < joined.count; ++n) sides[n] = nest_.side(joined.loops[n]);
    return sides;
  }

  const Nest& nest_;
  std::uint64_t left_;
  Joined rows_, columns_;
  std::optional<RolledLoop> rolled_{};  ///< the innermost of rows, if it is one
};

}  // namespace weft

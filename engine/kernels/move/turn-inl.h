// SPDX-License-Identifier: Apache-2.0
// Strips of a transpose, for each target: a few rows of the output made from staged columns.
#if defined(WEFT_TURN_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef WEFT_TURN_INL_H
#undef WEFT_TURN_INL_H
#else
#define WEFT_TURN_INL_H
#endif

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include <hwy/highway.h>

#include <weft/engine/kernels/move/copy_few-inl.h>
#include <weft/engine/kernels/move/turned_loops.h>
#include <weft/engine/kernels/move/vector_bytes-inl.h>
#include <weft/graph/value/unit.h>

HWY_BEFORE_NAMESPACE();
namespace weft::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Columns of the output, staged: each is contiguous, and `pitch` bytes further than the one
/// before.
struct Staged {
  const std::byte* first;
  std::int64_t pitch, columns;
};

/// The offsets of `count` steps from step `first` on.
inline void write_offsets(const ByteLoops& sides, std::int64_t ByteLoop::*stride,
                          std::int64_t first, std::int64_t count, std::int64_t* offsets) {
  // Copies: what is written might be these, for all the compiler knows.
  const auto [a, b, c] = sides;
  const std::int64_t step = a.*stride;
  std::int64_t i = first % a.extent, j = first / a.extent % b.extent,
               k = first / a.extent / b.extent;
  for (std::int64_t n = 0; n < count;) {
    const std::int64_t base = j * (b.*stride) + k * (c.*stride) + i * step;
    const std::int64_t now = std::min(a.extent - i, count - n);
    for (std::int64_t m = 0; m < now; ++m) offsets[n + m] = base + m * step;
    n += now;
    i = 0;
    if (++j == b.extent) j = 0, ++k;
  }
}

/// Where so many rows from row `first` on go, in bytes from the output.
inline void write_row_offsets(const TurnedLoops& loops, std::int64_t first, std::int64_t count,
                              std::int64_t* offsets) {
  write_offsets(loops.rows, &ByteLoop::dst, first, count, offsets);
  if (loops.rolled == 0) return;
  const std::int64_t extent = loops.rows[0].extent, step = loops.rows[0].dst;
  const std::int64_t further = loops.rolled * step, around = further - extent * step;
  for (std::int64_t n = 0, i = first % extent; n < count; ++n) {
    offsets[n] += i + loops.rolled < extent ? further : around;
    if (++i == extent) i = 0;
  }
}

/// Where so many columns from column `first` on are, in bytes from the source.
inline void write_columns(const TurnedLoops& loops, std::int64_t first, std::int64_t count,
                          std::int64_t* to) {
  const std::int64_t unit = loops.unit;
  const std::int64_t* const table = loops.table;
  if (!table) return write_offsets(loops.columns, &ByteLoop::src, first, count, to);
  for (std::int64_t k = 0; k < count; ++k) to[k] = table[first + k] * unit;
}

/// Rows that lie one behind another at `from`, of which each `together` follow one another in the
/// output, and these begin where the first one does.
inline void write_groups(const TurnedLoops& loops, std::int64_t together, std::int64_t first,
                         std::int64_t count, std::byte* dst, const std::byte* from) {
  constexpr std::int64_t most = 64;
  std::int64_t offsets[most];
  with_unit(together * steps_of(loops.columns) * loops.unit, [&](auto group) HWY_ATTR {
    for (std::int64_t done = 0; done < count;) {
      const std::int64_t rows = std::min(most / together * together, count - done);
      write_row_offsets(loops, first + done, rows, offsets);
      for (std::int64_t n = 0; n < rows; n += together, from += group.size())
        group.move(dst + offsets[n], from);
      done += rows;
    }
  });
}

/// The same wherever they begin and end, run by run.
inline void write_runs(const TurnedLoops& loops, std::int64_t together, std::int64_t first,
                       std::int64_t count, std::byte* dst, const std::byte* from) {
  const std::int64_t row_bytes = steps_of(loops.columns) * loops.unit;
  for (std::int64_t done = 0; done < count;) {
    const std::int64_t rows = std::min(count - done, rows_behind(loops, together, first + done));
    std::int64_t at;
    write_row_offsets(loops, first + done, 1, &at);
    if (rows == 1) copy_few(dst + at, from + done * row_bytes, row_bytes);
    else copy_run(dst + at, from + done * row_bytes, rows * row_bytes, loops.streams);
    done += rows;
  }
}

/// Rows from row `first` on that lie one behind another at `from`, `together` of which follow one
/// another in the output, too.
inline void write_rows(const TurnedLoops& loops, std::int64_t together, std::int64_t first,
                       std::int64_t count, std::byte* dst, const std::byte* from) {
  constexpr std::int64_t short_bytes = 128, few = 16;
  if (together == 1) return write_groups(loops, 1, first, count, dst, from);
  const std::int64_t row_bytes = steps_of(loops.columns) * loops.unit;
  const bool are_short = together <= few && together * row_bytes <= short_bytes;
  if (!are_short || loops.streams || loops.rolled > 0)
    return write_runs(loops, together, first, count, dst, from);
  const std::int64_t head = std::min(count, (together - first % together) % together);
  const std::int64_t whole = (count - head) / together * together, tail = count - head - whole;
  write_runs(loops, together, first, head, dst, from);
  write_groups(loops, together, first + head, whole, dst, from + head * row_bytes);
  write_runs(loops, together, first + head + whole, tail, dst, from + (count - tail) * row_bytes);
}

/// One row a strip, unit by unit.
template <class Unit>
struct UnitStrip {
  Unit unit;
  static constexpr std::int64_t rows = 1, width = 1;
  static constexpr bool has_pairs = false;

  /// Writes `count` rows, row k from `out + row_offsets[k]` on.
  void operator()(const Staged& from, std::byte* out, const std::int64_t* row_offsets,
                  std::int64_t) const {
    for (std::int64_t j = 0; j < from.columns; ++j)
      unit.move(out + row_offsets[0] + j * unit.size(), from.first + j * from.pitch);
  }

  /// Writes all rows straight from the source.
  void gather(const std::byte* src, const std::int64_t* column_offsets, std::int64_t columns,
              std::byte* out, const std::int64_t* row_offsets, std::int64_t count, bool) const {
    for (std::int64_t j = 0; j < columns; ++j)
      for (std::int64_t i = 0; i < count; ++i)
        move(out + row_offsets[i] + j * unit.size(), src + column_offsets[j] + i * unit.size());
  }

 private:
  HWY_INLINE void move(std::byte* dst, const std::byte* src) const {
    if constexpr (std::is_same_v<Unit, AnyUnit>) copy_few(dst, src, unit.size());
    else unit.move(dst, src);
  }
};

#if HWY_TARGET != HWY_SCALAR

/// Blocks of 16 bytes side by side, each `distance` bytes further in the source than the one
/// before.
template <class T, std::int64_t Bytes>
HWY_INLINE auto load_blocks(const std::byte* src, std::int64_t distance) {
  const hn::FixedTag<T, Bytes / sizeof(T)> d;
  if constexpr (Bytes == 16) {
    return hn::LoadU(d, reinterpret_cast<const T*>(src));
  } else {
    constexpr std::int64_t half = Bytes / 2;
    const auto low = load_blocks<T, half>(src, distance);
    const auto high = load_blocks<T, half>(src + half / 16 * distance, distance);
    return hn::Combine(d, high, low);
  }
}

/// The same of columns at `offsets`, those side by side `distance` apart in the list.
template <class T, std::int64_t Bytes>
HWY_INLINE auto load_columns(const std::byte* src, const std::int64_t* offsets,
                             std::int64_t distance) {
  const hn::FixedTag<T, Bytes / sizeof(T)> d;
  if constexpr (Bytes == 16) {
    return hn::LoadU(d, reinterpret_cast<const T*>(src + *offsets));
  } else {
    constexpr std::int64_t half = Bytes / 2;
    const auto low = load_columns<T, half>(src, offsets, distance);
    const auto high = load_columns<T, half>(src, offsets + half / 16 * distance, distance);
    return hn::Combine(d, high, low);
  }
}

/// Which of 16 bytes make words of `word` bytes of units that are shorter and start at byte
/// `start`; what is left of a word is nobody's.
struct PaddingLanes {
  alignas(16) std::uint8_t at[16];

  PaddingLanes(std::int64_t word, std::int64_t unit, std::int64_t start) {
    for (std::int64_t b = 0; b < 16; ++b)
      at[b] = static_cast<std::uint8_t>(b % word < unit ? start + b / word * unit + b % word : 0);
  }
};

/// A vector of T's.
template <class T>
using Whole = hn::FixedTag<T, vector_bytes / sizeof(T)>;
template <class T>
constexpr std::int64_t side_of = 16 / static_cast<std::int64_t>(sizeof(T));

/// Squares of elements, side by side: what load(k) has of column k becomes rows, by interleaving
/// halves again and again. Each 16 bytes hold a row where a side is as many elements as fit into
/// them, and several shorter ones that follow one another where it is fewer.
template <class D, std::int64_t Side, class Load>
HWY_INLINE void turn(D d, const Load& load, hn::Vec<D> (&row)[Side]) {
  constexpr std::size_t side = Side;
  hn::Vec<D> turned[side];
  HWY_UNROLL(16)
  for (std::size_t k = 0; k < side; ++k) row[k] = load(static_cast<std::int64_t>(k));
  constexpr int stages = std::countr_zero(side);
  HWY_UNROLL(4)
  for (int stage = 0; stage < stages; ++stage) {
    HWY_UNROLL(16)
    for (std::size_t k = 0; k < side / 2; ++k) {
      turned[2 * k] = hn::InterleaveLower(d, row[k], row[k + side / 2]);
      turned[2 * k + 1] = hn::InterleaveUpper(d, row[k], row[k + side / 2]);
    }
    HWY_UNROLL(16)
    for (std::size_t k = 0; k < side; ++k) row[k] = turned[k];
  }
}
template <class T, std::int64_t Side, class Load>
HWY_INLINE void turn_squares(const Load& load, hn::Vec<Whole<T>> (&row)[Side]) {
  turn(Whole<T>(), load, row);
}

/// As many rows as units fit in 16 bytes: squares of so many units a side, a vector of them at a
/// time. Reads whole vectors, also past the last column.
template <class T, std::int64_t UnitBytes = sizeof(T)>
class SquareStrip {
 public:
  static constexpr std::int64_t rows = 16 / UnitBytes;
  static constexpr bool has_pairs = true;
  static constexpr std::int64_t vector_size = vector_bytes;

  /// Writes the first `count` rows, row k from `out + row_offsets[k]` on.
  void operator()(const Staged& from, std::byte* out, const std::int64_t* row_offsets,
                  std::int64_t count) const {
    Vector row[rows];
    std::int64_t j = 0;
    for (; j + width <= from.columns; j += width) {
      turn_squares<T>(staged(from.first + j * from.pitch, from.pitch), row);
      if (count == rows) {
        HWY_UNROLL(16)
        for (std::int64_t k = 0; k < rows; ++k) store(row[k], out + row_offsets[k] + j * UnitBytes);
      } else {
        alignas(64) std::byte all[rows * vector_bytes];
        spill(row, all);
        for (std::int64_t k = 0; k < count; ++k)
          std::memcpy(out + row_offsets[k] + j * UnitBytes, all + k * vector_bytes, vector_bytes);
      }
    }
    if (j == from.columns) return;
    alignas(64) std::byte all[rows * vector_bytes];
    turn_squares<T>(staged(from.first + j * from.pitch, from.pitch), row);
    spill(row, all);
    for (std::int64_t k = 0; k < count; ++k)
      copy_few(out + row_offsets[k] + j * UnitBytes, all + k * vector_bytes,
               (from.columns - j) * UnitBytes);
  }

  static constexpr std::int64_t width = vector_bytes / UnitBytes;

  /// Writes all rows straight from the source: at least `rows` of them and `width` columns, row by
  /// row or column by column. The last squares overlap those before.
  void gather(const std::byte* src, const std::int64_t* column_offsets, std::int64_t columns,
              std::byte* out, const std::int64_t* row_offsets, std::int64_t count,
              bool by_rows) const {
    const auto square = [&](std::int64_t i, std::int64_t j) HWY_ATTR {
      // Large squares within these loops would look anew for where to write each row.
      const auto turned = rows >= 8 ? turn_square_apart : turn_square;
      turned(src + i * UnitBytes, column_offsets + j, out + j * UnitBytes, row_offsets + i);
    };
    if (by_rows) {
      for (std::int64_t i = 0; i < count; i += rows)
        for (std::int64_t j = 0; j < columns; j += width)
          square(std::min(i, count - rows), std::min(j, columns - width));
      return;
    }
    for (std::int64_t j = 0; j < columns; j += width)
      for (std::int64_t i = 0; i < count; i += rows)
        square(std::min(i, count - rows), std::min(j, columns - width));
  }

  /// Writes the first `count` rows of `width` columns straight from the source, of which whole
  /// squares are read.
  void thin(const std::byte* src, const std::int64_t* column_offsets, std::byte* out,
            const std::int64_t* row_offsets, std::int64_t count) const {
    Vector row[rows];
    turn_columns(src, column_offsets, row);
    HWY_UNROLL(16)
    for (std::int64_t k = 0; k < rows; ++k)
      if (k < count) store(row[k], out + row_offsets[k]);
  }

  /// All rows of at most one vector, one behind the other: what a row writes too far, also up to a
  /// vector past the last, the next puts right.
  HWY_INLINE static void pack(const Staged& from, std::byte* out, std::int64_t row_bytes) {
    Vector row[rows];
    turn_squares<T>(staged(from.first, from.pitch), row);
    for (std::int64_t k = 0; k < rows; ++k) store(row[k], out + k * row_bytes);
  }

  /// Rows of two lines each, written past the caches to where lines start, row by row: both lines
  /// of a row in one go.
  HWY_INLINE static void stream_pairs(const Staged& from, std::byte* dst,
                                      const std::int64_t* row_offsets) {
    constexpr std::int64_t pieces = 128 / vector_bytes;
    alignas(64) std::byte front[rows * (pieces - 1) * vector_bytes];
    Vector row[rows];
    HWY_UNROLL(8)
    for (std::int64_t p = 0; p < pieces; ++p) {
      turn_squares<T>(staged(from.first + p * (vector_bytes / UnitBytes) * from.pitch, from.pitch),
                      row);
      if (p + 1 == pieces) break;
      HWY_UNROLL(16)
      for (std::int64_t k = 0; k < rows; ++k)
        store(row[k], front + (k * (pieces - 1) + p) * vector_bytes);
    }
    const D d;
    HWY_UNROLL(16)
    for (std::int64_t k = 0; k < rows; ++k) {
      auto* to = reinterpret_cast<T*>(dst + row_offsets[k]);
      HWY_UNROLL(8)
      for (std::int64_t p = 0; p + 1 < pieces; ++p)
        hn::Stream(
            hn::Load(d, reinterpret_cast<const T*>(front + (k * (pieces - 1) + p) * vector_bytes)),
            d, to + p * lanes);
      hn::Stream(row[k], d, to + (pieces - 1) * lanes);
    }
  }

 private:
  static constexpr std::int64_t lanes = vector_bytes / sizeof(T);
  using D = Whole<T>;
  using Vector = hn::Vec<D>;

  /// The rows of squares of `width` columns, read whole.
  HWY_INLINE static void turn_columns(const std::byte* src, const std::int64_t* column_offsets,
                                      Vector (&row)[rows]) {
    turn_squares<T>(
        [&](std::int64_t k)
            HWY_ATTR { return load_columns<T, vector_bytes>(src, column_offsets + k, rows); },
        row);
  }

  HWY_INLINE static void turn_square(const std::byte* src, const std::int64_t* column_offsets,
                                     std::byte* out, const std::int64_t* row_offsets) {
    Vector row[rows];
    turn_columns(src, column_offsets, row);
    HWY_UNROLL(16)
    for (std::int64_t k = 0; k < rows; ++k) store(row[k], out + row_offsets[k]);
  }
  HWY_NOINLINE static void turn_square_apart(const std::byte* src,
                                             const std::int64_t* column_offsets, std::byte* out,
                                             const std::int64_t* row_offsets) {
    turn_square(src, column_offsets, out, row_offsets);
  }

  HWY_INLINE static void spill(const Vector (&row)[rows], std::byte* to) {
    HWY_UNROLL(16)
    for (std::int64_t k = 0; k < rows; ++k) store(row[k], to + k * vector_bytes);
  }

  HWY_INLINE static void store(Vector v, std::byte* to) {
    hn::StoreU(v, D(), reinterpret_cast<T*>(to));
  }

  /// Where column k of a square lies, for turn_squares().
  static auto staged(const std::byte* src, std::int64_t pitch) {
    return [=](std::int64_t k)
               HWY_ATTR { return load_blocks<T, vector_bytes>(src + k * pitch, rows * pitch); };
  }
};

#endif

}  // namespace weft::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif

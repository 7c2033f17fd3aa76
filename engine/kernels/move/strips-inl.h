// SPDX-License-Identifier: Apache-2.0
// Strips of a transpose for units of every size, for each target.
#if defined(WEFT_STRIPS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef WEFT_STRIPS_INL_H
#undef WEFT_STRIPS_INL_H
#else
#define WEFT_STRIPS_INL_H
#endif

#include <weft/engine/kernels/move/turn-inl.h>

HWY_BEFORE_NAMESPACE();
namespace weft::HWY_NAMESPACE {

#if HWY_TARGET != HWY_SCALAR

/// Units of three quarters of a word, pixels of three channels for the most part: turned as words
/// with a last quarter that nobody reads.
template <class Word>
class PaddedStrip {
 public:
  static constexpr std::int64_t rows = side_of<Word>;
  static constexpr bool has_pairs = false;
  static constexpr std::int64_t width = vector_bytes / static_cast<std::int64_t>(sizeof(Word));

  /// Writes the first `count` rows, row k from `out + row_offsets[k]` on.
  void operator()(const Staged& from, std::byte* out, const std::int64_t* row_offsets,
                  std::int64_t count) const {
    const Lanes padding = padded_from(0);
    for (std::int64_t j = 0; j < from.columns; j += width) {
      Vector row[rows];
      turn_squares<Word>(
          [&](std::int64_t k) HWY_ATTR {
            const std::byte* const at = from.first + (j + k) * from.pitch;
            return padded(load_blocks<std::uint8_t, vector_bytes>(at, rows * from.pitch), padding);
          },
          row);
      const std::int64_t bytes = std::min(width, from.columns - j) * unit;
      for (std::int64_t k = 0; k < count; ++k)
        store(row[k], out + row_offsets[k] + j * unit, bytes);
    }
  }

  /// Writes all rows straight from the source: at least `rows` of them and `width` columns, row by
  /// row or column by column. The last squares overlap those before.
  void gather(const std::byte* src, const std::int64_t* column_offsets, std::int64_t columns,
              std::byte* out, const std::int64_t* row_offsets, std::int64_t count,
              bool by_rows) const {
    // What a block of 16 bytes reads beyond its rows lies after them, but for the last rows before.
    const Lanes after = padded_from(0), before = padded_from(beyond);
    const auto square = [&](std::int64_t i, std::int64_t j) HWY_ATTR {
      const bool is_last = (i + rows) * unit + beyond > count * unit;
      if (is_last && i * unit < beyond)
        return one_by_one(src, column_offsets + j, out, row_offsets, count, j);
      const std::byte* const at = src + i * unit - (is_last ? beyond : 0);
      const Lanes lanes = is_last ? before : after;
      Vector row[rows];
      turn_squares<Word>(
          [&](std::int64_t k) HWY_ATTR {
            return padded(
                load_columns<std::uint8_t, vector_bytes>(at, column_offsets + j + k, rows), lanes);
          },
          row);
      for (std::int64_t k = 0; k < rows; ++k)
        store(row[k], out + row_offsets[i + k] + j * unit, width * unit);
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

 private:
  static constexpr std::int64_t unit = sizeof(Word) / 4 * 3;
  static constexpr std::int64_t block = rows * unit, beyond = 16 - block;
  using Vector = hn::Vec<Whole<Word>>;
  using Lanes = hn::Vec<Whole<std::uint8_t>>;

  /// Which bytes of each 16 make its words, where the units start at byte `start`.
  static HWY_INLINE Lanes padded_from(std::int64_t start) {
    const PaddingLanes lanes(sizeof(Word), unit, start);
    return hn::LoadDup128(Whole<std::uint8_t>(), lanes.at);
  }

  static HWY_INLINE Vector padded(Lanes bytes, Lanes lanes) {
    return hn::BitCast(Whole<Word>(), hn::TableLookupBytes(bytes, lanes));
  }

  /// The first `bytes` of the units of a row.
  static HWY_INLINE void store(Vector row, std::byte* to, std::int64_t bytes) {
    const Whole<std::uint8_t> d8;
    alignas(64) static constexpr std::uint8_t threes[16] = {0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14};
    alignas(64) static constexpr std::uint8_t sixes[16] = {0, 1, 2, 3, 4, 5, 8, 9, 10, 11, 12, 13};
    const auto order = hn::LoadDup128(d8, sizeof(Word) == 4 ? threes : sixes);
    const auto closed = hn::TableLookupBytes(hn::BitCast(d8, row), order);
#if HWY_TARGET == HWY_AVX3
    if (bytes == width * unit) {
      const Whole<std::uint32_t> d;
      alignas(64) static constexpr std::uint32_t used[16] = {0, 1, 2,  4,  5,  6,
                                                             8, 9, 10, 12, 13, 14};
      const auto joined =
          hn::TableLookupLanes(hn::BitCast(d, closed), hn::SetTableIndices(d, used));
      return hn::BlendedStore(joined, hn::FirstN(d, 12), d, reinterpret_cast<std::uint32_t*>(to));
    }
#endif
    alignas(64) std::byte apart[vector_bytes];
    hn::Store(closed, d8, reinterpret_cast<std::uint8_t*>(apart));
    std::int64_t at = 0;
    for (; at + block <= bytes; at += block) std::memcpy(to + at, apart + at / block * 16, block);
    if (at < bytes) copy_few(to + at, apart + at / block * 16, bytes - at);
  }

  /// All of so few rows, of as many columns as a vector has.
  static void one_by_one(const std::byte* src, const std::int64_t* column_offsets, std::byte* out,
                         const std::int64_t* row_offsets, std::int64_t count, std::int64_t first) {
    for (std::int64_t j = 0; j < width; ++j)
      for (std::int64_t i = 0; i < count; ++i)
        std::memcpy(out + row_offsets[i] + (first + j) * unit, src + column_offsets[j] + i * unit,
                    unit);
  }
};

#endif

/// Calls `body` with the strip for units of that size.
template <class Body>
void with_strip(std::int64_t unit, Body&& body) {
#if HWY_TARGET != HWY_SCALAR
  switch (unit) {
    case 1:
      return body(SquareStrip<std::uint8_t>{});
    case 2:
      return body(SquareStrip<std::uint16_t>{});
    case 3:
      return body(PaddedStrip<std::uint32_t>{});
    case 4:
      return body(SquareStrip<std::uint32_t>{});
    case 6:
      return body(PaddedStrip<std::uint64_t>{});
    case 8:
      return body(SquareStrip<std::uint64_t>{});
    case 16:
      return body(SquareStrip<std::uint64_t, 16>{});
    default:
      break;
  }
#endif
  with_unit(unit, [&](auto fixed) { body(UnitStrip<decltype(fixed)>{fixed}); });
}

}  // namespace weft::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif

// Strips of a transpose, for each target: a few rows of the output made from staged columns.
#if defined(WEFT_TURN_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef WEFT_TURN_INL_H
#undef WEFT_TURN_INL_H
#else
#define WEFT_TURN_INL_H
#endif

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include <hwy/highway.h>

#include <weft/engine/kernels/unit.h>

HWY_BEFORE_NAMESPACE();
namespace weft::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Columns of the output, staged: each is contiguous, and `pitch` bytes further than the one
/// before.
struct Staged {
  const std::byte* first;
  std::int64_t pitch, columns;
};

/// memcpy of a few dozen bytes: pieces of one size, of which the last two may overlap.
HWY_INLINE void copy_few(std::byte* dst, const std::byte* src, std::int64_t bytes) {
  const auto by = [&](auto piece) {
    constexpr std::int64_t size = piece();
    for (std::int64_t at = 0; at + size <= bytes; at += size) std::memcpy(dst + at, src + at, size);
    std::memcpy(dst + bytes - size, src + bytes - size, size);
  };
  if (bytes >= 16) by(std::integral_constant<std::int64_t, 16>{});
  else if (bytes >= 4) by(std::integral_constant<std::int64_t, 4>{});
  else
    for (std::int64_t at = 0; at < bytes; ++at) dst[at] = src[at];
}

/// One row a strip, unit by unit.
template <class Unit>
struct UnitStrip {
  Unit unit;
  static constexpr std::int64_t rows = 1;
  static constexpr bool has_pairs = false;

  /// Writes `count` rows, row k from `out + row_offsets[k]` on.
  void operator()(const Staged& from, std::byte* out, const std::int64_t* row_offsets,
                  std::int64_t) const {
    for (std::int64_t j = 0; j < from.columns; ++j)
      unit.move(out + row_offsets[0] + j * unit.size(), from.first + j * from.pitch);
  }
};

#if HWY_TARGET != HWY_SCALAR

#if HWY_HAVE_SCALABLE
constexpr std::int64_t vector_bytes = 16;
#else
constexpr std::int64_t vector_bytes = HWY_MAX_BYTES < 64 ? HWY_MAX_BYTES : 64;
#endif

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

/// As many rows as units fit in 16 bytes: squares of so many units a side, a vector of them at a
/// time, are turned by interleaving their halves again and again. Reads whole vectors, also past
/// the last column.
template <class T, std::int64_t UnitBytes = sizeof(T)>
class SquareStrip {
 public:
  static constexpr std::int64_t rows = 16 / UnitBytes;
  static constexpr bool has_pairs = true;
  static constexpr std::int64_t vector_size = vector_bytes;

  /// Writes the first `count` rows, row k from `out + row_offsets[k]` on.
  void operator()(const Staged& from, std::byte* out, const std::int64_t* row_offsets,
                  std::int64_t count) const {
    constexpr std::int64_t width = vector_bytes / UnitBytes;
    Vector row[rows];
    std::int64_t j = 0;
    for (; j + width <= from.columns; j += width) {
      turn(from.first + j * from.pitch, from.pitch, row);
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
    turn(from.first + j * from.pitch, from.pitch, row);
    spill(row, all);
    for (std::int64_t k = 0; k < count; ++k)
      copy_few(out + row_offsets[k] + j * UnitBytes, all + k * vector_bytes,
               (from.columns - j) * UnitBytes);
  }

  /// All rows of at most one vector, one behind the other: what a row writes too far, also up to a
  /// vector past the last, the next puts right.
  HWY_INLINE static void pack(const Staged& from, std::byte* out, std::int64_t row_bytes) {
    Vector row[rows];
    turn(from.first, from.pitch, row);
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
      turn(from.first + p * (vector_bytes / UnitBytes) * from.pitch, from.pitch, row);
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
  using D = hn::FixedTag<T, lanes>;
  using Vector = hn::Vec<D>;

  HWY_INLINE static void spill(const Vector (&row)[rows], std::byte* to) {
    HWY_UNROLL(16)
    for (std::int64_t k = 0; k < rows; ++k) store(row[k], to + k * vector_bytes);
  }

  HWY_INLINE static void store(Vector v, std::byte* to) {
    hn::StoreU(v, D(), reinterpret_cast<T*>(to));
  }

  HWY_INLINE static void turn(const std::byte* src, std::int64_t pitch, Vector (&row)[rows]) {
    const D d;
    constexpr std::size_t side = rows;
    Vector turned[side];
    HWY_UNROLL(16)
    for (std::size_t k = 0; k < side; ++k)
      row[k] = load_blocks<T, vector_bytes>(src + static_cast<std::int64_t>(k) * pitch,
                                            static_cast<std::int64_t>(side) * pitch);
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
    case 4:
      return body(SquareStrip<std::uint32_t>{});
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

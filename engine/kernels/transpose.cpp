// The transpose kernel: blocks are turned in registers into a scratch that stays in the first
// cache, and leave it as whole rows.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "weft/engine/kernels/transpose.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include <weft/engine/kernels/kernels.h>
#include <weft/engine/kernels/stream-inl.h>
#include <weft/engine/kernels/unit.h>

HWY_BEFORE_NAMESPACE();
namespace weft::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

// Blocks, by measurement over rows of 128 to 1024 bytes and 16 to 64 rows (bench W2, W3): two lines
// of the source at a time where a unit is 4 bytes or more (f32 1.8 to 1.1 copies), one for smaller
// units.
constexpr std::int64_t row_bytes = 256;
constexpr std::int64_t line_bytes = 64;
constexpr std::int64_t scratch_bytes = 2 * line_bytes * row_bytes;

std::int64_t rows_of_block(std::int64_t unit) {
  const std::int64_t taken = unit >= 4 ? 2 * line_bytes : line_bytes;
  return std::max<std::int64_t>(1, taken / unit);
}

/// Part of a tile: rows of the output by columns of the output.
struct Block {
  std::int64_t rows, columns;
  std::int64_t src_stride;  // bytes from a column to the next; a row is one unit further
  std::int64_t pitch;       // bytes from a row of the scratch to the next
};

/// Unit by unit, from (row, column) on.
template <class Unit>
void turn_units(const Block& block, Unit unit, std::int64_t row, std::int64_t column,
                std::byte* scratch, const std::byte* src) {
  for (std::int64_t j = column; j < block.columns; ++j)
    for (std::int64_t i = row; i < block.rows; ++i)
      unit.move(scratch + i * block.pitch + j * unit.size(),
                src + j * block.src_stride + i * unit.size());
}

#if HWY_TARGET != HWY_SCALAR

#if HWY_HAVE_SCALABLE
constexpr std::size_t vector_bytes = 16;
#else
constexpr std::size_t vector_bytes = HWY_MAX_BYTES < 64 ? HWY_MAX_BYTES : 64;
#endif

/// Blocks of 16 bytes side by side, each `distance` bytes further in the source than the one
/// before.
template <class T, std::size_t Bytes>
HWY_INLINE auto load_blocks(const std::byte* src, std::int64_t distance) {
  const hn::FixedTag<T, Bytes / sizeof(T)> d;
  if constexpr (Bytes == 16) {
    return hn::LoadU(d, reinterpret_cast<const T*>(src));
  } else {
    constexpr std::size_t half = Bytes / 2;
    const auto low = load_blocks<T, half>(src, distance);
    const auto high =
        load_blocks<T, half>(src + static_cast<std::int64_t>(half / 16) * distance, distance);
    return hn::Combine(d, high, low);
  }
}

/// Squares of as many units a side as fit in 16 bytes, as many at once along the columns as fit in
/// the vector: each is turned by interleaving its halves again and again.
template <class T, std::size_t Bytes>
HWY_INLINE void turn_squares(std::byte* scratch, std::int64_t pitch, const std::byte* src,
                             std::int64_t src_stride) {
  const hn::FixedTag<T, Bytes / sizeof(T)> d;
  constexpr std::size_t side = 16 / sizeof(T);
  hn::Vec<decltype(d)> rows[side], turned[side];
  HWY_UNROLL(16)
  for (std::size_t k = 0; k < side; ++k)
    rows[k] = load_blocks<T, Bytes>(src + static_cast<std::int64_t>(k) * src_stride,
                                    static_cast<std::int64_t>(side) * src_stride);
  constexpr int stages = std::countr_zero(side);
  HWY_UNROLL(4)
  for (int stage = 0; stage < stages; ++stage) {
    HWY_UNROLL(16)
    for (std::size_t k = 0; k < side / 2; ++k) {
      turned[2 * k] = hn::InterleaveLower(d, rows[k], rows[k + side / 2]);
      turned[2 * k + 1] = hn::InterleaveUpper(d, rows[k], rows[k + side / 2]);
    }
    HWY_UNROLL(16)
    for (std::size_t k = 0; k < side; ++k) rows[k] = turned[k];
  }
  HWY_UNROLL(16)
  for (std::size_t k = 0; k < side; ++k)
    hn::StoreU(rows[k], d, reinterpret_cast<T*>(scratch + static_cast<std::int64_t>(k) * pitch));
}

/// Whole squares from column `column` on; returns the column behind them.
template <class T, std::size_t Bytes>
std::int64_t turn_columns(const Block& block, std::int64_t column, std::byte* scratch,
                          const std::byte* src) {
  constexpr std::int64_t unit = sizeof(T);
  constexpr std::int64_t side = 16 / unit;
  constexpr std::int64_t width = Bytes / unit;
  for (; column + width <= block.columns; column += width)
    for (std::int64_t i = 0; i + side <= block.rows; i += side)
      turn_squares<T, Bytes>(scratch + i * block.pitch + column * unit, block.pitch,
                             src + column * block.src_stride + i * unit, block.src_stride);
  return column;
}

template <class T>
void turn_block(const Block& block, std::byte* scratch, const std::byte* src) {
  constexpr std::int64_t unit = sizeof(T);
  const std::int64_t rows = block.rows / (16 / unit) * (16 / unit);
  std::int64_t column = turn_columns<T, vector_bytes>(block, 0, scratch, src);
  if constexpr (vector_bytes > 16) column = turn_columns<T, 16>(block, column, scratch, src);
  turn_units(Block{rows, block.columns, block.src_stride, block.pitch}, FixedUnit<unit>{}, 0,
             column, scratch, src);
  turn_units(block, FixedUnit<unit>{}, rows, 0, scratch, src);
}

#endif

void turn(std::int64_t unit, const Block& block, std::byte* scratch, const std::byte* src) {
#if HWY_TARGET != HWY_SCALAR
  switch (unit) {
    case 1:
      return turn_block<std::uint8_t>(block, scratch, src);
    case 2:
      return turn_block<std::uint16_t>(block, scratch, src);
    case 4:
      return turn_block<std::uint32_t>(block, scratch, src);
    case 8:
      return turn_block<std::uint64_t>(block, scratch, src);
    default:
      break;
  }
#endif
  with_unit(unit, [&](auto fixed) { turn_units(block, fixed, 0, 0, scratch, src); });
}

}  // namespace

void turn_tile(const Tile& tile, std::byte* dst, const std::byte* src) {
  alignas(line_bytes) std::byte scratch[scratch_bytes];
  const std::int64_t unit = tile.unit;
  const std::int64_t columns = std::max<std::int64_t>(1, row_bytes / unit);
  const std::int64_t rows = rows_of_block(unit);
  // The first block ends where a line of the output does, so that later ones start at one.
  const std::int64_t past =
      static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(dst) % line_bytes);
  const std::int64_t first = past % unit == 0 ? columns - past / unit : columns;
  for (std::int64_t j = 0; j < tile.inner.extent;) {
    const std::int64_t width = std::min(tile.inner.extent - j, j == 0 ? first : columns);
    const std::int64_t pitch = width * unit;
    for (std::int64_t i = 0; i < tile.outer.extent; i += rows) {
      const std::int64_t height = std::min(tile.outer.extent - i, rows);
      turn(unit, {height, width, tile.inner.src, pitch}, scratch,
           src + j * tile.inner.src + i * unit);
      for (std::int64_t k = 0; k < height; ++k) {
        std::byte* to = dst + (i + k) * tile.outer.dst + j * unit;
        if (tile.streams) stream_bytes(to, scratch + k * pitch, pitch);
        else std::memcpy(to, scratch + k * pitch, static_cast<std::size_t>(pitch));
      }
    }
    j += width;
  }
}

}  // namespace weft::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace weft {

HWY_EXPORT(turn_tile);

void transpose_blocks(const Tile& tile, std::byte* dst, const std::byte* src) {
  HWY_DYNAMIC_DISPATCH(turn_tile)(tile, dst, src);
}

}  // namespace weft
#endif

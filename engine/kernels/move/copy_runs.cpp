// SPDX-License-Identifier: Apache-2.0
// The run kernel: a copy a unit, past the caches where the output is large.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "weft/engine/kernels/move/copy_runs.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>

#include <weft/engine/kernels/move/kernels.h>
#include <weft/engine/kernels/move/stream-inl.h>

HWY_BEFORE_NAMESPACE();
namespace weft::HWY_NAMESPACE {
void stream_run(std::byte* dst, const std::byte* src, std::int64_t bytes) {
  stream_bytes(dst, src, bytes);
}

namespace {

constexpr std::int64_t packed_bytes = 8 * 1024;
constexpr std::int64_t packed_unit = 1024;

/// Short runs that follow one another in the output are put together first: the lines they share
/// are written once.
void pack_runs(const Tile& tile, std::byte* dst, const std::byte* src) {
  alignas(line_bytes) std::byte packed[packed_bytes];
  const std::int64_t most = packed_bytes / tile.unit;
  for (std::int64_t j = 0; j < tile.inner.extent; j += most) {
    const std::int64_t count = std::min(tile.inner.extent - j, most);
    for (std::int64_t k = 0; k < count; ++k)
      std::memcpy(packed + k * tile.unit, src + (j + k) * tile.inner.src,
                  static_cast<std::size_t>(tile.unit));
    stream_bytes(dst + j * tile.unit, packed, count * tile.unit);
  }
}

}  // namespace

void stream_runs(const Tile& tile, std::byte* dst, const std::byte* src) {
  const bool is_packed = tile.inner.dst == tile.unit && tile.inner.extent > 1 &&
                         tile.unit <= packed_unit && tile.unit % line_bytes != 0;
  if (is_packed) {
    for (std::int64_t i = 0; i < tile.outer.extent; ++i)
      pack_runs(tile, dst + i * tile.outer.dst, src + i * tile.outer.src);
    return;
  }
  for (std::int64_t i = 0; i < tile.outer.extent; ++i)
    for (std::int64_t j = 0; j < tile.inner.extent; ++j)
      stream_bytes(dst + i * tile.outer.dst + j * tile.inner.dst,
                   src + i * tile.outer.src + j * tile.inner.src, tile.unit);
}

namespace {

/// `Rows` runs of at least `long_unit` bytes, a line of each in turn.
template <std::int64_t Rows>
HWY_INLINE void copy_in_turn(const Tile& tile, std::byte* dst, const std::byte* src) {
  namespace hn = hwy::HWY_NAMESPACE;
  const hn::CappedTag<std::uint8_t, line_bytes> d;
  const auto step = static_cast<std::int64_t>(hn::Lanes(d));
  const auto copy_lines = [&](std::int64_t at) {
    for (std::int64_t row = 0; row < Rows; ++row) {
      const std::byte* const from = src + row * tile.inner.src + at;
      std::byte* const to = dst + row * tile.inner.dst + at;
      for (std::int64_t k = 0; k < line_bytes; k += step)
        hn::StoreU(hn::LoadU(d, reinterpret_cast<const std::uint8_t*>(from + k)), d,
                   reinterpret_cast<std::uint8_t*>(to + k));
    }
  };
  const std::int64_t last = tile.unit - line_bytes;
  for (std::int64_t at = 0; at < last; at += line_bytes) copy_lines(at);
  copy_lines(last);  // may write again what is there
}

}  // namespace

/// Runs far apart miss the caches; four at a time are fetched side by side (256 runs of 256 bytes,
/// 1 MiB apart: 1.3 us, one by one 2.25, a memcpy each 2.65).
void copy_short_runs(const Tile& tile, std::byte* dst, const std::byte* src) {
  for (std::int64_t i = 0; i < tile.outer.extent; ++i) {
    std::byte* const to = dst + i * tile.outer.dst;
    const std::byte* const from = src + i * tile.outer.src;
    std::int64_t j = 0;
    for (; j + 4 <= tile.inner.extent; j += 4)
      copy_in_turn<4>(tile, to + j * tile.inner.dst, from + j * tile.inner.src);
    for (; j < tile.inner.extent; ++j)
      copy_in_turn<1>(tile, to + j * tile.inner.dst, from + j * tile.inner.src);
  }
}

}  // namespace weft::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <hwy/cache_control.h>

namespace weft {

HWY_EXPORT(stream_run);
HWY_EXPORT(stream_runs);
HWY_EXPORT(copy_short_runs);

// Runs shorter than this cost about as much as calling memcpy for them.
constexpr std::int64_t call_from = 1024;

void copy_run(std::byte* dst, const std::byte* src, std::int64_t bytes, bool streams) {
  if (streams) return HWY_DYNAMIC_DISPATCH(stream_run)(dst, src, bytes);
  std::memcpy(dst, src, static_cast<std::size_t>(bytes));
}

void copy_runs(const Tile& tile, std::byte* dst, const std::byte* src) {
  if (tile.streams) return HWY_DYNAMIC_DISPATCH(stream_runs)(tile, dst, src);
  if (tile.unit >= long_unit && tile.unit < call_from)
    return HWY_DYNAMIC_DISPATCH(copy_short_runs)(tile, dst, src);
  for (std::int64_t i = 0; i < tile.outer.extent; ++i)
    for (std::int64_t j = 0; j < tile.inner.extent; ++j)
      std::memcpy(dst + i * tile.outer.dst + j * tile.inner.dst,
                  src + i * tile.outer.src + j * tile.inner.src,
                  static_cast<std::size_t>(tile.unit));
}

void finish_streams() { hwy::FlushStream(); }

}  // namespace weft
#endif

// SPDX-License-Identifier: Apache-2.0
// The interleave kernels: two to four channels taken apart or put together.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "weft/engine/kernels/move/interleave.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>

#include <weft/engine/kernels/move/kernels.h>
#include <weft/engine/kernels/move/stream-inl.h>

HWY_BEFORE_NAMESPACE();
namespace weft::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

// Bytes of a channel between the first cache and the output: long enough to be streamed.
constexpr std::int64_t chunk_bytes = 1024;

/// Whole vectors at `done` and on; returns where they end.
template <int Channels, class T>
HWY_INLINE std::int64_t load_channels(const T* src, T* const* out, std::int64_t count) {
  std::int64_t done = 0;
  const hn::CappedTag<T, line_bytes / sizeof(T)> d;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  for (; done + lanes <= count; done += lanes) {
    hn::Vec<decltype(d)> a, b, c, e;
    if constexpr (Channels == 2) hn::LoadInterleaved2(d, src + done * 2, a, b);
    if constexpr (Channels == 3) hn::LoadInterleaved3(d, src + done * 3, a, b, c);
    if constexpr (Channels == 4) hn::LoadInterleaved4(d, src + done * 4, a, b, c, e);
    hn::StoreU(a, d, out[0] + done);
    hn::StoreU(b, d, out[1] + done);
    if constexpr (Channels > 2) hn::StoreU(c, d, out[2] + done);
    if constexpr (Channels > 3) hn::StoreU(e, d, out[3] + done);
  }
  return done;
}

template <int Channels, class T>
HWY_INLINE std::int64_t store_channels(const T* const* src, T* out, std::int64_t count) {
  std::int64_t done = 0;
  const hn::CappedTag<T, line_bytes / sizeof(T)> d;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  for (; done + lanes <= count; done += lanes) {
    const auto a = hn::LoadU(d, src[0] + done);
    const auto b = hn::LoadU(d, src[1] + done);
    if constexpr (Channels == 2) {
      hn::StoreInterleaved2(a, b, d, out + done * 2);
    } else {
      const auto c = hn::LoadU(d, src[2] + done);
      if constexpr (Channels == 3) hn::StoreInterleaved3(a, b, c, d, out + done * 3);
      else hn::StoreInterleaved4(a, b, c, hn::LoadU(d, src[3] + done), d, out + done * 4);
    }
  }
  return done;
}

/// Units up to the next line of the output where it holds whole units; `most` otherwise.
std::int64_t units_to_line(const std::byte* to, std::int64_t unit, std::int64_t most) {
  const std::int64_t past = past_line(to);
  return past == 0 || past % unit != 0 ? most : (line_bytes - past) / unit;
}

template <int Channels, class T>
void take_apart(const Tile& tile, std::byte* dst, const std::byte* src) {
  constexpr std::int64_t unit = sizeof(T), chunk = chunk_bytes / unit;
  alignas(line_bytes) T channels[Channels][chunk];
  const std::int64_t most = tile.streams ? chunk : tile.inner.extent;
  const std::int64_t head = tile.streams ? units_to_line(dst, unit, chunk) : most;
  for (std::int64_t j = 0; j < tile.inner.extent;) {
    const std::int64_t count = std::min(tile.inner.extent - j, j == 0 ? head : most);
    T* out[Channels];
    for (int c = 0; c < Channels; ++c)
      out[c] = tile.streams ? channels[c] : reinterpret_cast<T*>(dst + c * tile.outer.dst);
    const std::byte* from = src + j * Channels * unit;
    for (std::int64_t k = load_channels<Channels>(reinterpret_cast<const T*>(from), out, count);
         k < count; ++k)
      for (int c = 0; c < Channels; ++c)
        std::memcpy(out[c] + k, from + (k * Channels + c) * unit, unit);
    for (int c = 0; c < Channels && tile.streams; ++c)
      stream_bytes(dst + c * tile.outer.dst + j * unit, reinterpret_cast<std::byte*>(out[c]),
                   count * unit);
    j += count;
  }
}

template <int Channels, class T>
void put_together(const Tile& tile, std::byte* dst, const std::byte* src) {
  constexpr std::int64_t unit = sizeof(T), chunk = chunk_bytes / unit;
  alignas(line_bytes) T together[Channels * chunk];
  for (std::int64_t i = 0; i < tile.outer.extent; i += chunk) {
    const std::int64_t count = std::min(tile.outer.extent - i, chunk);
    std::byte* const to = dst + i * Channels * unit;
    T* const out = tile.streams ? together : reinterpret_cast<T*>(to);
    const T* from[Channels];
    for (int c = 0; c < Channels; ++c)
      from[c] = reinterpret_cast<const T*>(src + c * tile.inner.src + i * unit);
    for (std::int64_t k = store_channels<Channels>(from, out, count); k < count; ++k)
      for (int c = 0; c < Channels; ++c)
        std::memcpy(reinterpret_cast<std::byte*>(out) + (k * Channels + c) * unit,
                    src + c * tile.inner.src + (i + k) * unit, unit);
    if (tile.streams)
      stream_bytes(to, reinterpret_cast<const std::byte*>(out), count * Channels * unit);
  }
}

/// Calls `body` with the number of channels and a value of the unit's type.
template <class Body>
void with_channels(std::int64_t channels, std::int64_t unit, Body&& body) {
  const auto with_type = [&](auto type) {
    if (channels == 2) body(std::integral_constant<int, 2>{}, type);
    else if (channels == 3) body(std::integral_constant<int, 3>{}, type);
    else body(std::integral_constant<int, 4>{}, type);
  };
  if (unit == 1) with_type(std::uint8_t{});
  else if (unit == 2) with_type(std::uint16_t{});
  else if (unit == 4) with_type(std::uint32_t{});
  else with_type(std::uint64_t{});
}

}  // namespace

void take_tile_apart(const Tile& tile, std::byte* dst, const std::byte* src) {
  with_channels(tile.outer.extent, tile.unit, [&](auto channels, auto type) {
    take_apart<channels(), decltype(type)>(tile, dst, src);
  });
}

void put_tile_together(const Tile& tile, std::byte* dst, const std::byte* src) {
  with_channels(tile.inner.extent, tile.unit, [&](auto channels, auto type) {
    put_together<channels(), decltype(type)>(tile, dst, src);
  });
}

}  // namespace weft::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace weft {

HWY_EXPORT(take_tile_apart);
HWY_EXPORT(put_tile_together);

void deinterleave(const Tile& tile, std::byte* dst, const std::byte* src) {
  HWY_DYNAMIC_DISPATCH(take_tile_apart)(tile, dst, src);
}

void interleave(const Tile& tile, std::byte* dst, const std::byte* src) {
  HWY_DYNAMIC_DISPATCH(put_tile_together)(tile, dst, src);
}

}  // namespace weft
#endif

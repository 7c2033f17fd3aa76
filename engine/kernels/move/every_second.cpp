// SPDX-License-Identifier: Apache-2.0
// Kernels of step two: every second unit of the source taken, or of the output written.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "weft/engine/kernels/move/every_second.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <weft/engine/kernels/move/kernels.h>
#include <weft/graph/value/unit.h>

HWY_BEFORE_NAMESPACE();
namespace weft::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

// Vectors reach one unit past the last that is asked for, so the last step is left to the caller.

template <class T>
HWY_INLINE std::int64_t take_vectors(T* dst, const T* src, std::int64_t count) {
  std::int64_t k = 0;
  const hn::CappedTag<T, 64 / sizeof(T)> d;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  for (; k + lanes < count; k += lanes) {
    hn::Vec<decltype(d)> taken, left;
    hn::LoadInterleaved2(d, src + 2 * k, taken, left);
    hn::StoreU(taken, d, dst + k);
  }
  return k;
}

template <class T>
HWY_INLINE std::int64_t put_vectors(T* dst, const T* src, std::int64_t count) {
  std::int64_t k = 0;
  const hn::CappedTag<T, 64 / sizeof(T)> d;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  for (; k + lanes < count; k += lanes) {
    hn::Vec<decltype(d)> replaced, kept;
    hn::LoadInterleaved2(d, dst + 2 * k, replaced, kept);
    hn::StoreInterleaved2(hn::LoadU(d, src + k), kept, d, dst + 2 * k);
  }
  return k;
}

template <class T, bool takes>
void every_second(const Tile& tile, std::byte* dst, const std::byte* src) {
  constexpr FixedUnit<sizeof(T)> unit;
  for (std::int64_t i = 0; i < tile.outer.extent; ++i) {
    std::byte* to = dst + i * tile.outer.dst;
    const std::byte* from = src + i * tile.outer.src;
    auto* const out = reinterpret_cast<T*>(to);
    const auto* const in = reinterpret_cast<const T*>(from);
    std::int64_t k =
        takes ? take_vectors(out, in, tile.inner.extent) : put_vectors(out, in, tile.inner.extent);
    for (; k < tile.inner.extent; ++k)
      unit.move(to + k * tile.inner.dst, from + k * tile.inner.src);
  }
}

template <bool takes>
void with_type(const Tile& tile, std::byte* dst, const std::byte* src) {
  if (tile.unit == 1) every_second<std::uint8_t, takes>(tile, dst, src);
  else if (tile.unit == 2) every_second<std::uint16_t, takes>(tile, dst, src);
  else if (tile.unit == 4) every_second<std::uint32_t, takes>(tile, dst, src);
  else every_second<std::uint64_t, takes>(tile, dst, src);
}

}  // namespace

void take_tile(const Tile& tile, std::byte* dst, const std::byte* src) {
  with_type<true>(tile, dst, src);
}

void put_tile(const Tile& tile, std::byte* dst, const std::byte* src) {
  with_type<false>(tile, dst, src);
}

}  // namespace weft::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace weft {

HWY_EXPORT(take_tile);
HWY_EXPORT(put_tile);

void take_every_second(const Tile& tile, std::byte* dst, const std::byte* src) {
  HWY_DYNAMIC_DISPATCH(take_tile)(tile, dst, src);
}

void put_every_second(const Tile& tile, std::byte* dst, const std::byte* src) {
  HWY_DYNAMIC_DISPATCH(put_tile)(tile, dst, src);
}

}  // namespace weft
#endif

// SPDX-License-Identifier: Apache-2.0
// The reverse kernel: vectors turned round, written in order.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "weft/engine/kernels/move/reverse.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>

#include <weft/engine/kernels/move/kernels.h>
#include <weft/graph/value/unit.h>

HWY_BEFORE_NAMESPACE();
namespace weft::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

/// dst[k] = src[-k] for `count` units.
template <class Unit>
void reverse_units(std::byte* dst, const std::byte* src, std::int64_t count, Unit unit) {
  for (std::int64_t k = 0; k < count; ++k) unit.move(dst + k * unit.size(), src - k * unit.size());
}

template <class T>
void reverse_row(std::byte* dst, const std::byte* src, std::int64_t count, bool streams) {
  constexpr std::int64_t unit = sizeof(T);
  constexpr std::int64_t line = 64;
  const hn::CappedTag<T, line / unit> d;
  const std::int64_t lanes = static_cast<std::int64_t>(hn::Lanes(d));
  // Unit by unit up to where a line starts, which streaming stores ask for.
  const std::int64_t past = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(dst) % line);
  const std::int64_t head = past % unit == 0 ? std::min(count, (line - past) % line / unit) : count;
  reverse_units(dst, src, head, FixedUnit<unit>{});
  std::int64_t k = head;
  for (; k + lanes <= count; k += lanes) {
    const auto* from = reinterpret_cast<const T*>(src - (k + lanes - 1) * unit);
    auto* to = reinterpret_cast<T*>(dst + k * unit);
    const auto turned = hn::Reverse(d, hn::LoadU(d, from));
    if (streams) hn::Stream(turned, d, to);
    else hn::Store(turned, d, to);
  }
  reverse_units(dst + k * unit, src - k * unit, count - k, FixedUnit<unit>{});
}

template <class T>
void reverse_rows(const Tile& tile, std::byte* dst, const std::byte* src) {
  for (std::int64_t i = 0; i < tile.outer.extent; ++i)
    reverse_row<T>(dst + i * tile.outer.dst, src + i * tile.outer.src, tile.inner.extent,
                   tile.streams);
}

}  // namespace

void reverse_tile(const Tile& tile, std::byte* dst, const std::byte* src) {
  switch (tile.unit) {
    case 2:
      return reverse_rows<std::uint16_t>(tile, dst, src);
    case 4:
      return reverse_rows<std::uint32_t>(tile, dst, src);
    case 8:
      return reverse_rows<std::uint64_t>(tile, dst, src);
    default:
      break;
  }
  with_unit(tile.unit, [&](auto unit) {
    for (std::int64_t i = 0; i < tile.outer.extent; ++i)
      reverse_units(dst + i * tile.outer.dst, src + i * tile.outer.src, tile.inner.extent, unit);
  });
}

}  // namespace weft::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace weft {

HWY_EXPORT(reverse_tile);

void reverse(const Tile& tile, std::byte* dst, const std::byte* src) {
  HWY_DYNAMIC_DISPATCH(reverse_tile)(tile, dst, src);
}

}  // namespace weft
#endif

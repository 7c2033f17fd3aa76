// SPDX-License-Identifier: Apache-2.0
// The reverse kernel: vectors turned round, written in order.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "weft/engine/kernels/move/reverse.cpp"
#include <weft/engine/kernels/targets.h>

#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>

#include <weft/engine/kernels/counting.h>
#include <weft/engine/kernels/move/channels-inl.h>
#include <weft/engine/kernels/move/stream-inl.h>
#include <weft/engine/kernels/move/two_loops.h>
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

/// Whole vectors of so many bytes, the last one perhaps over what is there already; false where
/// there are fewer units.
template <std::size_t Bytes, class T>
HWY_INLINE bool reverse_vectors(T* dst, const T* src, std::int64_t count) {
  const hn::CappedTag<T, Bytes / sizeof(T)> d;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  const auto reverse = [&](std::int64_t k) HWY_ATTR {
    hn::StoreU(turned_round(d, hn::LoadU(d, src - (k + lanes - 1))), d, dst + k);
  };
  if (count < lanes) return false;
  std::int64_t k = 0;
  for (; k + lanes <= count; k += lanes) reverse(k);
  if (k < count) reverse(count - lanes);
  return true;
}

/// Unit by unit up to where a line starts, which streaming stores ask for.
template <class T>
void stream_row(std::byte* dst, const std::byte* src, std::int64_t count) {
  constexpr std::int64_t unit = sizeof(T), line = line_bytes;
  const hn::CappedTag<T, line / unit> d;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  const std::int64_t past = past_line(dst);
  std::int64_t k = past % unit == 0 ? std::min(count, (line - past) % line / unit) : count;
  reverse_units(dst, src, k, FixedUnit<unit>{});
  for (; k + lanes <= count; k += lanes) {
    const auto* from = reinterpret_cast<const T*>(src - (k + lanes - 1) * unit);
    hn::Stream(turned_round(d, hn::LoadU(d, from)), d, reinterpret_cast<T*>(dst + k * unit));
  }
  reverse_units(dst + k * unit, src - k * unit, count - k, FixedUnit<unit>{});
}

template <class T>
void reverse_rows(const TwoLoops& loops, std::byte* dst, const std::byte* src) {
  const std::int64_t count = loops.inner.extent;
  for (std::int64_t i = 0; i < loops.outer.extent; ++i) {
    std::byte* const to = dst + i * loops.outer.dst;
    const std::byte* const from = src + i * loops.outer.src;
    T* const out = reinterpret_cast<T*>(to);
    const T* const last = reinterpret_cast<const T*>(from);
    if (loops.streams) stream_row<T>(to, from, count);
    else if (!reverse_vectors<64>(out, last, count) && !reverse_vectors<16>(out, last, count))
      reverse_units(to, from, count, FixedUnit<sizeof(T)>{});
  }
  count_moved(loops.outer.extent * count * loops.unit, loops.outer.extent * count * loops.unit);
}

}  // namespace

void move_reverse(const TwoLoops& loops, std::byte* dst, const std::byte* src) {
  switch (loops.unit) {
    case 1:
      return reverse_rows<std::uint8_t>(loops, dst, src);
    case 2:
      return reverse_rows<std::uint16_t>(loops, dst, src);
    case 4:
      return reverse_rows<std::uint32_t>(loops, dst, src);
    case 8:
      return reverse_rows<std::uint64_t>(loops, dst, src);
    default:
      break;
  }
  with_unit(loops.unit, [&](auto unit) {
    for (std::int64_t i = 0; i < loops.outer.extent; ++i)
      reverse_units(dst + i * loops.outer.dst, src + i * loops.outer.src, loops.inner.extent, unit);
    count_moved(loops.outer.extent * loops.inner.extent * unit.size(),
                loops.outer.extent * loops.inner.extent * unit.size());
  });
}

}  // namespace weft::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace weft {

WEFT_BY_SET(move_reverse);

namespace {

Cost match(const Nest& nest, const Writing&) {
  const NestLoop& inner = nest.innermost();
  if (inner.src[0] != -nest.unit || nest.unit >= long_unit) return no_match;
  // Vectors of whole units, one after another; short rows are better shuffled.
  return nest.has_vector_unit() && inner.extent * nest.unit > most_group_bytes ? 21 : 600;
}

bool bind(Nest& nest, const Writing& writing, BoundArguments& arguments) {
  arguments.keep(take_two_loops(nest, writing.streams));
  return true;
}

void run(const BoundArguments& arguments, std::byte* dst, const std::byte* const* src) noexcept {
  on_this_machine(move_reverse_by_set)(arguments.as<TwoLoops>(), dst, src[0]);
}

}  // namespace

extern const KernelDefinition reverse_kernel;
const KernelDefinition reverse_kernel{"reverse", packed | turned,  match,   bind,
                                      run,       traffic_of_units, nullptr, streams_units};

}  // namespace weft
#endif

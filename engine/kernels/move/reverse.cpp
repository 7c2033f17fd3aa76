// SPDX-License-Identifier: Apache-2.0
// The reverse kernel: vectors turned round, written in order.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "weft/engine/kernels/move/reverse.cpp"
#include <weft/engine/kernels/targets.h>

#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>

#include <weft/engine/kernels/counting.h>
#include <weft/engine/kernels/move/two_loops.h>
#include <weft/graph/value/unit.h>

HWY_BEFORE_NAMESPACE();
namespace weft::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

/// dst[k] = src[-k] for `count` units.
template <class Unit>
void reverse_units(std::byte* dst, const std::byte* src, std::int64_t count, Unit unit) {
  std::int64_t k = 0;
  for (; k < count; ++k) unit.move(dst + k * unit.size(), src - k * unit.size());
  count_moved(k * unit.size(), k * unit.size());
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
  count_moved((k - head) * unit, (k - head) * unit);
  reverse_units(dst + k * unit, src - k * unit, count - k, FixedUnit<unit>{});
}

template <class T>
void reverse_rows(const TwoLoops& loops, std::byte* dst, const std::byte* src) {
  for (std::int64_t i = 0; i < loops.outer.extent; ++i)
    reverse_row<T>(dst + i * loops.outer.dst, src + i * loops.outer.src, loops.inner.extent,
                   loops.streams);
}

}  // namespace

void move_reverse(const TwoLoops& loops, std::byte* dst, const std::byte* src) {
  switch (loops.unit) {
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
  });
}

}  // namespace weft::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace weft {

HWY_EXPORT(move_reverse);

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
  HWY_DYNAMIC_DISPATCH(move_reverse)(arguments.as<TwoLoops>(), dst, src[0]);
}

}  // namespace

extern const KernelDefinition reverse_kernel;
const KernelDefinition reverse_kernel{"reverse", packed | turned,  match,   bind,
                                      run,       traffic_of_units, nullptr, streams_units};

}  // namespace weft
#endif

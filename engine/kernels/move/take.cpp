// SPDX-License-Identifier: Apache-2.0
// The take kernel: every second unit of the source, side by side.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "weft/engine/kernels/move/take.cpp"
#include <weft/engine/kernels/targets.h>

#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <weft/engine/kernels/counting.h>
#include <weft/engine/kernels/move/two_loops.h>
#include <weft/graph/value/unit.h>

HWY_BEFORE_NAMESPACE();
namespace weft::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

// Vectors reach one unit past the last that is asked for, so the last step is left to the caller.

/// Whole vectors of so many bytes, the last one perhaps over what is there already; returns where
/// they end.
template <std::size_t Bytes, class T>
HWY_INLINE std::int64_t take_vectors(T* dst, const T* src, std::int64_t count) {
  const hn::CappedTag<T, Bytes / sizeof(T)> d;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  const auto take = [&](std::int64_t k) HWY_ATTR {
    hn::Vec<decltype(d)> taken, left;
    hn::LoadInterleaved2(d, src + 2 * k, taken, left);
    hn::StoreU(taken, d, dst + k);
  };
  if (count <= lanes) return 0;
  std::int64_t k = 0;
  for (; k + lanes < count; k += lanes) take(k);
  if (k + 1 < count) take(count - 1 - lanes);
  return count - 1;
}

template <class T>
void take_rows(const TwoLoops& loops, std::byte* dst, const std::byte* src) {
  constexpr FixedUnit<sizeof(T)> unit;
  for (std::int64_t i = 0; i < loops.outer.extent; ++i) {
    std::byte* to = dst + i * loops.outer.dst;
    const std::byte* from = src + i * loops.outer.src;
    T* const out = reinterpret_cast<T*>(to);
    const T* const units = reinterpret_cast<const T*>(from);
    std::int64_t k = take_vectors<64>(out, units, loops.inner.extent);
    if (k == 0) k = take_vectors<16>(out, units, loops.inner.extent);
    for (; k < loops.inner.extent; ++k)
      unit.move(to + k * loops.inner.dst, from + k * loops.inner.src);
    count_moved(k * unit.size(), k * unit.size());
  }
}

}  // namespace

void move_take(const TwoLoops& loops, std::byte* dst, const std::byte* src) {
  if (loops.unit == 1) take_rows<std::uint8_t>(loops, dst, src);
  else if (loops.unit == 2) take_rows<std::uint16_t>(loops, dst, src);
  else if (loops.unit == 4) take_rows<std::uint32_t>(loops, dst, src);
  else take_rows<std::uint64_t>(loops, dst, src);
}

}  // namespace weft::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace weft {

WEFT_BY_SET(move_take);

namespace {

Cost match(const Nest& nest, const Writing&) {
  const NestLoop& inner = nest.innermost();
  if (inner.src[0] != 2 * nest.unit || !nest.has_vector_unit()) return no_match;
  // Short rows are better shuffled.
  return inner.extent * nest.unit > most_group_bytes ? 30 : 590;
}

bool bind(Nest& nest, const Writing&, BoundArguments& arguments) {
  arguments.keep(take_two_loops(nest));
  return true;
}

void run(const BoundArguments& arguments, std::byte* dst, const std::byte* const* src) noexcept {
  on_this_machine(move_take_by_set)(arguments.as<TwoLoops>(), dst, src[0]);
}

}  // namespace

extern const KernelDefinition take_kernel;
const KernelDefinition take_kernel{"take", packed | turned, match, bind, run, traffic_of_units};

}  // namespace weft
#endif

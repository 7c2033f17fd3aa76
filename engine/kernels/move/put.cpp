// SPDX-License-Identifier: Apache-2.0
// The put kernel: units side by side, either way, or every second, over every second of the output.
// What lies between is written as well, with the values it has, so nobody else may write there.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "weft/engine/kernels/move/put.cpp"
#include <weft/engine/kernels/targets.h>

#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <cstdlib>

#include <weft/engine/kernels/counting.h>
#include <weft/engine/kernels/move/channels-inl.h>
#include <weft/engine/kernels/move/two_loops.h>
#include <weft/graph/value/unit.h>

HWY_BEFORE_NAMESPACE();
namespace weft::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

// Vectors reach one unit past the last that is asked for, so the last step is left to the caller.

/// A vector of units, the first of them at `src`, each `Step` units after the one before.
template <int Step, class D, class T = hn::TFromD<D>>
HWY_INLINE hn::Vec<D> units_at(D d, const T* src) {
  hn::Vec<D> units, between;
  if constexpr (Step == 1) units = hn::LoadU(d, src);
  else if constexpr (Step == 2) hn::LoadInterleaved2(d, src, units, between);
  else units = turned_round(d, hn::LoadU(d, src - (static_cast<std::int64_t>(hn::Lanes(d)) - 1)));
  return units;
}

template <int Step, class T>
HWY_INLINE std::int64_t put_vectors(T* dst, const T* src, std::int64_t count) {
  std::int64_t k = 0;
  const hn::CappedTag<T, 64 / sizeof(T)> d;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  for (; k + lanes < count; k += lanes) {
    hn::Vec<decltype(d)> replaced, kept;
    hn::LoadInterleaved2(d, dst + 2 * k, replaced, kept);
    hn::StoreInterleaved2(units_at<Step>(d, src + Step * k), kept, d, dst + 2 * k);
  }
  return k;
}

template <class T>
HWY_INLINE std::int64_t put_vectors(std::byte* to, const std::byte* from, const ByteLoop& row) {
  T* const dst = reinterpret_cast<T*>(to);
  const T* const src = reinterpret_cast<const T*>(from);
  if (row.src < 0) return put_vectors<-1>(dst, src, row.extent);
  if (row.src == sizeof(T)) return put_vectors<1>(dst, src, row.extent);
  return put_vectors<2>(dst, src, row.extent);
}

template <class T>
void put_rows(const TwoLoops& loops, std::byte* dst, const std::byte* src) {
  constexpr FixedUnit<sizeof(T)> unit;
  for (std::int64_t i = 0; i < loops.outer.extent; ++i) {
    std::byte* to = dst + i * loops.outer.dst;
    const std::byte* from = src + i * loops.outer.src;
    std::int64_t k = put_vectors<T>(to, from, loops.inner);
    for (; k < loops.inner.extent; ++k)
      unit.move(to + k * loops.inner.dst, from + k * loops.inner.src);
    count_moved(k * unit.size(), k * unit.size());
  }
}

}  // namespace

void move_put(const TwoLoops& loops, std::byte* dst, const std::byte* src) {
  if (loops.unit == 1) put_rows<std::uint8_t>(loops, dst, src);
  else if (loops.unit == 2) put_rows<std::uint16_t>(loops, dst, src);
  else if (loops.unit == 4) put_rows<std::uint32_t>(loops, dst, src);
  else put_rows<std::uint64_t>(loops, dst, src);
}

}  // namespace weft::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace weft {

WEFT_BY_SET(move_put);

namespace {

Cost match(const Nest& nest, const Writing& writing) {
  const NestLoop& inner = nest.innermost();
  const std::int64_t step = inner.src[0];
  const bool is_put = writing.owns_gaps && nest.has_vector_unit() && inner.dst == 2 * nest.unit &&
                      (std::abs(step) == nest.unit || step == 2 * nest.unit);
  return is_put ? 37 : no_match;
}

bool bind(Nest& nest, const Writing&, BoundArguments& arguments) {
  arguments.keep(take_two_loops(nest));
  return true;
}

void run(const BoundArguments& arguments, std::byte* dst, const std::byte* const* src) noexcept {
  on_this_machine(move_put_by_set)(arguments.as<TwoLoops>(), dst, src[0]);
}

}  // namespace

extern const KernelDefinition put_kernel;
const KernelDefinition put_kernel{"put", scattered, match, bind, run, traffic_of_units};

}  // namespace weft
#endif

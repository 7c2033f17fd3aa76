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

#ifndef WEFT_PUT_LOOPS
#define WEFT_PUT_LOOPS
namespace weft {
namespace {

/// Rows of units, in two loops; strides in bytes.
struct PutLoops {
  TwoLoops rows;
  ByteLoop around;

  std::int64_t count() const { return rows.outer.extent * around.extent; }
};

}  // namespace
}  // namespace weft
#endif

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

/// Puts units from `k` on by vectors of up to so many bytes; the last of these are put once more
/// where all are a vector and one, and `k` is the last unit then.
template <int Step, std::int64_t Bytes, class T>
HWY_INLINE void put_vectors(T* dst, const T* src, std::int64_t count, std::int64_t& k) {
  const hn::CappedTag<T, Bytes / sizeof(T)> d;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  const std::int64_t last = count - 1 - lanes;
  if (last < 0) return;
  hn::Vec<decltype(d)> replaced, kept, kept_last;
  // Before the loop writes a part of it: the processor would wait for that.
  hn::LoadInterleaved2(d, dst + 2 * last, replaced, kept_last);
  for (; k < last; k += lanes) {
    hn::LoadInterleaved2(d, dst + 2 * k, replaced, kept);
    hn::StoreInterleaved2(units_at<Step>(d, src + Step * k), kept, d, dst + 2 * k);
  }
  hn::StoreInterleaved2(units_at<Step>(d, src + Step * last), kept_last, d, dst + 2 * last);
  k = count - 1;
}

/// All but the last unit, or fewer of a row that fills no vector.
template <int Step, class T>
HWY_INLINE std::int64_t put_vectors(T* dst, const T* src, std::int64_t count) {
  constexpr std::int64_t most = 64, few = 16, fewest = 8;
  std::int64_t k = 0;
  put_vectors<Step, most>(dst, src, count, k);
  if (k == 0) put_vectors<Step, few>(dst, src, count, k);
  if constexpr (sizeof(T) < fewest)
    if (k == 0) put_vectors<Step, fewest>(dst, src, count, k);
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

template <class T>
void put_rows(const PutLoops& loops, std::byte* dst, const std::byte* src) {
  for (std::int64_t j = 0; j < loops.around.extent; ++j)
    put_rows<T>(loops.rows, dst + j * loops.around.dst, src + j * loops.around.src);
}

}  // namespace

void move_put(const PutLoops& loops, std::byte* dst, const std::byte* src) {
  const std::int64_t unit = loops.rows.unit;
  if (unit == 1) put_rows<std::uint8_t>(loops, dst, src);
  else if (unit == 2) put_rows<std::uint16_t>(loops, dst, src);
  else if (unit == 4) put_rows<std::uint32_t>(loops, dst, src);
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
  const TwoLoops rows = take_two_loops(nest);
  arguments.keep(
      PutLoops{rows, nest.take_outer(rows.outer.extent * rows.inner.extent * rows.unit)});
  return true;
}

void run(const BoundArguments& arguments, std::byte* dst, const std::byte* const* src) noexcept {
  on_this_machine(move_put_by_set)(arguments.as<PutLoops>(), dst, src[0]);
}

Traffic traffic(const BoundArguments& arguments) {
  const auto& loops = arguments.as<PutLoops>();
  const Traffic once = traffic_of_units(loops.rows);
  return {loops.around.extent * once.read, loops.around.extent * once.written};
}

double picoseconds(const BoundArguments& arguments) {
  constexpr double a_row_of_vectors = 4000, a_byte = 37, a_row = 1000, a_unit = 500;
  constexpr std::int64_t fewest = 8;  // bytes of a vector
  const auto& loops = arguments.as<PutLoops>();
  const std::int64_t unit = loops.rows.unit;
  const auto units = static_cast<double>(loops.rows.inner.extent);
  const bool fills_vector = unit * (loops.rows.inner.extent - 1) >= fewest;
  return static_cast<double>(loops.count()) *
         (fills_vector ? a_row_of_vectors + a_byte * static_cast<double>(unit) * units
                       : a_row + a_unit * units);
}

}  // namespace

extern const KernelDefinition put_kernel;
const KernelDefinition put_kernel{"put",   scattered, match,   bind,       run,
                                  traffic, nullptr,   nullptr, picoseconds};

}  // namespace weft
#endif

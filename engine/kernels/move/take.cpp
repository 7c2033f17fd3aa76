// SPDX-License-Identifier: Apache-2.0
// The take kernel: every second, third or fourth unit of the source, side by side.
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

// Vectors reach past the last unit that is asked for, so the last step is left to the caller.

/// Whole vectors of so many bytes, the last one perhaps over what is there already; returns where
/// they end.
template <std::size_t Bytes, int Step, class T>
HWY_INLINE std::int64_t take_vectors(T* dst, const T* src, std::int64_t count) {
  const hn::CappedTag<T, Bytes / sizeof(T)> d;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  const auto take = [&](std::int64_t k) HWY_ATTR {
    hn::Vec<decltype(d)> taken, left[3];
    if constexpr (Step == 2) hn::LoadInterleaved2(d, src + 2 * k, taken, left[0]);
    if constexpr (Step == 3) hn::LoadInterleaved3(d, src + 3 * k, taken, left[0], left[1]);
    if constexpr (Step == 4) hn::LoadInterleaved4(d, src + 4 * k, taken, left[0], left[1], left[2]);
    hn::StoreU(taken, d, dst + k);
  };
  if (count <= lanes) return 0;
  std::int64_t k = 0;
  for (; k + lanes < count; k += lanes) take(k);
  if (k + 1 < count) take(count - 1 - lanes);
  return count - 1;
}

template <int Step, class T>
void take_rows(const TwoLoops& loops, std::byte* dst, const std::byte* src) {
  constexpr FixedUnit<sizeof(T)> unit;
  for (std::int64_t i = 0; i < loops.outer.extent; ++i) {
    std::byte* to = dst + i * loops.outer.dst;
    const std::byte* from = src + i * loops.outer.src;
    T* const out = reinterpret_cast<T*>(to);
    const T* const units = reinterpret_cast<const T*>(from);
    std::int64_t k = take_vectors<64, Step>(out, units, loops.inner.extent);
    if (k == 0) k = take_vectors<16, Step>(out, units, loops.inner.extent);
    for (; k < loops.inner.extent; ++k)
      unit.move(to + k * loops.inner.dst, from + k * loops.inner.src);
    count_moved(k * unit.size(), k * unit.size());
  }
}

}  // namespace

void move_take(const TwoLoops& loops, std::byte* dst, const std::byte* src) {
  const auto by = [&](auto type) {
    using T = decltype(type);
    const std::int64_t step = loops.inner.src / loops.unit;
    if (step == 2) take_rows<2, T>(loops, dst, src);
    else if (step == 3) take_rows<3, T>(loops, dst, src);
    else take_rows<4, T>(loops, dst, src);
  };
  if (loops.unit == 1) by(std::uint8_t{});
  else if (loops.unit == 2) by(std::uint16_t{});
  else if (loops.unit == 4) by(std::uint32_t{});
  else by(std::uint64_t{});
}

}  // namespace weft::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace weft {

WEFT_BY_SET(move_take);

namespace {

// Of units further apart a vector makes no more than one by one.
constexpr std::int64_t most_step_bytes = 16;

Cost match(const Nest& nest, const Writing&) {
  const NestLoop& inner = nest.innermost();
  const std::int64_t step = inner.src[0];
  const bool is_taken = step == 2 * nest.unit || step == 3 * nest.unit || step == 4 * nest.unit;
  if (!is_taken || !nest.has_vector_unit() || step > most_step_bytes) return no_match;
  // What rows of few units have beyond vectors takes longer than all of them one by one (u8, rows
  // of 16: 0.62 ns each, 0.22 so; 4 bytes, rows of 8: 0.3 and 0.24).
  if (inner.extent <= 8 || inner.extent * nest.unit <= 16) return no_match;
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

double picoseconds(const BoundArguments& arguments) {
  constexpr double a_row = 1500, a_byte = 30;
  const auto& loops = arguments.as<TwoLoops>();
  const double bytes = static_cast<double>(loops.inner.extent * loops.unit);
  return static_cast<double>(loops.outer.extent) * (a_row + a_byte * bytes);
}

}  // namespace

extern const KernelDefinition take_kernel;
const KernelDefinition take_kernel{"take",           packed | turned, match,   bind,       run,
                                   traffic_of_units, nullptr,         nullptr, picoseconds};

}  // namespace weft
#endif

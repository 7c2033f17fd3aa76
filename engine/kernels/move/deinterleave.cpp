// SPDX-License-Identifier: Apache-2.0
// The deinterleave kernel: two to four channels taken apart.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "weft/engine/kernels/move/deinterleave.cpp"
#include <weft/engine/kernels/targets.h>

#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>

#include <weft/engine/kernels/move/channels-inl.h>
#include <weft/engine/kernels/move/rows.h>
#include <weft/engine/kernels/move/stream-inl.h>
#include <weft/engine/kernels/move/two_loops.h>

HWY_BEFORE_NAMESPACE();
namespace weft::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

/// As many units as vectors have; returns how many those are.
template <int Channels, class T>
HWY_INLINE std::int64_t load_channels(const T* src, T* const* out, std::int64_t count) {
  return by_vectors<T>(count, [&](auto d, std::int64_t k) HWY_ATTR {
    hn::Vec<decltype(d)> a, b, c, e;
    if constexpr (Channels == 2) hn::LoadInterleaved2(d, src + k * 2, a, b);
    if constexpr (Channels == 3) hn::LoadInterleaved3(d, src + k * 3, a, b, c);
    if constexpr (Channels == 4) hn::LoadInterleaved4(d, src + k * 4, a, b, c, e);
    hn::StoreU(a, d, out[0] + k);
    hn::StoreU(b, d, out[1] + k);
    if constexpr (Channels > 2) hn::StoreU(c, d, out[2] + k);
    if constexpr (Channels > 3) hn::StoreU(e, d, out[3] + k);
  });
}

template <int Channels, class T>
void take_apart(const TwoLoops& loops, std::byte* dst, const std::byte* src) {
  constexpr std::int64_t unit = sizeof(T);
  make_channels<Channels, T>(
      loops, dst, [&](T* const* out, std::int64_t j, std::int64_t count) HWY_ATTR {
        const std::byte* from = src + j * Channels * unit;
        for (std::int64_t k = load_channels<Channels>(reinterpret_cast<const T*>(from), out, count);
             k < count; ++k)
          for (int c = 0; c < Channels; ++c)
            std::memcpy(out[c] + k, from + (k * Channels + c) * unit, unit);
      });
}

}  // namespace

void move_apart(const TwoLoops& loops, std::byte* dst, const std::byte* src) {
  with_channels(loops.outer.extent, loops.unit, [&](auto channels, auto type) {
    take_apart<channels(), decltype(type)>(loops, dst, src);
  });
}

}  // namespace weft::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace weft {

WEFT_BY_SET(move_apart);

namespace {

Cost match(const Nest& nest, const Writing&) {
  if (!nest.has_vector_unit()) return no_match;
  const std::int64_t channels = nest.loops[nest.rows].extent;
  const bool are_apart =
      channels >= 2 && channels <= 4 && nest.innermost().src[0] == channels * nest.unit;
  if (!are_apart || are_very_few(nest.innermost().extent, nest.unit)) return no_match;
  // A call costs as much as several vectors: batches of few pixels are better shuffled.
  return nest.innermost().extent < few_pixels ? 700 : 27;
}

/// The channels are the outer loop.
bool bind(Nest& nest, const Writing& writing, BoundArguments& arguments) {
  const ByteLoop columns = nest.take_innermost();
  arguments.keep(TwoLoops{nest.unit, take_rows(nest), columns, writing.streams_early});
  return true;
}

void run(const BoundArguments& arguments, std::byte* dst, const std::byte* const* src) noexcept {
  on_this_machine(move_apart_by_set)(arguments.as<TwoLoops>(), dst, src[0]);
}

}  // namespace

extern const KernelDefinition deinterleave_kernel;
const KernelDefinition deinterleave_kernel{"deinterleave",   turned,  match,        bind, run,
                                           traffic_of_units, nullptr, streams_units};

}  // namespace weft
#endif

// SPDX-License-Identifier: Apache-2.0
// The deinterleave_back kernel: two to four channels taken apart, from the last pixel to the first.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "weft/engine/kernels/move/deinterleave_back.cpp"
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

/// As many units as vectors have; returns how many those are. Pixel k lies k pixels before
/// `src`.
template <int Channels, class T>
HWY_INLINE std::int64_t load_channels_back(const T* src, T* const* out, std::int64_t count) {
  return by_vectors<T>(count, [&](auto d, std::int64_t k) HWY_ATTR {
    const T* const from = src - (k + static_cast<std::int64_t>(hn::Lanes(d)) - 1) * Channels;
    hn::Vec<decltype(d)> a, b, c, e;
    if constexpr (Channels == 2) hn::LoadInterleaved2(d, from, a, b);
    if constexpr (Channels == 3) hn::LoadInterleaved3(d, from, a, b, c);
    if constexpr (Channels == 4) hn::LoadInterleaved4(d, from, a, b, c, e);
    hn::StoreU(turned_round(d, a), d, out[0] + k);
    hn::StoreU(turned_round(d, b), d, out[1] + k);
    if constexpr (Channels > 2) hn::StoreU(turned_round(d, c), d, out[2] + k);
    if constexpr (Channels > 3) hn::StoreU(turned_round(d, e), d, out[3] + k);
  });
}

template <int Channels, class T>
void take_apart_back(const TwoLoops& loops, std::byte* dst, const std::byte* src) {
  constexpr std::int64_t unit = sizeof(T);
  make_channels<Channels, T>(
      loops, dst, [&](T* const* out, std::int64_t j, std::int64_t count) HWY_ATTR {
        const std::byte* from = src - j * Channels * unit;
        std::int64_t k = load_channels_back<Channels>(reinterpret_cast<const T*>(from), out, count);
        for (; k < count; ++k)
          for (int c = 0; c < Channels; ++c)
            std::memcpy(out[c] + k, from + (c - k * Channels) * unit, unit);
      });
}

}  // namespace

void move_apart_back(const TwoLoops& loops, std::byte* dst, const std::byte* src) {
  with_channels(loops.outer.extent, loops.unit, [&](auto channels, auto type) {
    take_apart_back<channels(), decltype(type)>(loops, dst, src);
  });
}

}  // namespace weft::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace weft {

WEFT_BY_SET(move_apart_back);

namespace {

Cost match(const Nest& nest, const Writing&) {
  if (!nest.has_vector_unit()) return no_match;
  const std::int64_t channels = nest.loops[nest.rows].extent;
  const bool are_apart =
      channels >= 2 && channels <= 4 && nest.innermost().src[0] == -channels * nest.unit;
  if (!are_apart || are_very_few(nest.innermost().extent, nest.unit)) return no_match;
  // A call costs as much as several vectors: batches of few pixels are better shuffled.
  return nest.innermost().extent < few_pixels ? 720 : 28;
}

/// The channels are the outer loop.
bool bind(Nest& nest, const Writing& writing, BoundArguments& arguments) {
  const ByteLoop columns = nest.take_innermost();
  arguments.keep(TwoLoops{nest.unit, take_rows(nest), columns, writing.streams_early});
  return true;
}

void run(const BoundArguments& arguments, std::byte* dst, const std::byte* const* src) noexcept {
  on_this_machine(move_apart_back_by_set)(arguments.as<TwoLoops>(), dst, src[0]);
}

}  // namespace

extern const KernelDefinition deinterleave_back_kernel;
const KernelDefinition deinterleave_back_kernel{
    "deinterleave_back", turned, match, bind, run, traffic_of_units, nullptr, streams_units};

}  // namespace weft
#endif

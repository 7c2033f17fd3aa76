// SPDX-License-Identifier: Apache-2.0
// The interleave kernel: two to four channels put together, of one source, forwards or backwards,
// or of one each.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "weft/engine/kernels/move/interleave.cpp"
#include <weft/engine/kernels/targets.h>

#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>

#include <weft/engine/kernels/counting.h>
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
HWY_INLINE std::int64_t store_channels(const T* const* src, T* out, std::int64_t count) {
  return by_vectors<T>(count, [&](auto d, std::int64_t k) HWY_ATTR {
    const auto a = hn::LoadU(d, src[0] + k);
    const auto b = hn::LoadU(d, src[1] + k);
    if constexpr (Channels == 2) {
      hn::StoreInterleaved2(a, b, d, out + k * 2);
    } else {
      const auto c = hn::LoadU(d, src[2] + k);
      if constexpr (Channels == 3) hn::StoreInterleaved3(a, b, c, d, out + k * 3);
      else hn::StoreInterleaved4(a, b, c, hn::LoadU(d, src[3] + k), d, out + k * 4);
    }
  });
}

/// Units that lie before `src` one after another, from the nearest on.
template <class T>
HWY_NOINLINE void turn_round(const std::byte* src, T* out, std::int64_t count) {
  const T* const end = reinterpret_cast<const T*>(src) + 1;
  std::int64_t done = by_vectors<T>(count, [&](auto d, std::int64_t k) HWY_ATTR {
    hn::StoreU(turned_round(d, hn::LoadU(d, end - k - hn::Lanes(d))), d, out + k);
  });
  for (; done < count; ++done) std::memcpy(out + done, end - done - 1, sizeof(T));
}

template <int Channels, class T>
void put_together(const TwoLoops& loops, std::byte* dst, const std::byte* const* src) {
  constexpr std::int64_t unit = sizeof(T), chunk = chunk_bytes / unit;
  alignas(line_bytes) T together[Channels * chunk];
  alignas(line_bytes) T turned[Channels][chunk];
  const bool is_back = loops.outer.src < 0;
  for (std::int64_t i = 0; i < loops.outer.extent; i += chunk) {
    const std::int64_t count = std::min(loops.outer.extent - i, chunk);
    std::byte* const to = dst + i * Channels * unit;
    T* const out = loops.streams ? together : reinterpret_cast<T*>(to);
    const T* from[Channels];
    for (int c = 0; c < Channels; ++c) {
      const std::byte* const channel = src[c] + i * loops.outer.src;
      if (is_back) turn_round(channel, turned[c], count);
      from[c] = is_back ? turned[c] : reinterpret_cast<const T*>(channel);
    }
    for (std::int64_t k = store_channels<Channels>(from, out, count); k < count; ++k)
      for (int c = 0; c < Channels; ++c)
        std::memcpy(reinterpret_cast<std::byte*>(out) + (k * Channels + c) * unit,
                    reinterpret_cast<const std::byte*>(from[c]) + k * unit, unit);
    if (loops.streams)
      stream_bytes(to, reinterpret_cast<const std::byte*>(out), count * Channels * unit);
    count_moved(Channels * count * unit, Channels * count * unit);
  }
}

}  // namespace

/// `src`: where each channel starts.
void move_together(const TwoLoops& loops, std::byte* dst, const std::byte* const* src) {
  with_channels(loops.inner.extent, loops.unit, [&](auto channels, auto type) {
    put_together<channels(), decltype(type)>(loops, dst, src);
  });
}

}  // namespace weft::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace weft {

WEFT_BY_SET(move_together);

namespace {

// Rows up to this length are made sooner in groups, where there is something to make those: they
// cost more than turned groups (long_shuffle.cpp), less than few columns.
constexpr std::int64_t most_group_row_bytes = 256;
constexpr std::int64_t most_channels = 4;

/// Of a nest that repeats its units, the channels are the same one.
std::size_t row_of(const Nest& nest) {
  if (nest.rows != no_loop || nest.loops.size() < 2) return nest.rows;
  const std::size_t row = nest.loops.size() - 2;
  const NestLoop& loop = nest.loops[row];
  return loop.is_plain() && (loop.src[0] == nest.unit || loop.src[0] == -nest.unit) ? row : no_loop;
}

/// The channels are the inner loop.
struct Together {
  TwoLoops loops;
  bool are_apart;  ///< each in a source of its own
};

/// Of sources that move alike.
Cost match_apart(const Nest& nest) {
  if (nest.sources > most_channels || nest.loops.empty()) return no_match;
  const NestLoop& row = nest.innermost();
  const bool are_together = row.dst == static_cast<std::int64_t>(nest.sources) * nest.unit;
  return are_together && row.src[0] == nest.unit && row.extent >= few_pixels ? 29 : no_match;
}

Cost match(const Nest& nest, const Writing&) {
  if (!nest.has_vector_unit()) return no_match;
  if (nest.sources > most_sources) return match_apart(nest);
  const std::int64_t channels = nest.innermost().extent;
  const std::size_t row = row_of(nest);
  const bool are_together = channels >= 2 && channels <= most_channels && row != no_loop &&
                            nest.loops[row].dst == channels * nest.unit;
  if (!are_together) return no_match;
  // A call costs as much as several vectors: batches of few pixels are better shuffled, and of a
  // handful moved one by one.
  if (are_very_few(nest.loops[row].extent, nest.unit)) return no_match;
  if (nest.loops[row].extent < few_pixels) return 710;
  // What shuffles reads a unit that is repeated once.
  if (nest.rows == no_loop) return 300;
  return nest.loops[row].extent * channels * nest.unit <= most_group_row_bytes ? 46 : 29;
}

bool bind(Nest& nest, const Writing& writing, BoundArguments& arguments) {
  if (nest.sources > most_sources) {
    const ByteLoop channels{static_cast<std::int64_t>(nest.sources), nest.unit, 0};
    const ByteLoop row = nest.take_innermost();
    const bool streams = writing.streams_early && row.extent * row.dst >= fewest_streamed_bytes;
    arguments.keep(Together{{nest.unit, row, channels, streams}, true});
    return true;
  }
  const std::size_t row = row_of(nest);
  const ByteLoop channels = nest.take_innermost();
  arguments.keep(Together{{nest.unit, nest.take(row), channels, writing.streams_early}, false});
  return true;
}

void run(const BoundArguments& arguments, std::byte* dst, const std::byte* const* src) noexcept {
  const auto& [loops, are_apart] = arguments.as<Together>();
  if (are_apart) return on_this_machine(move_together_by_set)(loops, dst, src);
  const std::byte* channels[most_channels];
  for (std::int64_t c = 0; c < loops.inner.extent; ++c) channels[c] = src[0] + c * loops.inner.src;
  on_this_machine(move_together_by_set)(loops, dst, channels);
}

Traffic traffic(const BoundArguments& arguments) {
  return traffic_of_units(arguments.as<Together>().loops);
}

bool streams(const BoundArguments& arguments) { return arguments.as<Together>().loops.streams; }

}  // namespace

extern const KernelDefinition interleave_kernel;
const KernelDefinition interleave_kernel{
    "interleave", turned | repeated | stacked, match, bind, run, traffic, cutting_of_stack,
    streams};

}  // namespace weft
#endif

// SPDX-License-Identifier: Apache-2.0
// The run kernel: a copy a unit, past the caches where the output is large.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "weft/engine/kernels/move/run.cpp"
#include <weft/engine/kernels/targets.h>

#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>

#include <weft/engine/kernels/counting.h>
#include <weft/engine/kernels/move/stream-inl.h>
#include <weft/engine/kernels/move/two_loops.h>

HWY_BEFORE_NAMESPACE();
namespace weft::HWY_NAMESPACE {
void stream_run(std::byte* dst, const std::byte* src, std::int64_t bytes) {
  stream_bytes(dst, src, bytes);
}

namespace {

constexpr std::int64_t packed_bytes = 8 * 1024;
constexpr std::int64_t packed_unit = 1024;

/// Short runs that follow one another in the output are put together first: the lines they share
/// are written once.
void pack_runs(const TwoLoops& loops, std::byte* dst, const std::byte* src) {
  alignas(line_bytes) std::byte packed[packed_bytes];
  const std::int64_t most = packed_bytes / loops.unit;
  for (std::int64_t j = 0; j < loops.inner.extent; j += most) {
    const std::int64_t count = std::min(loops.inner.extent - j, most);
    for (std::int64_t k = 0; k < count; ++k)
      std::memcpy(packed + k * loops.unit, src + (j + k) * loops.inner.src,
                  static_cast<std::size_t>(loops.unit));
    stream_bytes(dst + j * loops.unit, packed, count * loops.unit);
    count_moved(count * loops.unit, count * loops.unit);
  }
}

}  // namespace

void stream_runs(const TwoLoops& loops, std::byte* dst, const std::byte* src) {
  const bool is_packed = loops.inner.dst == loops.unit && loops.inner.extent > 1 &&
                         loops.unit <= packed_unit && loops.unit % line_bytes != 0;
  if (is_packed) {
    for (std::int64_t i = 0; i < loops.outer.extent; ++i)
      pack_runs(loops, dst + i * loops.outer.dst, src + i * loops.outer.src);
    return;
  }
  for (std::int64_t i = 0; i < loops.outer.extent; ++i) {
    std::int64_t j = 0;
    for (; j < loops.inner.extent; ++j)
      stream_bytes(dst + i * loops.outer.dst + j * loops.inner.dst,
                   src + i * loops.outer.src + j * loops.inner.src, loops.unit);
    count_moved(j * loops.unit, j * loops.unit);
  }
}

namespace {

HWY_INLINE void copy_line(std::byte* dst, const std::byte* src) {
  namespace hn = hwy::HWY_NAMESPACE;
  const hn::CappedTag<std::uint8_t, line_bytes> d;
  const auto step = static_cast<std::int64_t>(hn::Lanes(d));
  for (std::int64_t k = 0; k < line_bytes; k += step)
    hn::StoreU(hn::LoadU(d, reinterpret_cast<const std::uint8_t*>(src + k)), d,
               reinterpret_cast<std::uint8_t*>(dst + k));
}

/// `Rows` runs of at least `long_unit` bytes, a line of each in turn.
template <std::int64_t Rows>
HWY_INLINE void copy_in_turn(const TwoLoops& loops, std::byte* dst, const std::byte* src) {
  const auto copy_lines = [&](std::int64_t at) {
    for (std::int64_t row = 0; row < Rows; ++row)
      copy_line(dst + row * loops.inner.dst + at, src + row * loops.inner.src + at);
  };
  const std::int64_t last = loops.unit - line_bytes;
  for (std::int64_t at = 0; at < last; at += line_bytes) copy_lines(at);
  copy_lines(last);  // may write again what is there
}

}  // namespace

/// Runs far apart miss the caches; four at a time are fetched side by side (256 runs of 256 bytes,
/// 1 MiB apart: 1.3 us, one by one 2.25, a memcpy each 2.65).
void copy_short_runs(const TwoLoops& loops, std::byte* dst, const std::byte* src) {
  for (std::int64_t i = 0; i < loops.outer.extent; ++i) {
    std::byte* const to = dst + i * loops.outer.dst;
    const std::byte* const from = src + i * loops.outer.src;
    std::int64_t j = 0;
    for (; j + 4 <= loops.inner.extent; j += 4)
      copy_in_turn<4>(loops, to + j * loops.inner.dst, from + j * loops.inner.src);
    for (; j < loops.inner.extent; ++j)
      copy_in_turn<1>(loops, to + j * loops.inner.dst, from + j * loops.inner.src);
    count_moved(j * loops.unit, j * loops.unit);
  }
}

/// A run of at least `line_bytes`, each whole line of the output at once.
void copy_lines(std::byte* dst, const std::byte* src, std::int64_t bytes) {
  const std::int64_t last = bytes - line_bytes;
  copy_line(dst, src);
  for (std::int64_t at = line_bytes - past_line(dst); at < last; at += line_bytes)
    copy_line(dst + at, src + at);
  copy_line(dst + last, src + last);  // may write again what is there
}

}  // namespace weft::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <hwy/cache_control.h>

namespace weft {

WEFT_BY_SET(copy_lines);
WEFT_BY_SET(stream_run);
WEFT_BY_SET(stream_runs);
WEFT_BY_SET(copy_short_runs);

// Runs shorter than this cost about as much as calling memcpy for them, which writes whole lines:
// where a core's own caches do not keep the output, that is worth more (two threads, 5 MiB, 520
// bytes in gaps of 36: 254 us by vectors as they come, 171 so; 260 bytes 157 and 168).
constexpr std::int64_t call_from = 1024, large_call_from = 448;

namespace {

/// Where an output starts a few bytes behind its source, but for whole pages, memcpy of long runs
/// crawls on some processors (Zen 4, glibc 2.36: up to 15 bytes 3.6 GB/s, up to 31 bytes 40;
/// otherwise 107 in the first cache and 58 in the second, and by lines 98 and 58 in all places).
/// What the second cache serves takes longer where it does not lie to its lines as the output does
/// (there, 24 KiB to 1 MiB: by lines 0.90 to 0.97 of the time, within the first cache up to 1.3).
bool is_quicker_by_lines(const std::byte* dst, const std::byte* src, std::int64_t bytes) {
  constexpr std::uintptr_t page = 4096, line = 64, near = 32;
  constexpr std::int64_t first_cache = 20 * 1024, second_cache = 1024 * 1024;
  const auto apart = reinterpret_cast<std::uintptr_t>(dst) - reinterpret_cast<std::uintptr_t>(src);
  if (bytes > first_cache && bytes <= second_cache && apart % line != 0) return true;
  return bytes >= call_from && apart % page - 1 < near - 1;
}

}  // namespace

void copy_run(std::byte* dst, const std::byte* src, std::int64_t bytes, bool streams) {
  if (streams) return on_this_machine(stream_run_by_set)(dst, src, bytes);
  if (is_quicker_by_lines(dst, src, bytes))
    return on_this_machine(copy_lines_by_set)(dst, src, bytes);
  std::memcpy(dst, src, static_cast<std::size_t>(bytes));
}

void finish_streams() { hwy::FlushStream(); }

namespace {

Cost match(const Nest& nest, const Writing&) {
  return nest.loops.empty() || nest.unit >= long_unit ? 20 : no_match;
}

/// Runs of fewer lines that lie apart are for the most part ends of lines, each of which would go
/// to memory by itself (two threads; f64, 18 of 19 columns, 43 MiB: 5.6 ms, otherwise 2.9). So are
/// somewhat longer ones with narrow gaps, unless all begin alike in a line (64 MiB, streamed in
/// terms of what is not: 448 bytes with gaps of 100 1.59, of 304 0.81, of a line 0.87; 520 bytes
/// with gaps of 100 0.95).
bool streams_well(const Nest& nest) {
  constexpr std::int64_t line = 64, few_lines = 3, many_lines = 8, wide_gap = 3 * line;
  const std::int64_t apart = nest.innermost().dst;
  if (apart == nest.unit) return true;
  const bool is_torn = apart % line != 0 && apart - nest.unit < wide_gap;
  return nest.unit >= line * (is_torn ? many_lines : few_lines);
}

bool bind(Nest& nest, const Writing& writing, BoundArguments& arguments) {
  TwoLoops loops{nest.unit, once, once, writing.streams};
  if (!nest.loops.empty()) loops = take_two_loops(nest, writing.streams && streams_well(nest));
  loops.is_large = writing.is_large;
  arguments.keep(loops);
  return true;
}

void run(const BoundArguments& arguments, std::byte* dst, const std::byte* const* src) noexcept {
  const auto& loops = arguments.as<TwoLoops>();
  if (loops.streams) return on_this_machine(stream_runs_by_set)(loops, dst, src[0]);
  if (loops.unit >= long_unit && loops.unit < (loops.is_large ? large_call_from : call_from))
    return on_this_machine(copy_short_runs_by_set)(loops, dst, src[0]);
  for (std::int64_t i = 0; i < loops.outer.extent; ++i) {
    std::int64_t j = 0;
    for (; j < loops.inner.extent; ++j)
      copy_run(dst + i * loops.outer.dst + j * loops.inner.dst,
               src[0] + i * loops.outer.src + j * loops.inner.src, loops.unit, false);
    count_moved(j * loops.unit, j * loops.unit);
  }
}

}  // namespace

extern const KernelDefinition run_kernel;
const KernelDefinition run_kernel{
    "run", single | packed | scattered, match, bind, run, traffic_of_units, nullptr, streams_units};

}  // namespace weft
#endif

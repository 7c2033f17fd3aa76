// SPDX-License-Identifier: Apache-2.0
// What the kernels of two to four channels share, for each target.
#if defined(WEFT_CHANNELS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef WEFT_CHANNELS_INL_H
#undef WEFT_CHANNELS_INL_H
#else
#define WEFT_CHANNELS_INL_H
#endif

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <hwy/highway.h>

#include <weft/engine/kernels/counting.h>
#include <weft/engine/kernels/move/stream-inl.h>
#include <weft/engine/kernels/move/two_loops.h>

HWY_BEFORE_NAMESPACE();
namespace weft::HWY_NAMESPACE {

/// Bytes of a channel between the first cache and the output: long enough to be streamed.
constexpr std::int64_t chunk_bytes = 1024;

/// The lanes from the last to the first; Highway turns no bytes.
template <class D, class V>
HWY_INLINE V turned_round([[maybe_unused]] D d, V v) {
#if HWY_TARGET == HWY_SCALAR
  return v;
#else
  if constexpr (sizeof(hwy::HWY_NAMESPACE::TFromD<D>) == 1) {
    const hwy::HWY_NAMESPACE::Repartition<std::uint16_t, D> pairs;
    const auto turned = hwy::HWY_NAMESPACE::Reverse(pairs, hwy::HWY_NAMESPACE::BitCast(pairs, v));
    return hwy::HWY_NAMESPACE::BitCast(
        d, hwy::HWY_NAMESPACE::Or(hwy::HWY_NAMESPACE::ShiftLeft<8>(turned),
                                  hwy::HWY_NAMESPACE::ShiftRight<8>(turned)));
  } else {
    return hwy::HWY_NAMESPACE::Reverse(d, v);
  }
#endif
}

/// Calls visit(d, k) for vectors of T's from unit k on: of a line, then of a half and a quarter,
/// the last of which may have some units once more, so that source and output may not overlap.
/// Returns how many are done: all, unless there are fewer than a quarter of a line has.
template <class T, class Visit>
HWY_INLINE std::int64_t by_vectors(std::int64_t count, const Visit& visit) {
  namespace hn = hwy::HWY_NAMESPACE;
  std::int64_t done = 0;
  const auto by = [&](auto d) HWY_ATTR {
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    for (; done + lanes <= count; done += lanes) visit(d, done);
  };
  by(hn::CappedTag<T, line_bytes / sizeof(T)>());
  if (HWY_MAX_BYTES > line_bytes / 2) by(hn::CappedTag<T, line_bytes / 2 / sizeof(T)>());
  const hn::CappedTag<T, line_bytes / 4 / sizeof(T)> quarter;
  if (HWY_MAX_BYTES > line_bytes / 4) by(quarter);
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(quarter));
  if (done == count || count < lanes) return done;
  visit(quarter, count - lanes);
  return count;
}

/// Units up to the next line of the output where it holds whole units; `most` otherwise.
inline std::int64_t units_to_line(const std::byte* to, std::int64_t unit, std::int64_t most) {
  const std::int64_t past = past_line(to);
  return past == 0 || past % unit != 0 ? most : (line_bytes - past) / unit;
}

/// Channels that load(out, j, count) makes, `count` units of each from unit j on: in chunks of the
/// first cache where they are streamed. The channels are the outer loop.
template <int Channels, class T, class Load>
HWY_INLINE void make_channels(const TwoLoops& loops, std::byte* dst, const Load& load) {
  constexpr std::int64_t unit = sizeof(T), chunk = chunk_bytes / unit;
  alignas(line_bytes) T channels[Channels][chunk];
  const std::int64_t most = loops.streams ? chunk : loops.inner.extent;
  const std::int64_t head = loops.streams ? units_to_line(dst, unit, chunk) : most;
  for (std::int64_t j = 0; j < loops.inner.extent;) {
    const std::int64_t count = std::min(loops.inner.extent - j, j == 0 ? head : most);
    T* out[Channels];
    for (int c = 0; c < Channels; ++c)
      out[c] = loops.streams ? channels[c] : reinterpret_cast<T*>(dst + c * loops.outer.dst);
    load(out, j, count);
    for (int c = 0; c < Channels && loops.streams; ++c)
      stream_bytes(dst + c * loops.outer.dst + j * unit, reinterpret_cast<std::byte*>(out[c]),
                   count * unit);
    count_moved(Channels * count * unit, Channels * count * unit);
    j += count;
  }
}

/// Calls `body` with the number of channels and a value of the unit's type.
template <class Body>
void with_channels(std::int64_t channels, std::int64_t unit, Body&& body) {
  const auto with_type = [&](auto type) {
    if (channels == 2) body(std::integral_constant<int, 2>{}, type);
    else if (channels == 3) body(std::integral_constant<int, 3>{}, type);
    else body(std::integral_constant<int, 4>{}, type);
  };
  if (unit == 1) with_type(std::uint8_t{});
  else if (unit == 2) with_type(std::uint16_t{});
  else if (unit == 4) with_type(std::uint32_t{});
  else with_type(std::uint64_t{});
}

}  // namespace weft::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif

// SPDX-License-Identifier: Apache-2.0
// The weave kernel: units of two sources in turn, past the caches where the output is large.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "weft/engine/kernels/move/weave.cpp"
#include <weft/engine/kernels/targets.h>

#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <cstring>

#include <weft/engine/kernels/counting.h>
#include <weft/engine/kernels/kernel.h>
#include <weft/engine/kernels/move/first_cache.h>
#include <weft/engine/kernels/move/stream-inl.h>
#include <weft/engine/kernels/move/unit_rows.h>

#ifndef WEFT_WEAVE
#define WEFT_WEAVE
namespace weft {
namespace {

/// Two nested loops that write the units of two sources in turn; strides in bytes.
struct Weave {
  struct Loop {
    std::int64_t extent, dst, first, second;
  };
  std::int64_t unit;
  Loop outer, inner;  ///< inner.dst == 2 * unit
  bool streams = false;
};

}  // namespace
}  // namespace weft
#endif

HWY_BEFORE_NAMESPACE();
namespace weft::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

/// Pairs [from, to), one unit at a time; strides in units.
template <int First, int Second, class T>
HWY_INLINE void weave_pairs(T* dst, const T* first, const T* second, std::int64_t from,
                            std::int64_t to) {
  for (std::int64_t k = from; k < to; ++k) {
    std::memcpy(dst + 2 * k, first + First * k, sizeof(T));
    std::memcpy(dst + 2 * k + 1, second + Second * k, sizeof(T));
  }
}

#if HWY_TARGET != HWY_SCALAR

/// Half a vector of units, each in a lane of its own parity; what lies in the others is left open.
/// Of a source that skips every other unit it lies there already.
template <int Stride, bool is_odd, class D, class T = hn::TFromD<D>>
HWY_INLINE hn::Vec<D> spread(D d, const T* src) {
  if constexpr (Stride == 2) {
    return hn::LoadU(d, src - is_odd);
  } else if constexpr (sizeof(T) == 8) {
    alignas(64) static constexpr std::uint64_t twice[8] = {0, 0, 1, 1, 2, 2, 3, 3};
    const auto half = hn::LoadU(hn::Half<D>(), src);
    return hn::TableLookupLanes(hn::ZeroExtendVector(d, half), hn::SetTableIndices(d, twice));
  } else {
    const hn::RepartitionToWide<D> wide;
    const auto units = hn::PromoteTo(wide, hn::LoadU(hn::Rebind<T, decltype(wide)>(), src));
    return hn::BitCast(d, is_odd ? hn::ShiftLeft<8 * sizeof(T)>(units) : units);
  }
}

/// Whole vectors from pair `k` on; returns the first pair that is left. Reads one unit before the
/// first of `second` and one past the last of `first`.
template <int First, int Second, class T>
HWY_INLINE std::int64_t weave_vectors(T* dst, const T* first, const T* second, std::int64_t k,
                                      std::int64_t pairs, bool streams) {
  const hn::CappedTag<T, line_bytes / sizeof(T)> d;
  const auto step = static_cast<std::int64_t>(hn::Lanes(d)) / 2;
  const auto woven = [&] {
    return hn::OddEven(spread<Second, true>(d, second + Second * k),
                       spread<First, false>(d, first + First * k));
  };
  if (streams)
    for (; k + step < pairs; k += step) hn::Stream(woven(), d, dst + 2 * k);
  else
    for (; k + step < pairs; k += step) hn::StoreU(woven(), d, dst + 2 * k);
  return k;
}

#else

template <int First, int Second, class T>
HWY_INLINE std::int64_t weave_vectors(T*, const T*, const T*, std::int64_t k, std::int64_t, bool) {
  return k;
}

#endif

/// `units` in turn, the first of them from `first`.
template <int First, int Second, class T>
void weave_row(T* dst, const T* first, const T* second, std::int64_t units, bool streams) {
  constexpr std::int64_t unit = sizeof(T), pairs_of_line = line_bytes / (2 * unit);
  const std::int64_t past = past_line(reinterpret_cast<const std::byte*>(dst));
  if (streams && past % (2 * unit) == unit && units > 0) {
    std::memcpy(dst, first, unit);
    count_moved(unit, unit);
    return weave_row<Second, First>(dst + 1, second, first + First, units - 1, streams);
  }
  const bool reaches_line = streams && past % unit == 0;
  const std::int64_t pairs = units / 2;
  std::int64_t head = reaches_line ? (line_bytes - past) % line_bytes / (2 * unit) : 0;
  if (head == 0 && Second == 2) head = pairs_of_line;  // vectors read a unit before their first
  head = std::min(head, pairs);
  weave_pairs<First, Second>(dst, first, second, 0, head);
  const std::int64_t k =
      weave_vectors<First, Second>(dst, first, second, head, pairs, reaches_line);
  weave_pairs<First, Second>(dst, first, second, k, pairs);
  if (units % 2 == 1) std::memcpy(dst + 2 * pairs, first + First * pairs, unit);
  count_moved(units * unit, units * unit);
}

template <int First, int Second, class T>
void weave_rows(const Weave& weave, std::byte* dst, const std::byte* first,
                const std::byte* second) {
  const Weave::Loop& outer = weave.outer;
  for (std::int64_t i = 0; i < outer.extent; ++i)
    weave_row<First, Second>(reinterpret_cast<T*>(dst + i * outer.dst),
                             reinterpret_cast<const T*>(first + i * outer.first),
                             reinterpret_cast<const T*>(second + i * outer.second),
                             2 * weave.inner.extent, weave.streams);
}

/// Units of both in turn; by words, but for those at the ends (unit_rows.h).
template <class Unit>
void weave_units(const Weave::Loop& loop, std::byte* dst, const std::byte* first,
                 const std::byte* second, Unit unit) {
  const auto weave = [&](std::int64_t from, std::int64_t to, auto moved) {
    for (std::int64_t k = from; k < to; ++k) {
      moved.move(dst + 2 * k * unit.size(), first + k * loop.first);
      moved.move(dst + (2 * k + 1) * unit.size(), second + k * loop.second);
    }
  };
  if constexpr (!is_word<Unit>)
    if (loop.extent > 2 && ends_in_another(loop.first, unit.size()) &&
        ends_in_another(loop.second, unit.size())) {
      weave(0, 1, unit);
      weave(1, loop.extent - 1, typename WordOf<Unit>::type{});
      return weave(loop.extent - 1, loop.extent, unit);
    }
  weave(0, loop.extent, unit);
}

/// Rows that lie along what is read take the same lines of it: so many pairs of one as the first
/// cache has lines for.
std::int64_t pairs_at_once(const Weave& weave) {
  constexpr std::int64_t least = 8, most = 64;
  const auto shares_lines = [](std::int64_t stride) { return std::abs(stride) < line_bytes; };
  std::int64_t pairs = std::max<std::int64_t>(1, weave.inner.extent);
  const auto fit = [&](std::int64_t row, std::int64_t pair) {
    if (shares_lines(row) && !shares_lines(pair))
      pairs = std::min(pairs, std::clamp(lines_kept(pair) / 2, least, most));
  };
  fit(weave.outer.first, weave.inner.first);
  fit(weave.outer.second, weave.inner.second);
  return pairs;
}

/// Any strides and units, put together in the first cache where they are streamed.
template <class Unit>
void weave_any(const Weave& weave, std::byte* dst, const std::byte* first, const std::byte* second,
               Unit unit) {
  constexpr std::int64_t packed_bytes = 4096;
  alignas(line_bytes) std::byte packed[packed_bytes];
  const Weave::Loop &outer = weave.outer, &inner = weave.inner;
  const std::int64_t most = weave.streams ? packed_bytes / (2 * unit.size()) : pairs_at_once(weave);
  for (std::int64_t j = 0; j < inner.extent; j += most) {
    const std::int64_t count = std::min(most, inner.extent - j);
    for (std::int64_t i = 0; i < outer.extent; ++i) {
      std::byte* const row = dst + i * outer.dst + j * 2 * unit.size();
      std::byte* const to = weave.streams ? packed : row;
      const std::byte* const a = first + i * outer.first + j * inner.first;
      const std::byte* const b = second + i * outer.second + j * inner.second;
      weave_units({count, inner.dst, inner.first, inner.second}, to, a, b, unit);
      if (weave.streams) stream_bytes(row, packed, 2 * count * unit.size());
      count_moved(2 * count * unit.size(), 2 * count * unit.size());
    }
  }
}

template <class T>
bool try_weave_units(const Weave& weave, std::byte* dst, const std::byte* first,
                     const std::byte* second) {
  constexpr std::int64_t unit = sizeof(T);
  const std::int64_t a = weave.inner.first, b = weave.inner.second;
  if (weave.unit != unit || (a != unit && a != 2 * unit) || (b != unit && b != 2 * unit))
    return false;
  if (a == unit && b == unit) weave_rows<1, 1, T>(weave, dst, first, second);
  else if (a == unit) weave_rows<1, 2, T>(weave, dst, first, second);
  else if (b == unit) weave_rows<2, 1, T>(weave, dst, first, second);
  else weave_rows<2, 2, T>(weave, dst, first, second);
  return true;
}

}  // namespace

/// dst[2 * j] from `first`, dst[2 * j + 1] from `second`: by vectors where units are of 1, 2, 4 or
/// 8 bytes and each source has them side by side or every second.
void move_weave(const Weave& weave, std::byte* dst, const std::byte* first,
                const std::byte* second) {
  if (try_weave_units<std::uint8_t>(weave, dst, first, second) ||
      try_weave_units<std::uint16_t>(weave, dst, first, second) ||
      try_weave_units<std::uint32_t>(weave, dst, first, second) ||
      try_weave_units<std::uint64_t>(weave, dst, first, second))
    return;
  with_unit(weave.unit, [&](auto unit) { weave_any(weave, dst, first, second, unit); });
}

}  // namespace weft::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace weft {

WEFT_BY_SET(move_weave);

namespace {

// Shorter rows share too many lines, each of which is then written twice.
constexpr std::int64_t streamed_row_bytes = 512;

bool is_near(std::int64_t stride, std::int64_t unit) {
  return stride == unit || stride == 2 * unit;
}

bool is_by_vectors(std::int64_t unit, std::int64_t first, std::int64_t second) {
  return std::has_single_bit(static_cast<std::uint64_t>(unit)) && unit <= 8 &&
         is_near(first, unit) && is_near(second, unit);
}

Cost match(const Nest& nest, const Writing&) {
  const auto& [first, second] = nest.of;
  if (nest.sources != 2 || nest.loops.empty() || !first.own.empty() || !second.own.empty() ||
      nest.unit >= long_unit || nest.innermost().dst != 2 * nest.unit ||
      second.dst - first.dst != nest.unit)
    return no_match;
  const NestLoop& inner = nest.innermost();
  return is_by_vectors(nest.unit, inner.src[0], inner.src[1]) ? 40 : unit_by_unit;
}

Weave::Loop take_side(Nest& nest) {
  if (nest.loops.empty()) return {1, 0, 0, 0};
  const NestLoop& loop = nest.innermost();
  const Weave::Loop side{loop.extent, loop.dst, loop.src[0], loop.src[1]};
  nest.loops.pop_back();
  return side;
}

bool bind(Nest& nest, const Writing& writing, BoundArguments& arguments) {
  const Weave::Loop inner = take_side(nest);
  const bool streams = writing.streams_early && inner.extent * inner.dst >= streamed_row_bytes;
  arguments.keep(Weave{nest.unit, take_side(nest), inner, streams});
  return true;
}

void run(const BoundArguments& arguments, std::byte* dst, const std::byte* const* src) noexcept {
  on_this_machine(move_weave_by_set)(arguments.as<Weave>(), dst, src[0], src[1]);
}

Traffic traffic(const BoundArguments& arguments) {
  const auto& weave = arguments.as<Weave>();
  const std::int64_t bytes = 2 * weave.outer.extent * weave.inner.extent * weave.unit;
  return {bytes, bytes};
}

Cutting cutting(const Nest& nest) { return {nest.loops.size(), 2 * nest.unit}; }

bool streams(const BoundArguments& arguments) { return arguments.as<Weave>().streams; }

double picoseconds(const BoundArguments& arguments) {
  constexpr double a_row = 2500, a_pair = 600, a_byte = 22, by_one_bytes = 64;
  constexpr double a_row_of_units = 1300, a_unit = 350;
  const auto& weave = arguments.as<Weave>();
  const auto rows = static_cast<double>(weave.outer.extent);
  const auto pairs = static_cast<double>(weave.inner.extent);
  if (!is_by_vectors(weave.unit, weave.inner.first, weave.inner.second))
    return rows * (a_row_of_units + 2 * pairs * a_unit);
  const auto pair_bytes = static_cast<double>(2 * weave.unit);
  const double one_by_one = std::min(pairs, by_one_bytes / pair_bytes);
  return rows * (a_row + a_pair * one_by_one + a_byte * pair_bytes * pairs);
}

}  // namespace

extern const KernelDefinition weave_kernel;
const KernelDefinition weave_kernel{"weave", joint,   match,   bind,       run,
                                    traffic, cutting, streams, picoseconds};

}  // namespace weft
#endif

// SPDX-License-Identifier: Apache-2.0
// The loops, with the widest vectors that the compiler is told of.
#include "where/by_hand.h"

#include <algorithm>
#include <cstring>
#include <hwy/cache_control.h>
#include <hwy/highway.h>
#include <numeric>
#include <tbb/parallel_for.h>
#include <tbb/partitioner.h>
#include <tbb/task_arena.h>

namespace weft::bench {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

// Below this one thread is faster.
constexpr std::int64_t parallel_bytes = 256 * 1024;

struct Arrays {
  const std::uint8_t* holds;
  const std::byte *x, *y;
  std::byte* out;
};

void one_by_one(const Arrays& in, std::int64_t size, std::int64_t i, std::int64_t end) {
  for (; i < end; ++i)
    std::memcpy(in.out + i * size, (in.holds[i] ? in.x : in.y) + i * size,
                static_cast<std::size_t>(size));
}

template <bool streams, class D, class V>
void put(D d, V v, std::byte* out) {
  auto* const to = reinterpret_cast<hn::TFromD<D>*>(out);
  if constexpr (streams) hn::Stream(v, d, to);
  else hn::StoreU(v, d, to);
}

/// Elements of a word: their conditions are made as wide as they are.
template <class T, bool streams>
void select_words(const Arrays& in, std::int64_t i, std::int64_t end) {
  const hn::ScalableTag<T> d;
  const hn::Rebind<std::uint8_t, decltype(d)> narrow;
  const hn::Rebind<std::uint32_t, decltype(d)> middle;
  constexpr std::int64_t size = sizeof(T);
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  const auto one = [&](std::int64_t k) {
    const auto holds = [&] {
      if constexpr (size == 1) return hn::LoadU(d, in.holds + k);
      else if constexpr (size == 8)
        return hn::PromoteTo(d, hn::PromoteTo(middle, hn::LoadU(narrow, in.holds + k)));
      else return hn::PromoteTo(d, hn::LoadU(narrow, in.holds + k));
    }();
    const auto a = hn::LoadU(d, reinterpret_cast<const T*>(in.x + k * size));
    const auto b = hn::LoadU(d, reinterpret_cast<const T*>(in.y + k * size));
    put<streams>(d, hn::IfThenElse(hn::Ne(holds, hn::Zero(d)), a, b), in.out + k * size);
  };
  for (; i + 4 * lanes <= end; i += 4 * lanes)
    for (int k = 0; k < 4; ++k) one(i + k * lanes);
  for (; i + lanes <= end; i += lanes) one(i);
  one_by_one(in, size, i, end);
}

/// Elements of any size as bytes, in vectors that the next sixteen conditions are enough for: which
/// of them each byte asks, until a vector begins with an element again.
template <std::int64_t size>
struct Period {
  static constexpr std::int64_t bytes = std::min<std::int64_t>(HWY_MAX_BYTES, size < 4 ? 32 : 64);
  static constexpr std::int64_t elements = bytes / std::gcd(bytes, size);
  static constexpr std::int64_t vectors = elements * size / bytes;

  alignas(64) std::uint8_t asks[static_cast<std::size_t>(vectors * bytes)];

  constexpr Period() : asks() {
    for (std::int64_t k = 0; k < vectors * bytes; ++k)
      asks[k] = static_cast<std::uint8_t>(k / size - k / bytes * bytes / size);
  }
};

template <std::int64_t size, bool streams>
void select_bytes(const Arrays& in, std::int64_t i, std::int64_t end) {
  using P = Period<size>;
  static constexpr P period;
  const hn::FixedTag<std::uint8_t, P::bytes> d;
  for (; i + P::elements + 16 <= end; i += P::elements)
    for (std::int64_t v = 0; v < P::vectors; ++v) {
      const auto holds = hn::LoadDup128(d, in.holds + i + v * P::bytes / size);
      const auto asked = hn::TableLookupBytes(holds, hn::Load(d, period.asks + v * P::bytes));
      const std::int64_t at = i * size + v * P::bytes;
      const auto a = hn::LoadU(d, reinterpret_cast<const std::uint8_t*>(in.x + at));
      const auto b = hn::LoadU(d, reinterpret_cast<const std::uint8_t*>(in.y + at));
      put<streams>(d, hn::IfThenElse(hn::Ne(asked, hn::Zero(d)), a, b), in.out + at);
    }
  one_by_one(in, size, i, end);
}

template <std::int64_t size, bool streams>
void select(const Arrays& in, std::int64_t i, std::int64_t end) {
  if constexpr (size == 1) select_words<std::uint8_t, streams>(in, i, end);
  else if constexpr (size == 2) select_words<std::uint16_t, streams>(in, i, end);
  else if constexpr (size == 4) select_words<std::uint32_t, streams>(in, i, end);
  else if constexpr (size == 8) select_words<std::uint64_t, streams>(in, i, end);
  else select_bytes<size, streams>(in, i, end);
}

template <std::int64_t size>
void run(const Arrays& in, std::int64_t count, bool streams) {
  const std::int64_t tasks =
      count * size < parallel_bytes ? 1 : tbb::this_task_arena::max_concurrency();
  // Shares that begin where lines do, for elements of any size.
  const std::int64_t share = (count / tasks + 63) / 64 * 64;
  const auto task = [&](std::int64_t t) {
    const std::int64_t end = t + 1 == tasks ? count : std::min(count, (t + 1) * share);
    if (streams) select<size, true>(in, std::min(count, t * share), end);
    else select<size, false>(in, std::min(count, t * share), end);
    if (streams) hwy::FlushStream();
  };
  if (tasks == 1) task(0);
  else tbb::parallel_for(std::int64_t{0}, tasks, task, tbb::simple_partitioner());
}

}  // namespace

void select_by_hand(std::int64_t size, const std::uint8_t* holds, const std::byte* x,
                    const std::byte* y, std::byte* out, std::int64_t count, bool streams) {
  const Arrays in{holds, x, y, out};
  switch (size) {
    case 1:
      return run<1>(in, count, streams);
    case 2:
      return run<2>(in, count, streams);
    case 3:
      return run<3>(in, count, streams);
    case 4:
      return run<4>(in, count, streams);
    case 8:
      return run<8>(in, count, streams);
    case 12:
      return run<12>(in, count, streams);
    default:
      return run<16>(in, count, streams);
  }
}

}  // namespace weft::bench

// SPDX-License-Identifier: Apache-2.0
// Making long groups.
#include <weft/engine/kernels/move/long_groups.h>

#include <algorithm>
#include <functional>
#include <utility>

#include <weft/engine/kernels/move/long_lines.h>
#if WEFT_PERMUTES_LINES
#include <weft/engine/kernels/move/by_bytes-inl.h>
#include <weft/engine/kernels/move/long_lines-inl.h>
// The same, the other way.
#include <weft/engine/kernels/move/by_words-inl.h>
#include <weft/engine/kernels/move/long_lines-inl.h>
#endif

namespace weft {
namespace {

using namespace long_lines;

/// Of groups that are made together.
std::array<LongPlaces, most_sources> together_of(const LongGroups& groups,
                                                 std::span<const LongPlaces> places) {
  std::array<LongPlaces, most_sources> together;
  for (std::size_t s = 0; s < places.size(); ++s)
    for (std::int64_t g = 0; g < groups.together; ++g) {
      const auto step = static_cast<std::int32_t>(g * groups.loops[0].src[s]);
      const std::int32_t* const from = places[s].from.data();
      std::int32_t* const to = together[s].from.data() + g * groups.bytes;
      for (std::int64_t b = 0; b < groups.bytes; ++b)
        to[b] = from[b] == LongPlaces::none ? from[b] : from[b] + step;
    }
  return together;
}

void move_bytes(const LongGroups& groups, const LongPlaces& places, std::size_t source,
                std::byte* dst, const std::byte* src) {
  const auto& [near, far, farther] = groups.loops;
  for (std::int64_t k = 0; k < farther.extent; ++k)
    for (std::int64_t j = 0; j < far.extent; ++j)
      for (std::int64_t i = 0; i < near.extent; ++i) {
        std::byte* const to = dst + k * farther.dst + j * far.dst + i * near.dst;
        const std::byte* const from =
            src + k * farther.src[source] + j * far.src[source] + i * near.src[source];
        for (std::size_t b = 0; b < static_cast<std::size_t>(groups.bytes); ++b)
          if (places.from[b] != LongPlaces::none) to[b] = from[places.from[b]];
      }
}

}  // namespace

std::optional<LongWay> way_of(std::span<const LongPlaces> places, std::int64_t bytes) {
  const std::int64_t stores = stores_of(bytes);
  std::size_t loads = 0;
  for (std::int64_t s = 0; s < stores; ++s)
    loads = std::max(loads, loads_of(places, start_of(s, bytes), line).size());
  if (loads > most_loads) return std::nullopt;
  const std::size_t held = loads_of(places, 0, bytes).size();
  // As many as there are kernels for.
  const auto of = [](std::size_t n) { return static_cast<float>(n <= 1 ? n : n + n % 2); };
  const auto all = static_cast<float>(stores);
  const LongWay loaded{static_cast<std::int32_t>(loads), false, all * (700 + 750 * of(loads))};
  const LongWay kept{static_cast<std::int32_t>(held), true,
                     420 * of(held) + all * (700 + 330 * of(held))};
  return held <= most_loads && kept.picoseconds < loaded.picoseconds ? kept : loaded;
}

std::optional<LongCost> cost_of(std::span<const LongPlaces> places, std::int64_t bytes,
                                std::int64_t unit, bool are_repeated) {
  enum class Step { apart, next, same };
  LongCost cost;
  const auto source_of = [&](std::size_t b) {
    std::size_t s = 0;
    while (s < places.size() && places[s].from[b] == LongPlaces::none) ++s;
    return s;
  };
  Step last = Step::apart;
  std::size_t before = places.size();
  for (std::int64_t b = 0; b < bytes; b += unit) {
    const std::size_t s = source_of(static_cast<std::size_t>(b));
    if (s == places.size()) return std::nullopt;
    const std::int32_t* const from = places[s].from.data() + b;
    const std::int64_t step = s == before ? from[0] - from[-unit] : 2 * unit;
    const Step now = step == unit                ? Step::next
                     : step == 0 && are_repeated ? Step::same
                                                 : Step::apart;
    // The second of a piece tells what the others do, and may not be the first of the next.
    const bool is_new = now == Step::apart || (last != Step::apart && last != now);
    cost.pieces += is_new;
    last = is_new ? Step::apart : now;
    before = s;
  }
  const auto way = way_of(places, bytes);
  if (!way) return std::nullopt;
  cost.way = *way;
  return cost;
}

void LongGroups::find_way(std::span<const LongPlaces> places, const LongWay& of_one) {
  way = of_one;
  const SharedLoop& near = loops[0];
  constexpr std::int64_t most_apart =
      std::numeric_limits<std::int32_t>::max() / 2 / most_long_bytes;
  if (near.dst != bytes || std::abs(near.src[0]) > most_apart || std::abs(near.src[1]) > most_apart)
    return;
  // The least that fills its stores well.
  const auto filled = [&](std::int64_t groups) {
    return static_cast<double>(groups * bytes) / static_cast<double>(stores_of(groups * bytes));
  };
  std::int32_t fullest = 1;
  for (std::int32_t n = 2; n <= std::min(near.extent, most_long_bytes / bytes); ++n)
    if (filled(n) > 1.05 * filled(fullest)) fullest = n;
  if (fullest == 1) return;
  LongGroups more = *this;
  more.together = fullest;
  const auto all = together_of(more, places);
  const auto other = way_of({all.data(), places.size()}, fullest * bytes);
  if (!other || other->picoseconds > 0.9F * static_cast<float>(fullest) * way.picoseconds) return;
  together = fullest;
  way = *other;
}

bool LongGroups::take(Nest& nest, std::size_t at, std::int64_t fewest) {
  SmallVector<std::size_t, 3> taken{at};
  while (taken.size() < loops.size()) {
    std::size_t longest = at;
    for (std::size_t k = 0; k < at; ++k)
      if (nest.loops[k].is_plain() && std::find(taken.begin(), taken.end(), k) == taken.end() &&
          (longest == at || nest.loops[k].extent > nest.loops[longest].extent))
        longest = k;
    if (longest == at) break;
    taken.push_back(longest);
  }
  std::sort(taken.begin(), taken.end(), std::greater<>());  // the innermost first
  for (std::size_t n = 0; n < taken.size(); ++n) {
    const NestLoop& loop = nest.loops[taken[n]];
    loops[n] = {loop.extent, loop.dst, loop.src};
  }
  if (all_bytes() < fewest) return false;
  nest.loops.truncate(at + 1);
  for (const std::size_t k : taken) nest.loops.erase(nest.loops.begin() + k);
  return true;
}

void move_long_groups(const LongGroups& groups, std::span<const LongPlaces> places, std::byte* dst,
                      const std::byte* const* src) {
#if WEFT_PERMUTES_LINES
  if (permutes_lines()) {
    const auto make = [&](std::span<const LongPlaces> of) {
      if (permutes_bytes()) by_bytes::make_groups(groups, of, dst, src);
      else by_words::make_groups(groups, of, dst, src);
    };
    if (groups.together == 1) return make(places);
    const auto together = together_of(groups, places);
    return make({together.data(), places.size()});
  }
#endif
  for (std::size_t s = 0; s < places.size(); ++s) move_bytes(groups, places[s], s, dst, src[s]);
}

}  // namespace weft

// SPDX-License-Identifier: Apache-2.0
// Making long groups.
#include <weft/engine/kernels/move/long_groups.h>

#include <algorithm>
#include <functional>
#include <utility>

#include <weft/engine/kernels/instruction_set.h>
#include <weft/engine/kernels/move/line_permutation.h>

namespace weft {
namespace {

constexpr std::int64_t line = 64;
constexpr std::int64_t most_stores = most_long_bytes / line;
// Of one store; more take longer than moves one by one.
constexpr std::int64_t most_loads = 8;

std::int64_t stores_of(std::int64_t bytes) { return (bytes + line - 1) / line; }
/// Where a store starts in its group: the last one ends with it.
std::int64_t start_of(std::int64_t store, std::int64_t bytes) {
  return std::max<std::int64_t>(0, std::min(store * line, bytes - line));
}

struct Load {
  std::size_t source;
  std::int64_t start;
};

/// The loads of a line that the bytes [begin, begin + line) are made of, each from the first of
/// these that those before do not have; no more than `most_loads` + 1.
SmallVector<Load, most_loads + 1> loads_of(std::span<const LongPlaces> places, std::int64_t begin) {
  constexpr std::int32_t none = LongPlaces::none;
  SmallVector<Load, most_loads + 1> loads;
  for (std::size_t s = 0; s < places.size(); ++s) {
    const std::int32_t* const first = places[s].from.data() + begin;
    for (std::int32_t past = std::numeric_limits<std::int32_t>::min();
         loads.size() <= most_loads;) {
      std::int32_t next = none;
      for (std::int64_t b = 0; b < line; ++b)
        next = std::min(next, first[b] >= past ? first[b] : none);
      if (next == none) break;
      loads.push_back({s, next});
      past = next + line;
    }
  }
  return loads;
}

#if WEFT_PERMUTES_LINES

/// What stores are made of: of each two loads the bytes that they take by one permutation.
class Lines {
 public:
  Lines(const LongGroups& groups, std::span<const LongPlaces> places)
      : groups_(groups), stores_(stores_of(groups.bytes)) {
    for (std::int64_t s = 0; s < stores_; ++s) {
      const std::int64_t begin = start_of(s, groups.bytes);
      const auto loads = loads_of(places, begin);
      for (std::size_t n = 0; n < loads.size(); n += 2)
        add(places, begin, {loads[n], loads[std::min(n + 1, loads.size() - 1)]});
      past_[s] = pairs_;
    }
  }

  template <std::size_t sources>
  WEFT_VBMI void run(std::byte* dst, const std::byte* const* src) const {
    using From = std::array<const std::byte*, sources>;
    const auto& [near, far, farther] = groups_.loops;
    From last;  // lines are loaded whole where they start here or before
    for (std::size_t s = 0; s < sources; ++s) {
      last[s] = src[s] + end_[s] - reach_[s];
      for (const SharedLoop& loop : groups_.loops)
        last[s] += std::max<std::int64_t>(0, (loop.extent - 1) * loop.src[s]);
    }
    for (std::int64_t k = 0; k < farther.extent; ++k)
      for (std::int64_t j = 0; j < far.extent; ++j) {
        std::byte* to = dst + k * farther.dst + j * far.dst;
        From from;
        for (std::size_t s = 0; s < sources; ++s)
          from[s] = src[s] + k * farther.src[s] + j * far.src[s];
        for (std::int64_t i = 0; i < near.extent; ++i, to += near.dst) {
          bool is_within = true;
          for (std::size_t s = 0; s < sources; ++s) is_within &= from[s] <= last[s];
          if (is_within) group<false>(to, from);
          else group<true>(to, from);
          for (std::size_t s = 0; s < sources; ++s) from[s] += near.src[s];
        }
      }
  }

 private:
  struct Pair {
    std::int64_t start[2];
    std::uint64_t read[2], taken;
    std::size_t source[2];
    bool is_one;
  };

  /// What two loads, or one twice, make of the line of a group from `begin` on.
  void add(std::span<const LongPlaces> places, std::int64_t begin, std::array<Load, 2> loads) {
    Pair& pair = of_[pairs_];
    std::uint8_t* const lanes = lanes_[pairs_++];
    pair.taken = 0;
    pair.is_one = loads[0].source == loads[1].source && loads[0].start == loads[1].start;
    for (std::size_t n = 2; n-- > 0;) {
      const auto [source, start] = loads[n];
      const std::int32_t* const from = places[source].from.data() + begin;
      std::int64_t last = 0;
      for (std::int64_t b = 0; b < line; ++b) {
        const std::int64_t lane = from[b] - start;
        if (lane < 0 || lane >= line) continue;
        lanes[b] = static_cast<std::uint8_t>(lane + static_cast<std::int64_t>(n) * line);
        pair.taken |= std::uint64_t{1} << b;
        last = std::max(last, lane);
      }
      pair.read[n] = ~std::uint64_t{0} >> (line - 1 - last);
      pair.start[n] = start;
      pair.source[n] = source;
      end_[source] = std::max(end_[source], start + last + 1);
      reach_[source] = std::max(reach_[source], start + line);
    }
  }

  template <bool is_last, std::size_t sources>
  WEFT_VBMI_INLINE void group(std::byte* dst,
                              const std::array<const std::byte*, sources>& src) const {
    std::int64_t pair = 0;
    for (std::int64_t s = 0; s < stores_; ++s) {
      __m512i made = made_of<is_last>(pair, src);
      for (++pair; pair < past_[s]; ++pair)
        made = _mm512_mask_mov_epi8(made, of_[pair].taken, made_of<is_last>(pair, src));
      if (groups_.bytes < line)
        _mm512_mask_storeu_epi8(dst, ~std::uint64_t{0} >> (line - groups_.bytes), made);
      else _mm512_storeu_si512(dst + start_of(s, groups_.bytes), made);
    }
  }
  template <bool is_last, std::size_t sources>
  WEFT_VBMI_INLINE __m512i made_of(std::int64_t pair,
                                   const std::array<const std::byte*, sources>& src) const {
    const auto line_at = [&](int n) WEFT_VBMI {
      const Pair& of = of_[pair];
      const std::byte* const from = src[sources == 1 ? 0 : of.source[n]] + of.start[n];
      return is_last ? _mm512_maskz_loadu_epi8(of.read[n], from) : _mm512_loadu_si512(from);
    };
    const __m512i lanes = _mm512_load_si512(lanes_[pair]), first = line_at(0);
    if (of_[pair].is_one) return _mm512_maskz_permutexvar_epi8(~std::uint64_t{0}, lanes, first);
    return _mm512_permutex2var_epi8(first, lanes, line_at(1));
  }

  static constexpr std::int64_t most_pairs = most_stores * most_loads / 2;
  const LongGroups& groups_;
  const std::int64_t stores_;
  std::int64_t pairs_ = 0;
  std::int64_t past_[most_stores];  ///< the pairs of each store end before
  /// How far behind where it is a source is made use of, and loaded.
  std::int64_t end_[most_sources] = {std::numeric_limits<std::int32_t>::min(),
                                     std::numeric_limits<std::int32_t>::min()},
               reach_[most_sources] = {std::numeric_limits<std::int32_t>::min(),
                                       std::numeric_limits<std::int32_t>::min()};
  Pair of_[most_pairs];
  alignas(line) std::uint8_t lanes_[most_pairs][line] = {};
};

#endif

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

bool LongPlaces::add(std::int64_t dst, std::int64_t src, std::int64_t unit, std::int64_t bytes) {
  constexpr std::int64_t most = none / 2;
  if (dst < 0 || dst + unit > bytes || src < -most || src > most) return false;
  for (std::int64_t b = 0; b < unit; ++b)
    from[static_cast<std::size_t>(dst + b)] = static_cast<std::int32_t>(src + b);
  return true;
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
  for (std::int64_t s = 0; s < stores_of(bytes); ++s) {
    const std::size_t loads = loads_of(places, start_of(s, bytes)).size();
    if (loads > most_loads) return std::nullopt;
    cost.loads += static_cast<std::int64_t>(loads);
  }
  return cost;
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
    const Lines lines(groups, places);
    return places.size() == 1 ? lines.run<1>(dst, src) : lines.run<2>(dst, src);
  }
#endif
  for (std::size_t s = 0; s < places.size(); ++s) move_bytes(groups, places[s], s, dst, src[s]);
}

}  // namespace weft

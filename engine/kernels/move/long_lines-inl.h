// SPDX-License-Identifier: Apache-2.0
// How the lines of long groups are made, by permutations of lines of their sources; included for
// each way of lanes.h.
#include <algorithm>
#include <limits>

#include <weft/engine/kernels/move/long_lines.h>

namespace weft::WEFT_BY {

using namespace long_lines;

/// What stores are made of: of each two of so many loads, of a store or of all of a group, the
/// bytes that they take by one permutation.
template <std::size_t loads, bool are_held>
class Lines {
 public:
  WEFT_LINES Lines(std::int64_t bytes, std::span<const LongPlaces> places) : bytes_(bytes) {
    if (are_held) add(loads_by_lines(places, 0, bytes));
    else
      for (std::int64_t s = 0; s < stores_of(bytes); ++s)
        add(loads_by_lines(places, start_of(s, bytes), line));
    for (std::int64_t set = 0; set < sets_; ++set)
      for (std::size_t n = 0; n < loads; ++n) lay_out(places, set, n);
    for (std::int64_t s = 0; s < stores_of(bytes); ++s)
      for (std::size_t pair = 0; pair < pairs; ++pair)
        by_[s][pair] = Lanes(_mm512_load_si512(lanes_[s][pair]),
                             _mm512_movepi8_mask(_mm512_load_si512(taken_[s][pair])));
    for (std::int64_t set = 0; set < sets_; ++set)
      for (std::size_t n = 0; n < loads; ++n) {
        const auto [source, start] = loads_[set][n];
        end_[source] = std::max(end_[source], start + used_[set][n]);
        reach_[source] = std::max(reach_[source], start + line);
      }
  }

  /// Where a source may be at most for its lines to be loaded whole.
  const std::byte* last(std::size_t s, const std::byte* src, const LongGroups& groups) const {
    src += end_[s] - reach_[s];
    const auto& [near, far, farther] = groups.loops;
    const auto add = [&](std::int64_t steps, std::int64_t step) {
      src += std::max<std::int64_t>(0, steps * step);
    };
    add(near.extent - groups.together, near.src[s]);
    add(far.extent - 1, far.src[s]);
    add(farther.extent - 1, farther.src[s]);
    return src;
  }

  /// Makes a group, and reads whole lines or no more than it has to.
  template <bool reads_whole, std::size_t sources>
  WEFT_LINES_INLINE void make(std::byte* dst,
                              const std::array<const std::byte*, sources>& src) const {
    __m512i of[loads];
    const auto load = [&](std::int64_t set) WEFT_LINES {
      for (std::size_t n = 0; n < loads; ++n) {
        const Load& at = loads_[set][n];
        const std::byte* const from = src[sources == 1 ? 0 : at.source] + at.start;
        of[n] = reads_whole ? _mm512_loadu_si512(from)
                            : _mm512_maskz_loadu_epi8(first_bytes(used_[set][n]), from);
      }
    };
    if (are_held) load(0);
    for (std::int64_t s = 0; s < stores_of(bytes_); ++s) {
      if (!are_held) load(s);
      const auto made_of = [&](std::size_t pair) WEFT_LINES {
        const Lanes& by = by_[s][pair];
        return loads == 1 ? by.of(of[0]) : by.of(of[2 * pair], of[2 * pair + 1]);
      };
      __m512i made = made_of(0);
      constexpr int second_where_first = 0xca;
      for (std::size_t pair = 1; pair < pairs; ++pair)
        made = _mm512_ternarylogic_epi64(_mm512_load_si512(taken_[s][pair]), made_of(pair), made,
                                         second_where_first);
      if (bytes_ < line) _mm512_mask_storeu_epi8(dst, first_bytes(bytes_), made);
      else _mm512_storeu_si512(dst + start_of(s, bytes_), made);
    }
  }

 private:
  static constexpr std::size_t pairs = (loads + 1) / 2;

  /// A set of loads; those that are fewer have the last again.
  void add(const LineLoads& few) {
    for (std::size_t n = 0; n < loads; ++n) loads_[sets_][n] = few[std::min(n, few.size() - 1)];
    ++sets_;
  }
  /// What the stores of a set have of one of its loads.
  WEFT_LINES void lay_out(std::span<const LongPlaces> places, std::int64_t set, std::size_t n) {
    constexpr std::int64_t at_once = 16;
    const auto [source, start] = loads_[set][n];
    const __m512i first = _mm512_set1_epi32(static_cast<std::int32_t>(start));
    const __m512i other = _mm512_set1_epi32(n % 2 ? line : 0);
    __m512i last = _mm512_setzero_si512();
    for (std::int64_t s = are_held ? 0 : set; s < (are_held ? stores_of(bytes_) : set + 1); ++s) {
      const std::int32_t* const from = places[source].from.data() + start_of(s, bytes_);
      for (std::int64_t b = 0; b < line; b += at_once) {
        const __m512i lane = _mm512_sub_epi32(_mm512_loadu_si512(from + b), first);
        const __mmask16 has = _mm512_cmplt_epu32_mask(lane, _mm512_set1_epi32(line));
        last = _mm512_mask_max_epi32(last, has, last, lane);
        _mm512_mask_cvtepi32_storeu_epi8(lanes_[s][n / 2] + b, has, _mm512_or_si512(lane, other));
        _mm512_mask_cvtepi32_storeu_epi8(taken_[s][n / 2] + b, has, _mm512_set1_epi32(-1));
      }
    }
    std::int32_t lasts[at_once];
    _mm512_storeu_si512(lasts, last);
    used_[set][n] = *std::max_element(lasts, lasts + at_once) + 1;
  }

  static constexpr std::int64_t none = std::numeric_limits<std::int32_t>::min();
  const std::int64_t bytes_;
  std::int64_t sets_ = 0;
  Load loads_[are_held ? 1 : most_stores][loads];
  std::int64_t used_[are_held ? 1 : most_stores][loads];  ///< bytes of each
  /// How far behind where it is each source is made use of, and is loaded.
  std::int64_t end_[most_sources] = {none, none}, reach_[most_sources] = {none, none};
  alignas(line) std::uint8_t lanes_[most_stores][pairs][line] = {};
  alignas(line) std::uint8_t taken_[most_stores][pairs][line] = {};
  Lanes by_[most_stores][pairs];
};

/// Makes all groups, `together` at once.
template <std::size_t sources, class Lines>
WEFT_LINES void make_groups(const LongGroups& groups, const Lines& lines, std::byte* dst,
                            const std::byte* const* src) {
  using From = std::array<const std::byte*, sources>;
  const auto& [near, far, farther] = groups.loops;
  From last;
  for (std::size_t s = 0; s < sources; ++s) last[s] = lines.last(s, src[s], groups);
  for (std::int64_t k = 0; k < farther.extent; ++k)
    for (std::int64_t j = 0; j < far.extent; ++j) {
      std::byte* to = dst + k * farther.dst + j * far.dst;
      From from;
      for (std::size_t s = 0; s < sources; ++s)
        from[s] = src[s] + k * farther.src[s] + j * far.src[s];
      for (std::int64_t left = near.extent; left > 0; left -= groups.together) {
        // Some once more where they are no whole number of times.
        const std::int64_t back = std::min<std::int64_t>(0, left - groups.together);
        bool is_within = true;
        to += back * near.dst;
        for (std::size_t s = 0; s < sources; ++s) {
          from[s] += back * near.src[s];
          is_within &= from[s] <= last[s];
        }
        if (is_within) lines.template make<true>(to, from);
        else lines.template make<false>(to, from);
        to += groups.together * near.dst;
        for (std::size_t s = 0; s < sources; ++s) from[s] += groups.together * near.src[s];
      }
    }
}

template <bool are_held>
void make_groups(const LongGroups& groups, std::span<const LongPlaces> places, std::byte* dst,
                 const std::byte* const* src) {
  const auto make = [&]<std::size_t loads>() {
    const Lines<loads, are_held> lines(groups.together * groups.bytes, places);
    return places.size() == 1 ? make_groups<1>(groups, lines, dst, src)
                              : make_groups<2>(groups, lines, dst, src);
  };
  if (groups.way.loads <= 1) return make.template operator()<1>();
  if (groups.way.loads <= 2) return make.template operator()<2>();
  if (groups.way.loads <= 4) return make.template operator()<4>();
  if (groups.way.loads <= 6) return make.template operator()<6>();
  return make.template operator()<most_loads>();
}

inline void make_groups(const LongGroups& groups, std::span<const LongPlaces> places,
                        std::byte* dst, const std::byte* const* src) {
  if (groups.way.are_held) make_groups<true>(groups, places, dst, src);
  else make_groups<false>(groups, places, dst, src);
}

}  // namespace weft::WEFT_BY

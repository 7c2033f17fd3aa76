// SPDX-License-Identifier: Apache-2.0
// What lines the lines of long groups are made of: those that are loaded once for a group and held
// in registers, or those that each store takes.
#pragma once

#include <algorithm>
#include <limits>

#include <weft/engine/kernels/instruction_set.h>
#include <weft/engine/kernels/move/lanes.h>
#include <weft/engine/kernels/move/long_groups.h>

namespace weft::long_lines {

inline constexpr std::int64_t line = 64;
inline constexpr std::int64_t most_stores = most_long_bytes / line;
// Of one store, or held; more take longer than moves one by one.
inline constexpr std::size_t most_loads = 8;

inline std::int64_t stores_of(std::int64_t bytes) { return (bytes + line - 1) / line; }
/// Where a store starts in its group: the last one ends with it.
inline std::int64_t start_of(std::int64_t store, std::int64_t bytes) {
  return std::max<std::int64_t>(0, std::min(store * line, bytes - line));
}

struct Load {
  std::size_t source;
  std::int64_t start;
};
using LineLoads = SmallVector<Load, most_loads + 1>;

/// The lines that `count` bytes from `begin` on are made of, each from the first byte that those
/// before do not have; no more than `most_loads` + 1.
__attribute__((always_inline)) inline LineLoads find_loads(std::span<const LongPlaces> places,
                                                           std::int64_t begin, std::int64_t count) {
  constexpr std::int32_t none = LongPlaces::none;
  LineLoads loads;
  for (std::size_t s = 0; s < places.size(); ++s) {
    const std::int32_t* const from = places[s].from.data() + begin;
    for (std::int32_t past = std::numeric_limits<std::int32_t>::min();
         loads.size() <= most_loads;) {
      std::int32_t next = none;
      for (std::int64_t b = 0; b < count; ++b)
        next = std::min(next, from[b] >= past ? from[b] : none);
      if (next == none) break;
      loads.push_back({s, next});
      past = next + static_cast<std::int32_t>(line);
    }
  }
  return loads;
}

#if WEFT_PERMUTES_LINES

WEFT_AVX512 inline LineLoads loads_by_lines(std::span<const LongPlaces> places, std::int64_t begin,
                                            std::int64_t count) {
  return find_loads(places, begin, count);
}

/// The bytes of a line that are read or written where no more may be.
inline std::uint64_t first_bytes(std::int64_t count) { return ~std::uint64_t{0} >> (line - count); }

#endif

inline LineLoads loads_of(std::span<const LongPlaces> places, std::int64_t begin,
                          std::int64_t count) {
#if WEFT_PERMUTES_LINES
  if (permutes_lines()) return loads_by_lines(places, begin, count);
#endif
  return find_loads(places, begin, count);
}

}  // namespace weft::long_lines

// SPDX-License-Identifier: Apache-2.0
// Groups of a few bytes of two sources, of which each moves on in its own way.
#pragma once

#include <algorithm>
#include <array>
#include <cstdlib>
#include <utility>

#include <weft/engine/kernels/move/byte_loops.h>
#include <weft/engine/kernels/move/grouping.h>

namespace weft::weave_lines {

inline constexpr std::int64_t line = 64;

using Span = std::pair<std::int64_t, std::int64_t>;

/// The first and the last byte of a source that a group is made of.
inline Span span_of(const UnitBytes& from, std::int64_t bytes, bool is_second) {
  Span span{max_shuffled_reach, -max_shuffled_reach};
  for (std::int64_t b = 0; b < bytes; ++b)
    if (from.is_still(b) == is_second)
      span = {std::min(span.first, from.of(b)), std::max(span.second, from.of(b))};
  return span;
}

/// Groups that one store makes of a line of each source; 0: not even one.
inline std::int64_t groups_of_lines(const UnitBytes& from, std::int64_t bytes,
                                    const SharedLoop& inner) {
  std::int64_t groups = std::min(line / bytes, inner.extent);
  for (const bool is_second : {false, true}) {
    const auto [low, high] = span_of(from, bytes, is_second);
    const std::int64_t step = std::abs(inner.src[is_second]), left = line - (high - low + 1);
    if (left < 0) return 0;
    if (step > 0) groups = std::min(groups, left / step + 1);
  }
  return groups;
}

/// Rows of groups that lie one behind another.
struct WeaveLines {
  std::int64_t bytes;  ///< of a group
  std::array<SharedLoop, 2> outer;
  SharedLoop inner;
  UnitBytes from;  ///< what is still there is of the second source
  bool streams;

  std::int64_t rows() const { return outer[0].extent * outer[1].extent; }
  std::int64_t all_bytes() const { return rows() * inner.extent * bytes; }
  std::int64_t groups_a_store() const { return groups_of_lines(from, bytes, inner); }
  /// Of a row, where a store makes any.
  std::int64_t stores() const {
    const std::int64_t groups = groups_a_store();
    return (inner.extent + groups - 1) / groups;
  }
};

/// What stores are made of.
struct Stores {
  alignas(line) std::uint8_t lanes[2][line] = {};
  std::uint64_t taken[2] = {}, used[2] = {};
  std::int64_t starts[2];

  Stores(const WeaveLines& weave, std::int64_t groups) {
    for (const bool is_second : {false, true}) {
      const std::int64_t step = weave.inner.src[is_second];
      const auto [low, high] = span_of(weave.from, weave.bytes, is_second);
      starts[is_second] = step < 0 ? high + 1 - line : low;
    }
    for (std::int64_t g = 0; g < groups; ++g)
      for (std::int64_t b = 0; b < weave.bytes; ++b) {
        const bool s = weave.from.is_still(b);
        const std::int64_t at = g * weave.bytes + b;
        const std::int64_t lane = g * weave.inner.src[s] + weave.from.of(b) - starts[s];
        lanes[s][at] = static_cast<std::uint8_t>(lane);
        taken[s] |= std::uint64_t{1} << at;
        used[s] |= std::uint64_t{1} << lane;
      }
  }
};

}  // namespace weft::weave_lines

// SPDX-License-Identifier: Apache-2.0
// Units of sizes that no word has, one behind another: each as one word that reaches into the next,
// which is written after it (3 bytes: two loads and two stores otherwise).
#pragma once

#include <cstdlib>
#include <type_traits>

#include <weft/engine/kernels/nest.h>
#include <weft/graph/value/unit.h>

namespace weft {

/// The smallest word that holds a unit and at most as much again; the unit, where it is a word.
template <class Unit>
struct WordOf {
  using type = Unit;
};
template <>
struct WordOf<FixedUnit<3>> {
  using type = FixedUnit<4>;
};
template <>
struct WordOf<FixedUnit<6>> {
  using type = FixedUnit<8>;
};
template <>
struct WordOf<FixedUnit<12>> {
  using type = FixedUnit<16>;
};
template <std::size_t Part>
requires(Part <= 16) struct WordOf<OverlappedUnit<Part>> {
  using type = FixedUnit<2 * Part>;
};

template <class Unit>
inline constexpr bool is_word = std::is_same_v<typename WordOf<Unit>::type, Unit>;

/// Whether a word that is read at a unit ends where another such unit does, but for the one that
/// lies last.
inline bool ends_in_another(std::int64_t stride, std::int64_t unit) {
  return std::abs(stride) >= unit;
}

/// Units into a row, from which they come `stride` apart.
template <class Unit>
void move_row(std::byte* dst, const std::byte* src, std::int64_t count, std::int64_t stride,
              Unit unit) {
  std::int64_t k = 0;
  if constexpr (!is_word<Unit>)
    if (count > 2 && ends_in_another(stride, unit.size())) {
      constexpr typename WordOf<Unit>::type word;
      unit.move(dst, src);  // lies last where the source goes down
      for (k = 1; k + 1 < count; ++k) word.move(dst + k * unit.size(), src + k * stride);
    }
  for (; k < count; ++k) unit.move(dst + k * unit.size(), src + k * stride);
}

}  // namespace weft

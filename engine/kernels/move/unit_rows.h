// SPDX-License-Identifier: Apache-2.0
// Units of sizes that no word has, one behind another: each as one word that reaches into the next,
// which is written after it (3 bytes: two loads and two stores otherwise).
#pragma once

#include <cstdint>
#include <cstdlib>
#include <cstring>
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

// Processors see steps along memory coming that are shorter, as long as it is one load that makes
// them (every 17th of 17M elements of 4 bytes: 2.4 ms one by one, 5.8 eight at a time).
inline constexpr std::int64_t far_bytes = 256;

/// Words into a row, some at a time: what reads them is not kept waiting by what writes (one
/// thread, f32, 65,536 from a line each: 84 us one by one, 73 so; u8, rows of 22 from places 8
/// bytes apart: 0.30 ns each one by one, 0.25 by fours).
template <std::int64_t at_once, class Word>
void move_words(std::byte* dst, const std::byte* src, std::int64_t count, std::int64_t stride) {
  constexpr auto size = static_cast<std::int64_t>(sizeof(Word));
  std::int64_t k = 0;
  for (const std::byte* from = src; k + at_once <= count; k += at_once, from += at_once * stride) {
    Word words[at_once];
    for (std::int64_t j = 0; j < at_once; ++j) std::memcpy(words + j, from + j * stride, size);
    std::memcpy(dst + k * size, words, sizeof words);
  }
  for (; k < count; ++k) std::memcpy(dst + k * size, src + k * stride, size);
}

/// Units into a row, from which they come `stride` apart.
template <class Unit>
void move_row(std::byte* dst, const std::byte* src, std::int64_t count, std::int64_t stride,
              Unit unit) {
  if constexpr (std::is_same_v<Unit, FixedUnit<4>>)
    if (std::abs(stride) >= far_bytes) return move_words<8, std::uint32_t>(dst, src, count, stride);
  if constexpr (std::is_same_v<Unit, FixedUnit<8>>)
    if (std::abs(stride) >= far_bytes) return move_words<8, std::uint64_t>(dst, src, count, stride);
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

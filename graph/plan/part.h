// SPDX-License-Identifier: Apache-2.0
// Parts of elements: what is asked of a tensor whose elements another one's are made of, or are
// parts of. Sizes are in bytes.
#pragma once

#include <compare>
#include <cstdint>
#include <vector>

#include <weft/graph/map/box.h>

namespace weft {

/// The bytes from `offset` to `offset + size` of each element, and the unit in which a box that
/// asks for them counts the output, which divides both.
struct Part {
  std::uint32_t unit, offset, size;

  /// All of an element.
  static Part whole(std::int64_t element) {
    const auto size = static_cast<std::uint32_t>(element);
    return {size, 0, size};
  }
  friend auto operator<=>(const Part&, const Part&) = default;
};

/// Counts a linear box of units on both sides in units of 1/k.
void refine(Box& line, std::int64_t k);

/// A linear box of a part of elements becomes one of units: those of the memory they lie in.
void count_in_units(Box& line, const Part& part, std::int64_t element);

/// A box that asks for a part.
struct PartBox {
  Part part;
  Box box;
};

/// The inverse: a linear box of units, which divide an element, as linear boxes of elements, at
/// most so many (TooManyBoxes). Units that follow one another within an element are one part of it.
void count_in_elements(const Box& line, std::uint32_t unit, std::int64_t element, std::size_t most,
                       std::vector<PartBox>& out);

}  // namespace weft

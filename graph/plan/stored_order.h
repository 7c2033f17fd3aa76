// SPDX-License-Identifier: Apache-2.0
// The order in which an operand is stored: that of the result, or that in which others lie.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <weft/graph/plan/plan.h>

namespace weft {

/// An order of all positions of a result: that in which some source has what is read at each.
class StoredOrder {
 public:
  /// That in which what copies read lies, as far as it can be told, which write each of `count`
  /// positions between them, those of the lowest layer; what they read again goes where others do.
  /// None where it is that of positions, or they are cut otherwise.
  static std::optional<StoredOrder> of(std::span<const Copy> copies, std::int64_t count);
  static std::optional<StoredOrder> of(const Copy& copy, std::int64_t count) {
    return of(std::span(&copy, 1), count);
  }

  /// The same copy with what it writes in this order; none where a loop of it leads from one part
  /// of the positions into another.
  std::optional<Copy> stored(const Copy& copy) const;
  /// The same of all of them, as they follow one another then.
  std::optional<std::vector<Copy>> stored(const std::vector<Copy>& copies) const;
  /// Reads what is stored so, for each position.
  Copy read(std::size_t source) const;

  friend bool operator==(const StoredOrder& a, const StoredOrder& b);

 private:
  /// Positions p have p / from % extent times `to` in this order.
  struct Digit {
    std::int64_t extent, from, to;
  };

  bool add(Loop loop, SmallVector<std::int64_t, 6>& last, Copy& to) const;

  SmallVector<Digit, 6> digits_;  // largest `from` first
};

/// How many runs copies have, of elements that are neighbours where they are read and written, or
/// the same, in whatever direction they are read.
std::int64_t runs_of(const std::vector<Copy>& copies);

}  // namespace weft

// SPDX-License-Identifier: Apache-2.0
// What the copies of a pass repeat, wherever in it: they may write it once.
#pragma once

#include <cstdint>
#include <vector>

#include <weft/graph/plan/plan.h>

namespace weft {

/// `times` parts of `within` elements that are alike, one after another.
struct Repetition {
  std::int64_t times, within;
};
using Repetitions = SmallVector<Repetition, 4>;

/// What all of some copies repeat.
struct RepeatedCopies {
  std::vector<Copy> once{};  ///< the copies without it, where there is any
  Repetitions repetitions{};

  /// How often each element is written.
  std::int64_t times() const;
  /// For each of `count` positions what is written once, from `source`.
  Copy read(std::size_t source, std::int64_t count) const;
};
/// Of copies that write `count` elements between them.
RepeatedCopies find_repetitions(const std::vector<Copy>& copies, std::int64_t count);

}  // namespace weft

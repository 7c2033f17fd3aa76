// SPDX-License-Identifier: Apache-2.0
// range: what of an axis `x[range(a, b, step)]` picks.
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>

#include <weft/graph/ints.h>

namespace weft {

/// Where a range starts or stops: an integer of any type, or none.
struct RangeEnd {
  template <std::integral T>
  requires(!std::same_as<T, bool>) RangeEnd(T value) : place(Ints(value)[0]) {}
  RangeEnd(None) {}
  std::optional<std::int64_t> place;
};

/// NumPy's `start:stop:step`, as range() makes it; braces make none, for `x[{0, 2, 4}]` would not
/// be what NumPy makes of it.
struct IndexRange {
  explicit IndexRange(RangeEnd from, RangeEnd to, std::int64_t by)
      : start(from), stop(to), step(by) {}
  RangeEnd start, stop;
  std::int64_t step;
};

/// The range from `start` (none: the first, or the last for step < 0) to `stop`, which is left out
/// (none: to the end). Negative places count from the end, then everything is clamped, as in slice;
/// `x[range(none, none, -1)]` is x backwards.
[[nodiscard]] inline IndexRange range(RangeEnd start, RangeEnd stop, std::int64_t step = 1) {
  return IndexRange(start, stop, step);
}
/// The range of the places before `stop`.
[[nodiscard]] inline IndexRange range(RangeEnd stop) { return IndexRange(none, stop, 1); }

}  // namespace weft

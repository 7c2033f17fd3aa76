// SPDX-License-Identifier: Apache-2.0
// Rows: what ops that compute their elements walk along.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include <weft/graph/value/shape.h>

namespace weft {

/// Calls row(at, position, count) for the parts of the rows (along the last axis) of `shape` that
/// hold its elements `begin` to `end`, row-major: `count` of them, from coordinates `at` on.
template <class Row>
void for_rows(const Shape& shape, std::int64_t begin, std::int64_t end, const Row& row) {
  if (begin >= end) return;
  Index at = unravel_index(begin, shape);
  while (begin < end) {
    const std::int64_t left = shape.size() == 0 ? 1 : shape.back() - at.back();
    const std::int64_t count = std::min(end - begin, left);
    row(at, begin, count);
    begin += count;
    if (begin == end) return;
    at.back() = 0;
    for (std::size_t k = shape.size() - 1; k-- > 0 && ++at[k] == shape[k];) at[k] = 0;
  }
}

/// The position that coordinates have in memory of these strides.
inline std::int64_t dot(const Index& at, const Shape& strides) {
  std::int64_t position = 0;
  for (std::size_t k = 0; k < at.size(); ++k) position += at[k] * strides[k];
  return position;
}

/// Lines whose elements lie a page apart, or several: a cache has few places for those, and what
/// brings an element of one line brings some of its neighbours, which would be gone when these are
/// read. So some lines are put side by side first.
class LinesAside {
 public:
  static constexpr std::int64_t bytes = 64 * 1024;

  /// Of `extent` elements of so many bytes, `step` apart, each line `next` from the one before.
  LinesAside(std::int64_t extent, std::int64_t step, std::int64_t next, std::int64_t size)
      : extent_(extent), step_(step), next_(next), pitch_(extent * size + cache_line) {
    if (step == 0 || next == 0 || step * size % page != 0 || extent < fewest) return;
    at_once_ = std::min(cache_line / (std::abs(next) * size), bytes / pitch_);
  }
  bool is_worth_it() const { return at_once_ > 1; }

  /// Calls visit(k, line) for each of `count` lines from the one at `from` on.
  template <class Unit, class Visit>
  void for_each(Unit unit, const std::byte* from, std::int64_t count, const Visit& visit) const {
    alignas(cache_line) std::byte aside[bytes];
    for (std::int64_t first = 0; first < count; first += at_once_) {
      const std::int64_t some = std::min(at_once_, count - first);
      for (std::int64_t i = 0; i < extent_; ++i)
        for (std::int64_t k = 0; k < some; ++k)
          unit.move(aside + k * pitch_ + i * unit.size(),
                    from + ((first + k) * next_ + i * step_) * unit.size());
      for (std::int64_t k = 0; k < some; ++k) visit(first + k, aside + k * pitch_);
    }
  }

 private:
  static constexpr std::int64_t page = 4096, cache_line = 64;
  static constexpr std::int64_t fewest = 64;  // which any cache has places for

  std::int64_t extent_, step_, next_, pitch_, at_once_ = 0;
};

}  // namespace weft

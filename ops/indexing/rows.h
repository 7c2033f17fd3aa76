// SPDX-License-Identifier: Apache-2.0
// Rows: what ops that compute their elements walk along.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

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

}  // namespace weft

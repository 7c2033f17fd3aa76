// SPDX-License-Identifier: Apache-2.0
// Cutting a copy to a stretch of the linear output, for a task.
#pragma once

#include <weft/graph/plan/plan.h>

namespace weft {

/// First and last output position of a copy.
inline std::int64_t first_position(const Copy& copy) {
  std::int64_t position = copy.out_offset;
  for (const Loop& loop : copy.loops) position += loop.out_at(0);
  return position;
}
inline std::int64_t last_position(const Copy& copy) {
  std::int64_t position = copy.out_offset;
  for (const Loop& loop : copy.loops) position += loop.out_at(loop.extent - 1);
  return position;
}

/// Steps [low, high) of loop `at`.
Copy restrict(Copy copy, std::size_t at, std::int64_t low, std::int64_t high);

/// The copies that write what `copy` writes at positions [begin, end). Out strides are nested, so
/// at most two for each loop and one more.
void clip(const Copy& copy, std::int64_t begin, std::int64_t end, std::vector<Copy>& pieces);

}  // namespace weft

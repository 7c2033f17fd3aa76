// SPDX-License-Identifier: Apache-2.0
// What the first cache keeps.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>

namespace weft {

/// So many lines that are `apart` bytes from one another: those a power of two apart share few of
/// its places.
inline std::int64_t lines_kept(std::int64_t apart) {
  constexpr std::int64_t line = 64, way = 4096, ways = 8;
  return ways * way / std::max(line, std::gcd(apart, way));
}

}  // namespace weft

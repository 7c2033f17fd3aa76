// SPDX-License-Identifier: Apache-2.0
// What the first two caches keep.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>

namespace weft {

/// So many lines that are `apart` bytes from one another, by a cache of ways of so many bytes:
/// those a power of two apart share few of its places.
inline std::int64_t lines_kept_by(std::int64_t ways, std::int64_t way, std::int64_t apart) {
  constexpr std::int64_t line = 64;
  return ways * way / std::max(line, std::gcd(apart, way));
}
/// By the first cache.
inline std::int64_t lines_kept(std::int64_t apart) { return lines_kept_by(8, 4096, apart); }
/// By the second one.
inline std::int64_t lines_kept_second(std::int64_t apart) {
  return lines_kept_by(8, 64 * 1024, apart);
}

}  // namespace weft

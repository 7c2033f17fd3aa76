// SPDX-License-Identifier: Apache-2.0
// Division that rounds one way, whatever the signs.
#pragma once

#include <cstdint>

namespace weft {

/// a / b, rounded down.
inline std::int64_t floor_div(std::int64_t a, std::int64_t b) {
  return a / b - (a % b != 0 && (a < 0) != (b < 0));
}
/// a / b, rounded up.
inline std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return -floor_div(-a, b); }

}  // namespace weft

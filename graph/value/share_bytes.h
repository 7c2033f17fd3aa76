// SPDX-License-Identifier: Apache-2.0
// Whether two pieces of memory have bytes in common.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

namespace weft {

/// Of pieces of so many bytes.
inline bool share_bytes(const std::byte* a, std::int64_t a_bytes, const std::byte* b,
                        std::int64_t b_bytes) noexcept {
  return std::less<>()(a, b + b_bytes) && std::less<>()(b, a + a_bytes);
}

}  // namespace weft

// SPDX-License-Identifier: Apache-2.0
// Which units are wide.
#pragma once

#include <cstdint>

namespace weft {

/// Whether vectors of the machine move units of so many bytes sooner than those that every machine
/// has, and memcpy (one thread, results that the caches keep; rows of 72 bytes 65 ps a byte, 35; of
/// 34 66, 29; of 129 to 256 no difference).
inline bool is_wide(std::int64_t bytes) { return bytes >= 32 && bytes <= 128; }

}  // namespace weft

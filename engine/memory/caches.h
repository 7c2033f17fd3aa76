// SPDX-License-Identifier: Apache-2.0
// The processor's caches, as the system tells of them.
#pragma once

#include <cstdint>
#include <string>

namespace weft {

/// The last level of all processors together, in bytes, as Linux tells in such a folder; 0 where it
/// does not. (sysconf tells twelve times too much on some machines, and nothing on others.)
std::int64_t read_last_cache_bytes(const std::string& folder);

/// The same of this machine: read once; a guess where nothing tells.
std::int64_t last_cache_bytes();

/// The last cache does not keep what has so many bytes, beside what it is made of.
inline std::int64_t vast_bytes() { return last_cache_bytes() / 4; }

}  // namespace weft

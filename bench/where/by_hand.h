// SPDX-License-Identifier: Apache-2.0
// A plain `where` by hand, for the machine that compiles it: what ours is measured beside.
#pragma once

#include <cstddef>
#include <cstdint>

namespace weft::bench {

/// out[i] = holds[i] ? x[i] : y[i] of elements of 1, 2, 3, 4, 8, 12 or 16 bytes; past the caches
/// where `streams`, which needs an output that begins where a vector does.
void select_by_hand(std::int64_t size, const std::uint8_t* holds, const std::byte* x,
                    const std::byte* y, std::byte* out, std::int64_t count, bool streams);

}  // namespace weft::bench

// SPDX-License-Identifier: Apache-2.0
// Random chains, measured: what nobody has tuned for.
#pragma once

#include <cstdint>
#include <string>

namespace weft::bench {

/// Checks chains [first, first + count) against plain loops, and measures each, its plan kept and
/// memory used again, in turn with a copy of as many bytes as it makes and with plain loops op by
/// op; prints how the ratios are distributed and the ten worst with what carries them out. Writes
/// all of it to `json` unless that is empty. False where a value is wrong, or the file cannot be
/// written.
bool measure_chains(std::size_t count, std::uint64_t first, const std::string& json);

}  // namespace weft::bench

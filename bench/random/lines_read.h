// SPDX-License-Identifier: Apache-2.0
// How much memory a chain cannot but read, told by its plain boxes alone.
#pragma once

#include <cstdint>

#include "random/random_chain.h"

namespace weft::bench {

/// Bytes of the lines of the operand that hold anything of the result: of every fourth element of
/// 16 bytes and less that is all of them.
std::int64_t bytes_of_lines_read(const Chain& chain);

}  // namespace weft::bench

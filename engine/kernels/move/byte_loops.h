// SPDX-License-Identifier: Apache-2.0
// Loops that go on where another ends, as rows and columns of a transpose do.
#pragma once

#include <weft/engine/kernels/nest.h>

namespace weft {

/// Loops around one another, innermost first.
using ByteLoops = std::array<ByteLoop, 3>;

inline std::int64_t steps_of(const ByteLoops& sides) {
  return sides[0].extent * sides[1].extent * sides[2].extent;
}

}  // namespace weft

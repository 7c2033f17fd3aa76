// SPDX-License-Identifier: Apache-2.0
// Stacks: copies of which each writes every n-th unit of the same stretch, all by the same loops,
// carried out as one, so that whole lines are written once.
#pragma once

#include <cstdint>
#include <vector>

#include <weft/engine/run/pairs.h>

namespace weft {

/// The pieces, where three copies and more that write units in turn are one piece, if a kernel
/// takes it.
std::vector<Piece> stack_up(std::vector<Piece> pieces, std::int64_t element);

}  // namespace weft

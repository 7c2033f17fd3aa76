// SPDX-License-Identifier: Apache-2.0
// A piece as blocks, with what moves their operands and results.
#pragma once

#include <weft/engine/run/blocks.h>

namespace weft {

/// Of a block whose operands are turned, in bytes: none is larger.
inline constexpr std::int64_t largest_block = 512 * 1024;

/// Appends what moves its operands and its result to `steps`, which has its program already. Blocks
/// are 2^shrink times smaller than suits the caches.
BlockPiece make_block_piece(const Pass& pass, const ComputedPiece& planned, int shrink,
                            BlockSteps& steps);

}  // namespace weft

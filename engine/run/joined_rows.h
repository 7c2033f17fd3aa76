// SPDX-License-Identifier: Apache-2.0
// Joined rows: copies that write parts of the same rows each are one copy that reads a row by a
// table, or two where they read two sources or move on in two ways; kernels make short rows at once
// by permutations, and longer ones of runs, for the most part, some at a time.
#pragma once

#include <cstdint>

#include <weft/engine/run/pairs.h>

namespace weft {

/// The copies of a pass, each a piece, but those joined that make short rows between them, if a
/// kernel of groups takes them.
Pieces join_rows(const Pass& pass, std::int64_t element, RowsOf most);

}  // namespace weft

// SPDX-License-Identifier: Apache-2.0
// Cutting copies into pieces of about equal work, for tasks that may run in any order.
#pragma once

#include <cstdint>
#include <vector>

#include <weft/engine/run/pairs.h>

namespace weft {

/// Whether the pieces of a pass of `count` elements write whole cache lines, all but a few bytes,
/// so that parts of them may be written in any order without fetching lines again and again.
bool writes_lines(const std::vector<Piece>& pieces, std::int64_t count, std::int64_t element);

/// Pieces that together write what `pieces` write, each about `piece_bytes` or less where
/// its loops can be cut. Transposes are cut along their columns first, whole rows of the source
/// are read in order then, unless threads would wait for each other's lines. `reads_made`: sources
/// are what other passes made. Parts of rows of the output have `row_bytes`, or nearly, and more.
std::vector<Piece> cut(const std::vector<Piece>& pieces, std::int64_t element,
                       std::int64_t piece_bytes, bool reads_made, std::int64_t row_bytes = 0);

/// Where tasks of about `share` bytes end, of parts as cut() makes them; one that writes between
/// parts of a task is of the same task, if it has room.
std::vector<std::size_t> ends_of_tasks(const std::vector<Piece>& parts, std::int64_t element,
                                       std::int64_t share);

}  // namespace weft

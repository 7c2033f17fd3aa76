// SPDX-License-Identifier: Apache-2.0
// Cutting all boxes of a pass at once, along a loop that they share.
#pragma once

#include <cstdint>
#include <vector>

#include <weft/engine/run/pairs.h>

namespace weft {

/// Parts of boxes, task after task: each has what all boxes write within one part of the output.
struct PartsTogether {
  std::vector<Piece> parts{};
  std::vector<std::size_t> ends{};  ///< of the parts of each task
};

/// Whether tasks that write so many bytes of the output in its order would fetch the lines of the
/// sources that often or more, because what lies beside one another there is far apart in it.
bool tears_lines(const std::vector<Piece>& boxes, std::int64_t element, std::int64_t task_bytes,
                 std::int64_t times);

/// Tasks of about `task_bytes` that write what `boxes` write: each with parts of them in their
/// order, so that lines that several boxes write are written by one task, and lines of the sources
/// are read by one. None where the boxes share no loop that is long enough.
PartsTogether cut_together(const std::vector<Piece>& boxes, std::int64_t count,
                           std::int64_t element, std::int64_t task_bytes);

}  // namespace weft

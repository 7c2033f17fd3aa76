// Cutting copies into pieces of about equal work, for tasks that may run in any order.
#pragma once

#include <cstdint>
#include <vector>

#include <weft/graph/plan.h>

namespace weft {

/// Whether the copies of a pass write whole cache lines, all but a few bytes, so that pieces of
/// them may be written in any order without fetching lines again and again.
bool writes_lines(const Pass& pass, std::int64_t element);

/// Copies that together write what those of `pass` write, each about `piece_bytes` or less where
/// its loops can be cut. Transposes are cut along their columns first: whole rows of the source
/// are read in order then.
std::vector<Copy> cut(const Pass& pass, std::int64_t element, std::int64_t piece_bytes);

}  // namespace weft

// SPDX-License-Identifier: Apache-2.0
// From what is asked in linear order to what that is in coordinates.
#pragma once

#include <cstddef>

#include <weft/graph/plan/demand.h>

namespace weft {

/// Adds to `asked` what `lines` ask of a node of that type, and says in how many boxes; 0 where
/// that would be more than `most`.
std::size_t to_coordinates(const BoxesByTarget& lines, const TensorType& type, std::size_t most,
                           Arena& arena, BoxesByTarget& asked);

}  // namespace weft

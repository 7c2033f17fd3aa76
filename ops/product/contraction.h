// SPDX-License-Identifier: Apache-2.0
// In which order the operands of an einsum are multiplied.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace weft {

/// Axes of all operands by number, as bits: there are 64 at most.
using AxisSet = std::uint64_t;

/// Pairs of operands to multiply, one after another: each takes the places of both out of the list
/// and puts its result at the end. Of the fewest multiplications where there are 8 operands at
/// most; else the pair of the fewest each time. Axes that `kept` and the operands that are left
/// lack are summed out.
std::vector<std::pair<std::size_t, std::size_t>> contraction_order(
    const std::vector<AxisSet>& operands, AxisSet kept, const std::vector<std::int64_t>& extents);

}  // namespace weft

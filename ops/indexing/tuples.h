// SPDX-License-Identifier: Apache-2.0
// Tuples of indices: what gather_nd and scatter_nd share.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include <weft/graph/indexed.h>

namespace weft {

/// How many leading axes of `x`, the operand of that name, a tuple of `indices` names; nothing
/// where that is not known. Refuses, in the name of `op`, indices of another type, of rank 0 and of
/// a last axis that is not 1 to the rank of `x`.
std::optional<std::size_t> tuple_length(std::string_view op, std::string_view operand,
                                        const KnownType& x, const KnownType& indices);

/// The shape that picking by tuples of that length makes of `x`.
Extents picked_by_tuples(const Extents& x, const Extents& indices, std::size_t length);

/// The leading `length` axes of `x` joined to one: OverflowError where their product is, of those
/// that are known.
Shape joined_shape(std::string_view op, const Shape& x, std::size_t length);

/// What each index of a tuple may be.
std::vector<IndexBounds> tuple_bounds(const Shape& x, std::size_t length);

/// Turns tuples of coordinates into positions along the joined axis.
void join_tuples(const Shape& x, std::size_t length, std::vector<std::int64_t>& places);

}  // namespace weft

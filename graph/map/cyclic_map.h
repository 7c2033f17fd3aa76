// SPDX-License-Identifier: Apache-2.0
// What a run of rolls, flips and transposes comes to: each axis of the operand is an axis of the
// result, turned, perhaps reversed. However long the run, its boxes are cut once.
#pragma once

#include <weft/graph/map/pull_back.h>
#include <weft/graph/value/shape.h>

namespace weft {

/// The element at `i` is the operand's at `j`, where j[k] = (i[axes[k]] - shift[k]) mod n, counted
/// from the end where reversed[k].
struct CyclicMap {
  SmallVector<std::int32_t, 16> axes;
  Index shift;  ///< each in [0, n)
  SmallVector<bool, 16> reversed;

  static CyclicMap identity(std::size_t rank);
};

/// A box of the result, which has that shape, as boxes of the operand.
void pull_back(const CyclicMap& map, const Shape& shape, const Box& box, PullBack& to);

}  // namespace weft

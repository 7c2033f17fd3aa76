// SPDX-License-Identifier: Apache-2.0
// What transpose, squeeze, expand_dims and broadcast_to share: each axis of x is an axis of the
// result.
#pragma once

#include <weft/graph/map/box.h>
#include <weft/graph/map/pull_back.h>
#include <weft/graph/structural_key.h>
#include <weft/graph/value/shape.h>

namespace weft {

/// The element at `i` is that of x at `j`, where j[k] = i[axes[k]], or 0 where axes[k] is
/// `replicated`.
struct AxisMap {
  SmallVector<std::int32_t, 16> axes;

  /// One box stays one box.
  void pull_back(const Box& box, PullBack& to) const;
  std::size_t trace(Index& index) const;
};

inline void add_to(const AxisMap& map, StructuralKey& to) { to.add_all(map.axes); }

}  // namespace weft

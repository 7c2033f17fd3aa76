// SPDX-License-Identifier: Apache-2.0
// Pulling boxes through a run of rolls, flips and transposes at once.
#include <weft/graph/map/cyclic_map.h>

#include <numeric>

namespace weft {

CyclicMap CyclicMap::identity(std::size_t rank) {
  CyclicMap map{SmallVector<std::int32_t, 16>(rank, 0), Index(rank, 0),
                SmallVector<bool, 16>(rank, false)};
  std::iota(map.axes.begin(), map.axes.end(), 0);
  return map;
}

void pull_back(const CyclicMap& map, const Shape& shape, const Box& box, PullBack& to) {
  Boxes boxes = to.list(), next = to.list();
  boxes.push_back(box);
  for (std::size_t k = 0; k < map.axes.size(); ++k) {
    if (map.shift[k] == 0) continue;
    next.clear();
    for (const Box& part : boxes)
      rotate(part, map.axes[k], map.shift[k], shape[static_cast<std::size_t>(map.axes[k])], next);
    std::swap(boxes, next);
  }
  for (Box& part : boxes) {
    for (std::size_t k = 0; k < map.axes.size(); ++k)
      if (map.reversed[k])
        affine(part, map.axes[k], shape[static_cast<std::size_t>(map.axes[k])] - 1, -1);
    relabel(part, {map.axes.data(), map.axes.size()});
  }
  to.add(0, std::move(boxes));
}

}  // namespace weft

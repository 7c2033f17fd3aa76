// SPDX-License-Identifier: Apache-2.0
// Relabelled axes.
#include <weft/ops/shape/axis_map.h>

namespace weft {

void AxisMap::pull_back(const Box& box, PullBack& to) const {
  relabel(to.add(0, box), {axes.data(), axes.size()});
}

std::size_t AxisMap::trace(Index& index) const {
  Index source;
  for (const std::int32_t axis : axes)
    source.push_back(axis == replicated ? 0 : index[static_cast<std::size_t>(axis)]);
  index = source;
  return 0;
}

}  // namespace weft

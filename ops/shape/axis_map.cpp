// SPDX-License-Identifier: Apache-2.0
// Relabelled axes: one box stays one box.
#include <weft/graph/map/pull_back.h>
#include <weft/graph/structure.h>
#include <weft/ops/shape/axis_map.h>

namespace weft {

void AxisMap::pull_back(const Box& box, PullBack& to) const {
  relabel(to.add(0, box), {axes_.data(), axes_.size()});
}

std::size_t AxisMap::trace(Index& index) const {
  Index source;
  for (const std::int32_t axis : axes_)
    source.push_back(axis == replicated ? 0 : index[static_cast<std::size_t>(axis)]);
  index = source;
  return 0;
}

bool AxisMap::add_parameters(Structure& to) const {
  to.add_all(axes_);
  return true;
}

}  // namespace weft

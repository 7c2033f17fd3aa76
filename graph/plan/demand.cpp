// SPDX-License-Identifier: Apache-2.0
// Counting what is asked of a node, and the part of it that is.
#include <weft/graph/plan/demand.h>

#include <algorithm>
#include <iterator>

namespace weft {

namespace {

/// The group of a goal, or where it belongs. Most often that is the last, or behind it.
Groups::iterator place_of(Groups& groups, const Goal& goal) {
  if (groups.empty() || groups.back().goal < goal) return groups.end();
  if (groups.back().goal == goal) return groups.end() - 1;
  return std::lower_bound(groups.begin(), groups.end(), goal,
                          [](const Group& group, const Goal& at) { return group.goal < at; });
}

}  // namespace

void add_group(Groups& groups, Group&& group) {
  const auto same = place_of(groups, group.goal);
  if (same == groups.end()) return groups.push_back(std::move(group));
  if (same->goal != group.goal) return void(groups.insert(same, std::move(group)));
  append(same->boxes, std::move(group.boxes));
  same->is_merged = false;
}

void add_box(Groups& groups, const Goal& goal, Box box) {
  auto group = place_of(groups, goal);
  if (group == groups.end() || group->goal != goal)
    group = groups.insert(group, {goal, Boxes(groups.get_allocator()), false});
  group->boxes.push_back(std::move(box));
}

std::size_t count_boxes(const Groups& groups) {
  std::size_t count = 0;
  for (const Group& group : groups) count += group.boxes.size();
  return count;
}

namespace {

/// Widens [low, high], the hull of the boxes, to a stretch of rows that also holds the linear ones.
void widen_to_lines(const Demand& demand, const TensorType& type, Index& low, Index& high) {
  const Shape& shape = type.shape;
  Range line{element_count(shape), -1};
  if (!demand.boxes.empty()) line = {linear_index(low, shape), linear_index(high, shape)};
  for (const Group& group : demand.lines) {
    const std::int64_t units = type.dtype.size() / group.goal.part.unit;
    for (const Box& box : group.boxes) {
      const Range range = coordinate_range(box, 0);
      line = {std::min(line.low, range.low / units), std::max(line.high, range.high / units)};
    }
  }
  low = unravel_index(line.low, shape);
  high = unravel_index(line.high, shape);
  std::size_t axis = 0;
  while (axis < shape.size() && low[axis] == high[axis]) ++axis;
  for (++axis; axis < shape.size(); ++axis) {
    low[axis] = 0;
    high[axis] = shape[axis] - 1;
  }
}

}  // namespace

Region asked_region(const Demand& demand, const TensorType& type) {
  const Shape& shape = type.shape;
  Index low(shape.begin(), shape.end()), high(shape.size(), -1);
  for (const Group& group : demand.boxes)
    for (const Box& box : group.boxes)
      for (std::size_t axis = 0; axis < shape.size(); ++axis) {
        const Range range = coordinate_range(box, static_cast<std::int32_t>(axis));
        low[axis] = std::min(low[axis], range.low);
        high[axis] = std::max(high[axis], range.high);
      }
  if (!demand.lines.empty()) widen_to_lines(demand, type, low, high);
  Region region{low, Shape(shape.size())};
  for (std::size_t axis = 0; axis < shape.size(); ++axis)
    region.shape[axis] = high[axis] - low[axis] + 1;
  return region;
}

}  // namespace weft

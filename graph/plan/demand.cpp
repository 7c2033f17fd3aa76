// SPDX-License-Identifier: Apache-2.0
// Counting what is asked of a node, and the part of it that is.
#include <weft/graph/plan/demand.h>

#include <algorithm>
#include <iterator>

namespace weft {

namespace {

/// The boxes of a target, or where they belong. Most often that is the last, or behind it.
BoxesByTarget::iterator place_of(BoxesByTarget& all, const WriteTarget& target) {
  if (all.empty() || all.back().target < target) return all.end();
  if (all.back().target == target) return all.end() - 1;
  return std::lower_bound(
      all.begin(), all.end(), target,
      [](const TargetBoxes& own, const WriteTarget& at) { return own.target < at; });
}

}  // namespace

void add_boxes(BoxesByTarget& all, TargetBoxes&& own) {
  if (all.capacity() == 0) all.reserve(1);  // moves nothing, as a first push_back() might
  const auto same = place_of(all, own.target);
  if (same == all.end()) return all.push_back(std::move(own));
  if (same->target != own.target) return void(all.insert(same, std::move(own)));
  append(same->boxes, std::move(own.boxes));
  same->is_merged = false;
}

void add_box(BoxesByTarget& all, const WriteTarget& target, Box box) {
  auto own = place_of(all, target);
  if (own == all.end() || own->target != target)
    own = all.insert(own, {target, Boxes(all.get_allocator()), false});
  own->boxes.push_back(std::move(box));
}

std::size_t count_boxes(const BoxesByTarget& all) {
  std::size_t count = 0;
  for (const TargetBoxes& own : all) count += own.boxes.size();
  return count;
}

namespace {

/// Widens [low, high], the hull of the boxes, to a stretch of rows that also holds the linear ones.
void widen_to_lines(const Demand& demand, const TensorType& type, Index& low, Index& high) {
  const Shape& shape = type.shape;
  Range line{element_count(shape), -1};
  if (!demand.boxes.empty()) line = {linear_index(low, shape), linear_index(high, shape)};
  for (const TargetBoxes& own : demand.linear) {
    const std::int64_t units = type.dtype.size() / own.target.part.unit;
    for (const Box& box : own.boxes) {
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

// Rows of so many elements are long.
constexpr std::int64_t short_row = 128;

/// Rows of which a little is left out become whole: what follows one another is read, computed and
/// written in one run, and an element more costs less than a row that begins.
void keep_rows_whole(const Shape& shape, Region& region) {
  std::size_t outer = 0;  // there is nothing around the first loop to follow on
  while (outer < shape.size() && region.shape[outer] == 1) ++outer;
  std::int64_t run = 1;
  for (std::size_t axis = shape.size(); axis-- > outer + 1 && run < short_row;) {
    std::int64_t& asked = region.shape[axis];
    if (2 * asked <= shape[axis]) return;
    region.origin[axis] = 0;
    asked = shape[axis];
    run *= asked;
  }
}

}  // namespace

Region asked_region(const Demand& demand, const TensorType& type) {
  const Shape& shape = type.shape;
  Index low(shape.begin(), shape.end()), high(shape.size(), -1);
  for (const TargetBoxes& own : demand.boxes)
    for (const Box& box : own.boxes)
      for (std::size_t axis = 0; axis < shape.size(); ++axis) {
        const Range range = coordinate_range(box, static_cast<std::int32_t>(axis));
        low[axis] = std::min(low[axis], range.low);
        high[axis] = std::max(high[axis], range.high);
      }
  if (!demand.linear.empty()) widen_to_lines(demand, type, low, high);
  Region region{low, Shape(shape.size())};
  for (std::size_t axis = 0; axis < shape.size(); ++axis)
    region.shape[axis] = high[axis] - low[axis] + 1;
  keep_rows_whole(shape, region);
  return region;
}

}  // namespace weft

// SPDX-License-Identifier: Apache-2.0
// Factoring linear boxes by the extents of a shape.
#include <weft/graph/plan/linear_order.h>

#include <utility>
#include <vector>

#include <weft/graph/plan/part.h>

namespace weft {
namespace {

class Factoring {
 public:
  Factoring(const TensorType& type, std::size_t most, Arena& arena, Groups& asked)
      : type_(type), most_(most), arena_(arena), asked_(asked) {}

  /// TooManyBoxes.
  void add(const Group& group) {
    const std::int64_t element = type_.dtype.size();
    if (group.goal.part == Part::whole(element)) return add(group.boxes, group.goal);
    Groups parts(&arena_);
    for (const Box& box : group.boxes) {
      std::vector<PartBox> boxes;
      count_in_elements(box, group.goal.part.unit, element, 16 * most_, boxes);
      Goal goal = group.goal;
      for (PartBox& of_part : boxes) {
        goal.part = of_part.part;
        add_box(parts, goal, std::move(of_part.box));
      }
    }
    for (Group& part : parts) {
      merge(part.boxes);
      add(part.boxes, part.goal);
    }
  }

  std::size_t count() const { return count_; }

 private:
  void add(const Boxes& lines, const Goal& goal) {
    const Shape linear{element_count(type_.shape)};
    Boxes pieces(&arena_);
    for (const Box& box : lines) {
      refactor(box, linear, type_.shape, pieces);
      if (pieces.size() > 16 * most_) throw TooManyBoxes();
    }
    for (Box& piece : pieces) canonicalise(piece);
    if (pieces.size() > most_) merge(pieces);
    count_ += pieces.size();
    add_group(asked_, {goal, std::move(pieces), false});
  }

  const TensorType& type_;
  const std::size_t most_;
  Arena& arena_;
  Groups& asked_;
  std::size_t count_ = 0;
};

}  // namespace

std::size_t to_coordinates(const Groups& lines, const TensorType& type, std::size_t most,
                           Arena& arena, Groups& asked) {
  Factoring factoring(type, most, arena, asked);
  try {
    for (const Group& group : lines) factoring.add(group);
  } catch (const TooManyBoxes&) {
    return 0;
  }
  return factoring.count() <= most ? factoring.count() : 0;
}

}  // namespace weft

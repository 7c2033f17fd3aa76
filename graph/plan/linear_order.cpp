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
  Factoring(const TensorType& type, std::size_t most, Arena& arena, BoxesByTarget& asked)
      : type_(type), most_(most), arena_(arena), asked_(asked) {}

  /// TooManyBoxes.
  void add(const TargetBoxes& own) {
    const std::int64_t element = type_.dtype.size();
    if (own.target.part == Part::whole(element)) return add(own.boxes, own.target);
    BoxesByTarget parts(&arena_);
    for (const Box& box : own.boxes) {
      std::vector<PartBox> boxes;
      count_in_elements(box, own.target.part.unit, element, 16 * most_, boxes);
      WriteTarget target = own.target;
      for (PartBox& of_part : boxes) {
        target.part = of_part.part;
        add_box(parts, target, std::move(of_part.box));
      }
    }
    for (TargetBoxes& part : parts) {
      merge(part.boxes);
      add(part.boxes, part.target);
    }
  }

  std::size_t count() const { return count_; }

 private:
  void add(const Boxes& lines, const WriteTarget& target) {
    const Shape linear{element_count(type_.shape)};
    Boxes pieces(&arena_);
    for (const Box& box : lines) {
      refactor(box, linear, type_.shape, pieces);
      if (pieces.size() > 16 * most_) throw TooManyBoxes();
    }
    for (Box& piece : pieces) canonicalise(piece);
    if (pieces.size() > most_) merge(pieces);
    count_ += pieces.size();
    add_boxes(asked_, {target, std::move(pieces), false});
  }

  const TensorType& type_;
  const std::size_t most_;
  Arena& arena_;
  BoxesByTarget& asked_;
  std::size_t count_ = 0;
};

}  // namespace

std::size_t to_coordinates(const BoxesByTarget& lines, const TensorType& type, std::size_t most,
                           Arena& arena, BoxesByTarget& asked) {
  Factoring factoring(type, most, arena, asked);
  try {
    for (const TargetBoxes& own : lines) factoring.add(own);
  } catch (const TooManyBoxes&) {
    return 0;
  }
  return factoring.count() <= most ? factoring.count() : 0;
}

}  // namespace weft

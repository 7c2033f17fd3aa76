// SPDX-License-Identifier: Apache-2.0
// What an op says when a box of its elements is pulled back: which boxes of its operands it needs.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include <weft/graph/map/box.h>

namespace weft {

/// Collects the boxes that one op asks for. Those asked for plainly must be disjoint and together
/// cover what was asked. Where painting is allowed, elements may be asked for below and then again
/// above. Ops append to the lists; boxes need not be canonical.
class PullBack {
 public:
  /// What is asked of one operand.
  struct Asked {
    Boxes plain, below, above;

    explicit Asked(Arena& arena) : plain(&arena), below(&arena), above(&arena) {}
  };

  explicit PullBack(Arena& arena) : arena_(arena), asked_(&arena) {}

  /// Starts anew, for an op of so many operands.
  void reset(std::size_t operands, bool may_paint) {
    asked_.clear();
    asked_.reserve(operands);
    for (std::size_t k = 0; k < operands; ++k) asked_.emplace_back(arena_);
    may_paint_ = may_paint;
    is_painted_ = false;
  }

  Boxes& plain(std::size_t operand) { return with_room(asked_[operand].plain); }
  /// Adds a box, for the op to go on with.
  Box& add(std::size_t operand, const Box& box) { return plain(operand).emplace_back(box); }
  /// Adds a list whole.
  void add(std::size_t operand, Boxes&& boxes) { append(asked_[operand].plain, std::move(boxes)); }

  bool may_paint() const noexcept { return may_paint_; }
  /// Written first, and in part overwritten by what is asked for above.
  Boxes& below(std::size_t operand) { return painted(asked_[operand].below); }
  Boxes& above(std::size_t operand) { return painted(asked_[operand].above); }

  /// An empty list for an op to work in.
  Boxes list() {
    Boxes boxes(&arena_);
    with_room(boxes);
    return boxes;
  }

  auto& asked() noexcept { return asked_; }
  bool is_painted() const noexcept { return is_painted_; }
  std::size_t count() const noexcept {
    std::size_t count = 0;
    for (const Asked& asked : asked_) count += asked.plain.size();
    if (is_painted_)
      for (const Asked& asked : asked_) count += asked.below.size() + asked.above.size();
    return count;
  }
  /// Makes all boxes canonical, and counts them.
  std::size_t finish() {
    for (Asked& asked : asked_)
      for (Box& box : asked.plain) canonicalise(box);
    if (is_painted_)
      for (Asked& asked : asked_)
        for (Boxes* const boxes : {&asked.below, &asked.above})
          for (Box& box : *boxes) canonicalise(box);
    return count();
  }

 private:
  static Boxes& with_room(Boxes& boxes) {
    if (boxes.capacity() == 0) boxes.reserve(5);  // fills a block of the arena
    return boxes;
  }
  Boxes& painted(Boxes& boxes) {
    is_painted_ = true;
    return with_room(boxes);
  }

  Arena& arena_;
  std::vector<Asked, ArenaAllocator<Asked>> asked_;
  bool may_paint_ = false;
  bool is_painted_ = false;
};

}  // namespace weft

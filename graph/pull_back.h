// What an op says when a box of its elements is pulled back: which boxes of its operands it needs.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include <weft/graph/box.h>

namespace weft {

/// Collects the boxes that one op asks for. Boxes added plainly must be disjoint and together cover
/// what was asked. Where painting is allowed, elements may be asked for below and then again above.
class PullBack {
 public:
  /// What is asked of one operand.
  struct Asked {
    Boxes plain, below, above;
  };

  /// Starts anew, for an op of so many operands.
  void reset(std::size_t operands, bool may_paint) {
    asked_.resize(operands);
    for (Asked& asked : asked_) {
      asked.plain.clear();
      asked.below.clear();
      asked.above.clear();
    }
    may_paint_ = may_paint;
    is_painted_ = false;
    count_ = 0;
  }

  void add(std::size_t operand, const Box& box) { add(asked_[operand].plain, box); }
  bool may_paint() const noexcept { return may_paint_; }
  /// Written first, and in part overwritten by what is added above.
  void add_below(std::size_t operand, const Box& box) { paint(asked_[operand].below, box); }
  void add_above(std::size_t operand, const Box& box) { paint(asked_[operand].above, box); }

  std::vector<Asked>& asked() noexcept { return asked_; }
  bool is_painted() const noexcept { return is_painted_; }
  std::size_t count() const noexcept { return count_; }

  /// An empty list with memory that was used before, and giving it back.
  Boxes take() {
    Boxes boxes;
    if (spare_.empty()) {
      boxes.reserve(first_room);
    } else {
      boxes = std::move(spare_.back());
      spare_.pop_back();
    }
    return boxes;
  }
  void recycle(Boxes&& boxes) {
    boxes.clear();
    spare_.push_back(std::move(boxes));
  }

 private:
  // As many boxes as small allocations hold.
  static constexpr std::size_t first_room = 2;

  void add(Boxes& boxes, const Box& box) {
    ++count_;
    if (boxes.capacity() == 0) boxes = take();
    canonicalise(boxes.emplace_back(box));
  }
  void paint(Boxes& boxes, const Box& box) {
    is_painted_ = true;
    add(boxes, box);
  }

  std::vector<Asked> asked_;
  std::vector<Boxes> spare_;
  bool may_paint_ = false;
  bool is_painted_ = false;
  std::size_t count_ = 0;
};

/// A list for an op to work in, empty at first.
class Scratch {
 public:
  explicit Scratch(PullBack& pull) : pull_(pull), boxes_(pull.take()) {}
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() { pull_.recycle(std::move(boxes_)); }
  Boxes& operator*() noexcept { return boxes_; }
  Boxes* operator->() noexcept { return &boxes_; }

 private:
  PullBack& pull_;
  Boxes boxes_;
};

}  // namespace weft

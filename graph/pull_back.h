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

  void add(std::size_t operand, Box box) { add(asked_[operand].plain, std::move(box)); }
  bool may_paint() const noexcept { return may_paint_; }
  /// Written first, and in part overwritten by what is added above.
  void add_below(std::size_t operand, Box box) { paint(asked_[operand].below, std::move(box)); }
  void add_above(std::size_t operand, Box box) { paint(asked_[operand].above, std::move(box)); }

  /// Two empty lists for an op to work in.
  std::pair<Boxes&, Boxes&> scratch() noexcept {
    scratch_[0].clear();
    scratch_[1].clear();
    return {scratch_[0], scratch_[1]};
  }

  std::vector<Asked>& asked() noexcept { return asked_; }
  bool is_painted() const noexcept { return is_painted_; }
  std::size_t count() const noexcept { return count_; }
  /// Takes a list that is done with, to use its memory again.
  void recycle(Boxes&& boxes) {
    boxes.clear();
    spare_.push_back(std::move(boxes));
  }

 private:
  void add(Boxes& boxes, Box box) {
    ++count_;
    if (boxes.capacity() == 0 && !spare_.empty()) {
      boxes = std::move(spare_.back());
      spare_.pop_back();
    }
    canonicalise(boxes.emplace_back(std::move(box)));
  }
  void paint(Boxes& boxes, Box box) {
    is_painted_ = true;
    add(boxes, std::move(box));
  }

  std::vector<Asked> asked_;
  std::vector<Boxes> spare_;
  Boxes scratch_[2];
  bool may_paint_ = false;
  bool is_painted_ = false;
  std::size_t count_ = 0;
};

}  // namespace weft

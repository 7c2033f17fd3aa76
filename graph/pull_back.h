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
  enum class Layer : unsigned char { plain, below, above };
  struct Piece {
    std::size_t operand;
    Layer layer;
    Box box;
  };

  explicit PullBack(bool may_paint) : may_paint_(may_paint) { pieces_.reserve(8); }

  void add(std::size_t operand, Box box) { add(operand, Layer::plain, std::move(box)); }
  bool may_paint() const noexcept { return may_paint_; }
  /// Written first, and in part overwritten by what is added above.
  void add_below(std::size_t operand, Box box) { add(operand, Layer::below, std::move(box)); }
  void add_above(std::size_t operand, Box box) { add(operand, Layer::above, std::move(box)); }

  std::vector<Piece>& pieces() noexcept { return pieces_; }

 private:
  void add(std::size_t operand, Layer layer, Box box) {
    canonicalise(box);
    pieces_.push_back({operand, layer, std::move(box)});
  }

  bool may_paint_;
  std::vector<Piece> pieces_;
};

}  // namespace weft

// SPDX-License-Identifier: Apache-2.0
// Following one box down to memory, and reading strides off it.
#include <weft/graph/plan/strided_operand.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

#include <weft/graph/kinds.h>
#include <weft/graph/map/pull_back.h>
#include <weft/graph/plan/by_kind.h>
#include <weft/graph/plan/multiplied.h>

namespace weft {
namespace {

/// The strides of linear coordinates that a box gives an output of that shape; none where an axis
/// has no single one.
std::optional<Shape> strides_of(const Box& line, const Shape& shape) {
  Shape strides(shape.size(), 0);
  std::int64_t step = 1;
  for (std::size_t axis = shape.size(); axis-- > 0; step *= shape[axis]) {
    if (shape[axis] == 1) continue;
    const auto digit = std::find_if(line.digits.begin(), line.digits.end(), [&](const Digit& each) {
      return !each.table && step >= each.out_stride && step % each.out_stride == 0 &&
             step * shape[axis] <= each.extent * each.out_stride;
    });
    if (digit == line.digits.end()) return {};
    strides[axis] = digit->in_stride * (step / digit->out_stride);
  }
  return strides;
}

/// Whether it is small, or its innermost steps stay within cache lines; else storing it, which
/// turns it by tiles, costs less than reading across lines (2 to 4 times where rows are turned).
bool stays_in_lines(const Shape& strides, const Node& operand) {
  constexpr std::int64_t small_bytes = 16 * 1024, line_bytes = 64;
  std::size_t axis = strides.size();
  while (axis > 0 && operand.shape()[axis - 1] == 1) --axis;
  return axis == 0 || operand.bytes() <= small_bytes ||
         std::abs(strides[axis - 1]) <= line_bytes / operand.dtype().size();
}

class Descent {
 public:
  Descent(const Expression& expression, std::size_t operand, Arena& arena)
      : expression_(expression), at_(operand), arena_(arena), pull_(arena) {
    const Shape& shape = node(operand).shape();
    box_ = dense_box(shape, Index(shape.size(), 0), &tables_);
  }

  std::optional<StridedOperand> run(bool takes_any_strides) {
    const Node& operand = node(at_);
    while (movement(at_)) {
      if (ops_ >= most_ops) return {};
      const std::size_t above = at_;
      const Box whole = box_;
      if (keeps_order(at_) ? through_order() : through_op()) continue;
      // What is smaller than the operand, or asked for by others as well, is stored itself.
      if (ops_ == 0 || is_linear_ ||
          (node(above).count() >= operand.count() && expression_[above].uses == 1))
        return {};
      at_ = above;
      box_ = whole;
      break;
    }
    // What is stored for this must not be more than the operand.
    if (!expression_[at_].is_stored && !by_kind::is_computed(node(at_)) &&
        node(at_).count() > operand.count())
      return {};
    if (!is_linear_) linearise(box_, node(at_).shape());
    canonicalise(box_);
    std::optional<Shape> strides = strides_of(box_, operand.shape());
    if (!strides || (!takes_any_strides && !stays_in_lines(*strides, operand))) return {};
    return StridedOperand{at_, box_.origin[0], *strides};
  }

 private:
  // Each reader follows its operand anew, so a chain that all its links are read through would cost
  // the square of its length. What lies deeper is stored.
  static constexpr int most_ops = 64;

  const Node& node(std::size_t v) const { return *expression_[v].node; }
  void go_to_operand(std::size_t k) {
    at_ = expression_.operand(at_, k);
    ++ops_;
  }

  const Movement* movement(std::size_t v) const {
    if (expression_[v].is_stored) return nullptr;
    const auto* const own = node(v).operation().as<Movement>();
    return own && !own->must_be_stored() ? own : nullptr;
  }
  bool keeps_order(std::size_t v) const { return movement(v) && movement(v)->keeps_order(); }

  /// Reshapes and the like, all at once, of elements of one size.
  bool through_order() {
    linearise(box_, node(at_).shape());
    const std::int64_t element = node(at_).dtype().size();
    while (keeps_order(at_) && ops_ < most_ops) {
      go_to_operand(0);
      if (node(at_).dtype().size() != element) return false;
    }
    is_linear_ = !movement(at_);
    if (is_linear_) return true;
    Boxes pieces(&arena_);
    refactor(box_, {node(at_).count()}, node(at_).shape(), pieces);
    return take(pieces);
  }

  bool through_op() {
    const std::size_t operands = expression_[at_].operand_count;
    pull_.reset(operands, false);
    movement(at_)->pull_back(node(at_).shape(), box_, pull_);
    if (pull_.count() != 1) return false;
    std::size_t k = 0;
    while (pull_.plain(k).empty()) ++k;
    Boxes& source = pull_.plain(k);
    go_to_operand(k);
    return take(source);
  }

  bool take(Boxes& boxes) {
    if (boxes.size() != 1) return false;
    box_ = std::move(boxes[0]);
    canonicalise(box_);
    return true;
  }

  const Expression& expression_;
  std::size_t at_;
  Arena& arena_;
  PullBack pull_;
  Tables tables_;
  Box box_;
  bool is_linear_ = false;
  int ops_ = 0;  // that were gone through
};

}  // namespace

std::optional<StridedOperand> strided_operand(const Expression& expression, std::size_t operand,
                                              Arena& arena, bool takes_any_strides) {
  try {
    return Descent(expression, operand, arena).run(takes_any_strides);
  } catch (const TooManyBoxes&) {
    return {};
  }
}

std::optional<StridedOperand> operand_in_place(const Expression& expression, std::size_t v,
                                               std::size_t operand, Arena& arena) {
  const Operation& operation = expression[v].node->operation();
  const auto* const indexed = operation.as<IndexedMovement>();
  const bool is_product = operation.kind() == Operation::Kind::product;
  const bool takes_any = is_product || operation.kind() == Operation::Kind::reduction;
  if (!takes_any && !(indexed && indexed->reads_strided())) return {};
  std::optional<StridedOperand> found = strided_operand(expression, operand, arena, takes_any);
  const Shape& shape = expression[operand].node->shape();
  if (found && is_product && !is_read_in_place(shape, found->strides)) found.reset();
  return found;
}

}  // namespace weft

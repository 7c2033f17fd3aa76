// SPDX-License-Identifier: Apache-2.0
// Plans of expressions that compute and move nothing.
#pragma once

#include <weft/graph/plan/plan.h>

namespace weft {

/// Elementwise ops of one shape over stored tensors, whose plan is one piece, found without boxes:
/// planning is most of what small ones cost.
class PlainProgram {
 public:
  explicit PlainProgram(const Expression& expression);

  /// Stored vertices: those that are read element by element, and those of one element.
  struct Operands {
    SmallVector<std::uint32_t, 8> reads{}, constants{};
  };

  /// Whether the expression is one.
  bool exists() const { return steps_ > 0; }
  Operands operands() const;
  /// Of such operands, which are its sources in this order.
  PassProgram program(const Operands& operands) const;
  Plan plan(const PlanLimits& limits) const;

 private:
  const Expression& expression_;
  std::size_t stored_ = 0, steps_ = 0;
};

}  // namespace weft

// SPDX-License-Identifier: Apache-2.0
// Slots: the values of passes that compute, while a plan is made.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <weft/graph/expression.h>
#include <weft/graph/plan/demand.h>
#include <weft/graph/plan/plan.h>

namespace weft {

/// So many steps a program has at most, or a few more.
inline constexpr std::size_t most_steps = 100;

/// What a value is computed of: a slot, or the source of a constant.
struct SlotOperand {
  std::size_t number = 0;
  bool is_constant = false;
};

/// How the value of a slot is computed, at all of its positions or at some.
struct SlotDefinition {
  const Instruction* instruction = nullptr;
  SmallVector<SlotOperand, 4> operands{};
};

/// A value for each position, or for some, of a pass that computes. Each has a pass of its own
/// while a plan is made, which what it reads is asked for by, and which counts its positions; that
/// of the result is the pass itself. Where the copies of that pass have none of its positions and
/// no definition but one has any, it has that at all of them.
struct Slot {
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  std::size_t owner = none;  ///< the pass that computes
  DType type = bool_;
  std::int64_t count = 0;                     ///< of its positions
  std::vector<SlotDefinition> definitions{};  ///< none where it is read
  bool may_compute = false;    ///< whether its owner's program can have steps that make it
  std::size_t steps = 0;       ///< of an owner's program
  std::size_t same_as = none;  ///< another slot of the same values
  // Of the program that is being made.
  std::size_t value = none;  ///< its number
  std::size_t choice = 0;    ///< which definition, or behind them what is read
};

/// The slots of a plan, by the passes that stand for them.
class Slots {
 public:
  bool is_empty() const noexcept { return of_.empty(); }
  /// Whether a pass stands for a value that another pass reads.
  bool is_operand(std::size_t pass) const noexcept {
    return pass < of_.size() && of_[pass].owner != Slot::none && of_[pass].owner != pass;
  }
  bool has(std::size_t pass) const noexcept {
    return pass < of_.size() && of_[pass].owner != Slot::none;
  }
  Slot& operator[](std::size_t pass) { return of_[pass]; }
  const Slot& operator[](std::size_t pass) const { return of_[pass]; }
  std::size_t size() const noexcept { return of_.size(); }

  /// A slot for a pass, which has its count.
  Slot& add(std::size_t pass, std::size_t owner, DType type, std::int64_t count);
  /// Of those of one pass that ask for the same elements of a node, all but the first are told
  /// that, and ask no more.
  void find_equal(const std::vector<Pass>& passes, BoxesByTarget& asked);
  /// Whether each of the groups that ask for a vertex, of which so many elements would be stored,
  /// can have a step that computes it: they ask for no more, and the pass of each for it alone, or,
  /// where parts may be computed, for it at some of its positions.
  bool can_define(const std::vector<Pass>& passes, const Expression& expression, std::size_t v,
                  const BoxesByTarget& asked, std::int64_t stored) const;
  void compute_no_parts() { may_compute_parts_ = false; }

 private:
  bool is_same(const std::vector<Pass>& passes, const TargetBoxes& a, const TargetBoxes& b) const;

  std::vector<Slot> of_;
  bool may_compute_parts_ = true;
};

/// How many positions a group asks for.
std::int64_t count_of(const TargetBoxes& asked);

/// Whether a group is all that its pass asks for, in whole elements of so many bytes.
bool is_all_of(const Pass& pass, const TargetBoxes& asked, std::int64_t element);

/// The operation of a vertex that a program can have among its steps, else null.
const Elementwise* step_of(const Expression& expression, std::size_t v);

/// The source of a stored vertex of one element, a new one where the plan has none.
std::size_t source_of_constant(Plan& plan, const Expression& expression, std::size_t v);

/// What computing an element of each vertex takes from what is stored, in nanoseconds; found for
/// all of them when one is asked for.
class StepCosts {
 public:
  explicit StepCosts(const Expression& expression) : expression_(expression) {}
  double of(std::size_t v);

 private:
  const Expression& expression_;
  std::vector<double> costs_;
};

}  // namespace weft

// SPDX-License-Identifier: Apache-2.0
// Passes that compute element by element: what they are made of, and where their operands lie.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <weft/graph/plan/demand.h>
#include <weft/graph/plan/plan.h>

namespace weft {

/// What a value is computed of: a slot, or the source of a constant.
struct SlotOperand {
  std::size_t number = 0;
  bool is_constant = false;
};

/// A value for each position of a pass that computes. Each has a pass of its own while a plan is
/// made, which what it reads is asked for by; that of the result is the pass itself.
struct Slot {
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  std::size_t owner = none;  ///< the pass that computes
  DType type = bool_;
  const Instruction* instruction = nullptr;  ///< none where it is read
  SmallVector<SlotOperand, 4> operands{};
  bool may_compute = false;    ///< whether its owner's program can have steps that make it
  std::size_t steps = 0;       ///< of an owner's program
  std::size_t same_as = none;  ///< another slot of the same values
  std::size_t value = none;    ///< its number in the program, once that is made
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

  /// A slot for a pass.
  Slot& add(std::size_t pass, std::size_t owner, DType type);

 private:
  std::vector<Slot> of_;
};

/// Whether a group is all that its pass asks for, in whole elements of so many bytes.
bool is_all_of(const Pass& pass, const TargetBoxes& asked, std::int64_t element);
/// Whether two groups ask for the same elements at the same positions.
bool is_same(const Boxes& a, const Boxes& b);

/// Gives the passes that compute their programs and pieces: operands are read where the copies of
/// their own passes read them, or, where that makes too many pieces or too short ones, what those
/// passes store. Drops those that nobody reads then, and says which number each pass has now.
/// Throws MemoryError.
std::vector<std::size_t> meet_operands(Plan& plan, Slots& slots, PlanBudget& budget);

}  // namespace weft

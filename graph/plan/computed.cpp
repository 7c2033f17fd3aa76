// SPDX-License-Identifier: Apache-2.0
// Meeting the operands of what is computed.
#include <weft/graph/plan/computed.h>

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include <weft/graph/plan/computed_operand.h>
#include <weft/graph/plan/cut_operands.h>
#include <weft/graph/plan/held_constants.h>
#include <weft/graph/value/error.h>

#ifndef WEFT_CHECK_INVARIANTS
#define WEFT_CHECK_INVARIANTS 0
#endif

namespace weft {
namespace {

// So many pieces are never too many.
constexpr std::int64_t fewest_pieces = 64;
// Where nothing may be stored; fewer where they would take more than what is computed.
constexpr std::size_t most_pieces = std::size_t{1} << 20;
// So many programs a pass has, or ways to find out that one has no pieces.
constexpr std::size_t most_programs = 16;

/// Elements of a piece that lie together in the output.
std::int64_t run_of(const JointBox& piece) {
  std::int64_t run = 1;
  for (std::size_t k = piece.loops.size(); k-- > 0 && piece.loops[k].stride == run;)
    run *= piece.loops[k].extent;
  return run;
}

/// Whether runs are shorter than so many bytes, and they are not few.
bool has_short_runs(const JointBoxes& pieces, std::int64_t element, std::int64_t shortest) {
  std::int64_t runs = 0, count = 0;
  for (const JointBox& piece : pieces) {
    runs += piece.count() / run_of(piece);
    count += piece.count();
  }
  return are_short(runs, count * element, shortest);
}

/// Whether a copy is of data of the output's size, which that may be written over instead.
bool is_of_data(const Plan& plan, const Pass& pass, const Copy& copy) {
  const PlanSource& source = plan.sources[copy.source];
  return source.pass == PlanSource::stored && source.bytes() == pass.bytes();
}

class Meeting {
 public:
  Meeting(Plan& plan, Slots& slots, std::size_t pass, PlanBudget& budget)
      : plan_(plan), slots_(slots), pass_(pass), budget_(budget) {}

  /// False where parts do not fit together.
  bool run(std::vector<bool>& is_dropped) {
    make_program();
    if (!forks_.empty() || !pass().copies.empty() || slots_[pass_].definitions.size() > 1)
      return run_parts();
    run_whole(is_dropped);
    return true;
  }

 private:
  static constexpr std::string_view cuts =
      "it would cut what is computed into many pieces, or short ones";

  Pass& pass() { return plan_.passes[pass_]; }
  PassProgram& program() { return program_; }

  void run_whole(std::vector<bool>& is_dropped) {
    const std::int64_t count = pass().count;
    for (ComputedOperand& operand : operands_)
      if (!operand.has_places(count)) store(operand, cuts);
      else if (operand.can_store() && operand.has_broken_runs())
        store(operand, "it lies in runs that would be read in short parts");
      else if (plan_.limits.may_spend(operand.bytes()) && operand.repeats_parts())
        store(operand, "it repeats several short parts");
      else if (operand.can_store() && operand.is_turned_often())
        store_once(operand, false, "its elements are read often, and not in their order");
      else if (plan_.limits.may_spend(operand.bytes()) && operand.turns_steps())
        store_once(operand, true, "one of some elements is read, and not in their order");
    std::optional<JointBoxes> met = meet_within(budget_of_pieces(), false);
    while (!met) {
      if (ComputedOperand* const worst = worst_operand()) store(*worst, cuts);
      else if (!repeat_stored()) break;
      met = meet_within(budget_of_pieces(), false);
    }
    if (!met && !(met = meet_within(forced_pieces(), true))) give_up();
#if WEFT_CHECK_INVARIANTS
    check_joint(*met, count);
#endif
    std::size_t bytes = 0;
    for (const JointBox& box : *met)
      bytes += sizeof(JointBox) + sizeof(ComputedPiece) + box.loop_bytes();
    budget_.take(bytes);
    add_pieces(*met);
    for (const ComputedOperand& operand : operands_)
      if (operand.is_stored()) is_dropped[operand.pass()] = false;
  }

  /// A program for each way in which values are computed or read that has positions at all; nothing
  /// is stored on the way.
  bool run_parts() {
    const auto is_update = [&](const Copy& copy) { return is_of_data(plan_, pass(), copy); };
    if (pass().element() != slots_[pass_].type.size() ||
        std::any_of(pass().copies.begin(), pass().copies.end(), is_update))
      return false;
    std::size_t left = budget_of_pieces(), ways = 0;
    std::int64_t shortest = run_bytes;
    JointBoxes all;
    do {
      if (++ways > most_programs) return false;
      if (ways > 1) make_program();
      if (operands_.empty() ||
          !std::all_of(operands_.begin(), operands_.end(), [&](const ComputedOperand& operand) {
            return operand.has_places(slots_[operand.pass()].count);
          }))
        return false;
      std::optional<JointBoxes> met = meet_within(left, true);
      if (!met) return false;
      left -= met->size();
      all.insert(all.end(), met->begin(), met->end());
      // Of parts only rows that are short however few elements there are: what parts them is most
      // often an edge.
      if (takes_groups()) shortest = weft::shortest_run(0, pass().element());
      if (!met->empty()) add_pieces(*met);
    } while (next_way());
    std::int64_t count = 0;
    std::size_t bytes = 0;
    for (const JointBox& box : all) {
      count += box.count();
      bytes += sizeof(JointBox) + sizeof(ComputedPiece) + box.loop_bytes();
    }
    budget_.take(bytes);
    return count > 0 && !has_short_runs(all, pass().element(), shortest);
  }

  /// The next choice of definitions, as digits count: the last one found changes first.
  bool next_way() {
    for (; !forks_.empty(); forks_.pop_back()) {
      Slot& slot = slots_[forks_.back()];
      if (++slot.choice < ways_of(forks_.back())) return true;
      slot.choice = 0;
    }
    return false;
  }
  /// What the pass itself copies stays copies.
  std::size_t ways_of(std::size_t slot) const {
    return slots_[slot].definitions.size() +
           (slot != pass_ && !plan_.passes[slot].copies.empty() ? 1 : 0);
  }

  /// Values in an order in which each comes behind its operands: those that are read, constants,
  /// steps.
  void make_program() {
    for (const std::size_t slot : found_) slots_[slot].value = Slot::none;
    found_.clear();
    forks_.clear();
    operands_.clear();
    program_ = {};
    std::vector<std::size_t> steps;
    find_values(pass_, steps);
    PassProgram& made = program_;
    made.reads = operands_.size();
    for (const ComputedOperand& operand : operands_)
      made.types.push_back(slots_[operand.pass()].type);
    for (const std::size_t source : made.constants)
      made.types.push_back(plan_.sources[source].type.dtype);
    made.steps.reserve(steps.size());
    for (const std::size_t slot : steps) {
      slots_[slot].value = made.types.size();
      made.types.push_back(slots_[slot].type);
      const SlotDefinition& definition = slots_[slot].definitions[slots_[slot].choice];
      made.steps.push_back({definition.instruction, {}});
      for (const SlotOperand& operand : definition.operands)
        made.steps.back().operands.push_back(static_cast<std::uint32_t>(value_of(operand)));
    }
  }

  std::size_t same(std::size_t slot) const {
    while (slots_[slot].same_as != Slot::none) slot = slots_[slot].same_as;
    return slot;
  }

  /// As deep as programs are long.
  void find_values(std::size_t slot, std::vector<std::size_t>& steps) {
    found_.push_back(slot);
    if (ways_of(slot) > 1) forks_.push_back(slot);
    if (slots_[slot].choice == slots_[slot].definitions.size()) {
      slots_[slot].value = operands_.size();
      operands_.emplace_back(plan_, slot);
      return;
    }
    slots_[slot].value = Slot::none - 1;  // on the way
    for (const SlotOperand& operand : slots_[slot].definitions[slots_[slot].choice].operands) {
      if (operand.is_constant) add_constant(operand.number);
      else if (const std::size_t of = same(operand.number); slots_[of].value == Slot::none)
        find_values(of, steps);
    }
    steps.push_back(slot);
  }

  void add_constant(std::size_t source) {
    auto& constants = program().constants;
    if (std::find(constants.begin(), constants.end(), source) == constants.end())
      constants.push_back(source);
  }

  std::size_t value_of(const SlotOperand& operand) {
    if (!operand.is_constant) return slots_[same(operand.number)].value;
    const auto& constants = program().constants;
    const auto at = std::find(constants.begin(), constants.end(), operand.number);
    return program().reads + static_cast<std::size_t>(at - constants.begin());
  }

  std::size_t budget_of_pieces() {
    const PlanLimits& limits = plan_.limits;
    if (limits.bytes_per_box == 0) return limits.boxes;
    return std::min(limits.boxes, static_cast<std::size_t>(std::max(
                                      fewest_pieces, pass().bytes() / limits.bytes_per_box)));
  }

  /// Where operands that should be stored may not be.
  std::size_t forced_pieces() {
    const auto worth = static_cast<std::size_t>(pass().bytes()) / sizeof(ComputedPiece);
    return std::min(most_pieces, std::max(plan_.limits.boxes, worth));
  }

  /// None where there would be too many, or more than planning may take.
  std::optional<JointBoxes> meet_within(std::size_t most, bool is_forced) {
    PlanBudget left = budget_;
    std::vector<JointBoxes> pieces;
    for (std::size_t k = 0; k < operands_.size(); ++k) {
      if (left.fitting(1) < operands_[k].piece_bytes()) return {};
      left.take(operands_[k].piece_bytes());
      std::optional<JointBoxes> own = operands_[k].pieces(program().types[k].size());
      if (!own) return {};
      pieces.push_back(std::move(*own));
    }
    if (pieces.empty()) return whole();
    std::optional<JointBoxes> met = meet(pieces, most, left);
    if (met && !is_forced && has_short_runs(*met, pass().element(), shortest_run())) return {};
    return met;
  }

  /// Whether a program computes groups of elements, of which short rows waste a part.
  bool takes_groups() {
    return program().steps.size() > 1 || program().steps[0].instruction->kernel.empty();
  }
  /// In bytes, of the pieces of a pass of one program.
  std::int64_t shortest_run() {
    const std::int64_t bytes = pass().bytes();
    return takes_groups() && plan_.limits.may_spend(bytes)
               ? weft::shortest_run(bytes, pass().element())
               : run_bytes;
  }

  /// Where nothing but constants is read.
  JointBoxes whole() {
    JointBoxes all(1);
    if (pass().count > 1) all[0].loops.push_back({pass().count, 1, {}});
    return all;
  }

  /// The one that cuts most, of those that may be stored.
  ComputedOperand* worst_operand() {
    ComputedOperand* worst = nullptr;
    for (ComputedOperand& operand : operands_) {
      if (operand.is_stored() || !operand.can_store()) continue;
      if (!worst || operand.boxes() > worst->boxes() ||
          (operand.boxes() == worst->boxes() && operand.loops() > worst->loops()))
        worst = &operand;
    }
    return worst;
  }

  /// Periods that do not fit together cut one another.
  bool repeat_stored() {
    bool is_other = false;
    for (ComputedOperand& operand : operands_) is_other |= operand.repeat(pass().type.shape);
    return is_other;
  }

  [[noreturn]] void give_up() {
    for (const ComputedOperand& operand : operands_)
      if (!operand.is_stored()) throw_too_large(operand);
    throw PlanTooLarge();
  }

  void store(ComputedOperand& operand, std::string_view reason) {
    if (!operand.can_store()) throw_too_large(operand);
    operand.store(pass().count, order_beside(operand));
    tell_stored(operand, reason);
  }
  /// The order in which most of the others lie that do not as the result does.
  std::optional<OrderOfOthers> order_beside(const ComputedOperand& operand) const {
    const std::int64_t count = plan_.passes[pass_].count;
    std::vector<std::pair<StoredOrder, std::int64_t>> orders;  // with bytes of an element
    std::int64_t in_order = plan_.passes[pass_].element();
    for (const ComputedOperand& other : operands_) {
      if (&other == &operand || !other.is_one_to_one(count)) continue;
      const std::int64_t element = plan_.passes[other.pass()].element();
      const auto order = other.order(count);
      if (!order) in_order += element;
      else add(*order, element, orders);
    }
    if (orders.empty()) return {};
    const auto most =
        std::max_element(orders.begin(), orders.end(),
                         [](const auto& a, const auto& b) { return a.second < b.second; });
    const std::int64_t own = plan_.passes[operand.pass()].element();
    return OrderOfOthers{most->first, most->second + own > in_order};
  }
  static void add(const StoredOrder& order, std::int64_t bytes,
                  std::vector<std::pair<StoredOrder, std::int64_t>>& to) {
    const auto same =
        std::find_if(to.begin(), to.end(), [&](const auto& each) { return each.first == order; });
    if (same == to.end()) to.push_back({order, bytes});
    else same->second += bytes;
  }
  void store_once(ComputedOperand& operand, bool is_as_source, std::string_view reason) {
    operand.store_once(is_as_source);
    tell_stored(operand, reason);
  }
  void tell_stored(const ComputedOperand& operand, std::string_view reason) {
    const std::size_t k = static_cast<std::size_t>(&operand - operands_.data());
    plan_.passes[operand.pass()].what = op();
    plan_.refusals.push_back(fmt::format("operand {} of {} {} is stored: {}", k, op(),
                                         to_string(pass().type.shape), reason));
  }

  [[noreturn]] void throw_too_large(const ComputedOperand& operand) {
    throw MemoryError(fmt::format(
        "{}: {} bytes of an operand, for shape {}, would have to be stored on the way, at most {} "
        "bytes are allowed",
        op(), operand.bytes(), to_string(pass().type.shape), plan_.limits.stored_bytes));
  }

  std::string_view op() { return program().steps.back().instruction->op; }

  /// Of one more program.
  void add_pieces(JointBoxes& met) {
    const auto number = static_cast<std::uint32_t>(pass().programs.size());
    const std::size_t first = pass().pieces.size();
    pass().pieces.reserve(first + met.size());
    for (JointBox& box : met) {
      ComputedPiece piece{std::move(box), {}, number};
      for (std::size_t k = 0; k < operands_.size(); ++k)
        piece.sources.push_back(operands_[k].source_of(piece.box.first[k]));
      pass().pieces.push_back(std::move(piece));
    }
    hold_constants(plan_.sources, program_, std::span(pass().pieces).subspan(first));
    pass().programs.push_back(std::move(program_));
  }

  Plan& plan_;
  Slots& slots_;
  const std::size_t pass_;
  PlanBudget& budget_;
  PassProgram program_;
  std::vector<ComputedOperand> operands_;
  std::vector<std::size_t> found_, forks_;  // slots of the program, and of those with several ways
};

/// The passes that are left keep their order; the numbers they have then.
std::vector<std::size_t> drop_passes(Plan& plan, const std::vector<bool>& is_dropped) {
  std::vector<std::size_t> number;
  std::size_t kept = 0;
  for (std::size_t p = 0; p < plan.passes.size(); ++p) {
    number.push_back(kept);
    if (is_dropped[p]) continue;
    if (kept != p) plan.passes[kept] = std::move(plan.passes[p]);
    ++kept;
  }
  plan.passes.erase(plan.passes.begin() + static_cast<std::ptrdiff_t>(kept), plan.passes.end());
  for (PlanSource& source : plan.sources)
    if (source.pass != PlanSource::stored) source.pass = number[source.pass];
  return number;
}

}  // namespace

std::optional<std::vector<std::size_t>> meet_operands(Plan& plan, Slots& slots,
                                                      PlanBudget& budget) {
  std::vector<bool> is_dropped(plan.passes.size(), false);
  for (std::size_t p = 0; p < slots.size(); ++p) is_dropped[p] = slots.is_operand(p);
  for (std::size_t p = 0; p < slots.size(); ++p)
    if (slots[p].owner == p && !Meeting(plan, slots, p, budget).run(is_dropped)) return {};
  return drop_passes(plan, is_dropped);
}

}  // namespace weft

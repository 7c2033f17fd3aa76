// SPDX-License-Identifier: Apache-2.0
// Meeting the operands of what is computed.
#include <weft/graph/plan/computed.h>

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <optional>
#include <string_view>
#include <utility>

#include <weft/graph/plan/cut_operands.h>
#include <weft/graph/plan/staging.h>
#include <weft/graph/value/error.h>

#ifndef WEFT_CHECK_INVARIANTS
#define WEFT_CHECK_INVARIANTS 0
#endif

namespace weft {
namespace {

// So many pieces are never too many.
constexpr std::int64_t fewest_pieces = 64;
// Parts of runs that are worth it, too, of operands from so many bytes on.
constexpr std::int64_t broken_run_bytes = 16, broken_from = 16 * 1024;
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

/// Whether elements lie in long runs of the source of which blocks of rows would take short parts:
/// a block has one loop that runs along the source, and here that is short and goes on in another.
/// What stores an operand takes several such loops together.
bool has_broken_runs(const Copy& copy, std::int64_t element) {
  std::int64_t own = 1, run = 1;
  for (bool has_more = true; has_more;) {
    has_more = false;
    for (const Loop& loop : copy.loops) {
      if (loop.src_stride == 0 || loop.out_stride == 1) {
        if (loop.src_stride == 0 || std::abs(loop.src_stride) == 1) return false;
        continue;
      }
      if (std::abs(loop.src_stride) != run || loop.extent == 1) continue;
      if (run == 1) own = loop.extent;
      run *= loop.extent;
      has_more = true;
      break;
    }
  }
  return own * element <= broken_run_bytes && run >= 4 * own;
}

/// Whether a copy is of data of the output's size, which that may be written over instead.
bool is_of_data(const Plan& plan, const Pass& pass, const Copy& copy) {
  const PlanSource& source = plan.sources[copy.source];
  return source.pass == PlanSource::stored && source.bytes() == pass.bytes();
}

/// One operand in the making.
class Operand {
 public:
  Operand(Plan& plan, std::size_t pass)
      : plan_(plan), pass_(pass), reads_(plan.passes[pass].copies) {}

  /// Whether its copies say for each position of so many one place.
  bool has_places(std::int64_t count) const {
    const Pass& pass = plan_.passes[pass_];
    return !pass.is_painted && pass.count == count &&
           std::all_of(reads_.begin(), reads_.end(), [](const Copy& copy) {
             return std::all_of(copy.loops.begin(), copy.loops.end(),
                                [](const Loop& loop) { return loop.is_plain(); });
           });
  }
  /// Whether reading it where it is computed takes longer than storing it.
  bool has_broken_runs() const {
    const std::int64_t element = plan_.passes[pass_].element();
    const auto is_broken = [&](const Copy& copy) { return weft::has_broken_runs(copy, element); };
    return bytes() >= broken_from && std::any_of(reads_.begin(), reads_.end(), is_broken);
  }
  /// Whether blocks would put its elements in order again and again.
  bool is_turned_often() const {
    return reads_.size() == 1 && bytes() >= broken_from &&
           weft::is_turned_often(reads_[0], plan_.passes[pass_].element());
  }
  std::size_t pass() const { return pass_; }
  bool is_stored() const { return is_stored_; }
  bool can_store() const { return bytes() <= plan_.limits.stored_bytes; }
  std::int64_t bytes() const { return plan_.passes[pass_].bytes(); }
  std::size_t boxes() const { return reads_.size(); }
  std::size_t loops() const {
    std::size_t loops = 0;
    for (const Copy& copy : reads_) loops += copy.loops.size();
    return loops;
  }

  /// So many elements are read where its own pass stores them, perhaps in smaller units, in order;
  /// what repeats is stored once.
  void store(std::int64_t count) {
    is_stored_ = true;
    Pass& pass = plan_.passes[pass_];
    if (pass.count == count) times_ = take_repetitions(pass);
    source_ = plan_.sources.size();
    plan_.sources.push_back({nullptr, pass.type, pass.count, pass_});
    read_stored(count);
  }
  /// Each element of the one copy that it has, in the order in which it is read.
  void store_once() {
    is_stored_ = true;
    Pass& pass = plan_.passes[pass_];
    as_read_ = std::exchange(pass.copies, {});
    source_ = plan_.sources.size();
    pass.copies.push_back(gather_first(reads_[0], source_, 0));
    pass.count = pass.copies[0].count();
    pass.type.shape = Shape{pass.count};
    plan_.sources.push_back({nullptr, pass.type, pass.count, pass_});
  }
  /// Stores what repeats as often as it is read; false where nothing does.
  bool repeat(const Shape& shape) {
    Pass& pass = plan_.passes[pass_];
    if (!as_read_.empty()) {
      pass.copies = std::exchange(as_read_, {});
      pass.count = element_count(shape);
    } else if (times_ == 1) {
      return false;
    } else {
      for (Copy& copy : pass.copies) {
        copy.loops.push_back({times_, pass.count, 0});
        std::rotate(copy.loops.begin(), copy.loops.end() - 1, copy.loops.end());
      }
      pass.count *= times_;
    }
    pass.type.shape = shape;
    times_ = 1;
    read_stored(pass.count);
    return true;
  }

  /// What pieces() takes at most.
  std::size_t piece_bytes() const {
    return boxes() * sizeof(JointBox) + loops() * sizeof(JointLoop);
  }
  /// As pieces, in an order of places in which one source follows another.
  std::optional<JointBoxes> pieces(std::int64_t element) {
    sources_.clear();
    JointBoxes pieces;
    for (const Copy& copy : reads_) {
      const std::optional<std::int64_t> first = place_of(copy.source, element);
      if (!first) return {};
      JointBox& piece = pieces.emplace_back();
      piece.offset = copy.out_offset;
      piece.first.push_back(*first + copy.src_offset);
      for (const Loop& loop : copy.loops)
        piece.loops.push_back({loop.extent, loop.out_stride, {JointStep{loop.src_stride}}});
      // Without what repeats between them, loops may go on in one another.
      if (!as_read_.empty()) join_loops(piece);
    }
    return pieces;
  }

  /// The source that has that place, which becomes one in it.
  std::size_t source_of(std::int64_t& place) const {
    auto at = std::upper_bound(sources_.begin(), sources_.end(), place,
                               [](std::int64_t p, const Stretch& source) { return p < source.x; });
    --at;
    place -= at->x;
    return static_cast<std::size_t>(at->value);
  }

 private:
  void read_stored(std::int64_t count) {
    const Pass& pass = plan_.passes[pass_];
    const std::int64_t once = count / times_;
    Copy all{source_, 0, 0, 0, {}};
    if (times_ > 1) all.loops.push_back({times_, once, 0});
    if (once > 1) all.loops.push_back({once, 1, 1});
    plan_.sources[source_] = {nullptr, pass.type, pass.count, pass_};
    reads_ = {all};
  }

  /// How often a pass writes the same, one after another; then it writes that once.
  static std::int64_t take_repetitions(Pass& pass) {
    if (pass.is_painted || pass.copies.empty() || pass.copies[0].loops.empty()) return 1;
    const std::int64_t times = pass.copies[0].loops[0].extent, count = pass.count / times;
    const auto repeats = [&](const Copy& copy) {
      if (copy.loops.empty() || copy.out_offset >= count) return false;
      const Loop& outer = copy.loops[0];
      return outer.is_repetition() && outer.extent == times && outer.out_stride == count;
    };
    if (count * times != pass.count ||
        !std::all_of(pass.copies.begin(), pass.copies.end(), repeats))
      return 1;
    for (Copy& copy : pass.copies) copy.loops.erase(copy.loops.begin());
    pass.count = count;
    pass.type.shape = Shape{count};
    return times;
  }

  /// Where the source begins; none beyond what can be counted.
  std::optional<std::int64_t> place_of(std::size_t source, std::int64_t element) {
    for (const Stretch& known : sources_)
      if (known.value == static_cast<std::int64_t>(source)) return known.x;
    const std::int64_t begin = sources_.empty() ? 0 : sources_.back().x + sources_.back().count;
    const std::int64_t count = plan_.sources[source].bytes() / element;
    if (begin > max_bytes - count) return {};
    sources_.push_back({begin, static_cast<std::int64_t>(source), count});
    return begin;
  }

  Plan& plan_;
  std::size_t pass_;
  std::vector<Copy> reads_;
  bool is_stored_ = false;
  std::int64_t times_ = 1;        // that what is stored is read, one after another
  std::vector<Copy> as_read_;     // of what is stored once, before
  std::size_t source_ = 0;        // where it is
  std::vector<Stretch> sources_;  // x: the first place of each
};

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
  static constexpr std::string_view cuts = "it would cut what is computed into too many pieces";

  Pass& pass() { return plan_.passes[pass_]; }
  PassProgram& program() { return program_; }

  void run_whole(std::vector<bool>& is_dropped) {
    const std::int64_t count = pass().count;
    for (Operand& operand : operands_)
      if (!operand.has_places(count)) store(operand, cuts);
      else if (operand.can_store() && operand.has_broken_runs())
        store(operand, "it lies in runs that would be read in short parts");
      else if (operand.can_store() && operand.is_turned_often()) store_once(operand);
    std::optional<JointBoxes> met = meet_within(budget_of_pieces(), false);
    while (!met) {
      if (Operand* const worst = worst_operand()) store(*worst, cuts);
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
    for (const Operand& operand : operands_)
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
    JointBoxes all;
    do {
      if (++ways > most_programs) return false;
      if (ways > 1) make_program();
      if (operands_.empty() ||
          !std::all_of(operands_.begin(), operands_.end(), [&](const Operand& operand) {
            return operand.has_places(slots_[operand.pass()].count);
          }))
        return false;
      std::optional<JointBoxes> met = meet_within(left, true);
      if (!met) return false;
      left -= met->size();
      all.insert(all.end(), met->begin(), met->end());
      if (!met->empty()) add_pieces(*met);
    } while (next_way());
    std::int64_t count = 0;
    std::size_t bytes = 0;
    for (const JointBox& box : all) {
      count += box.count();
      bytes += sizeof(JointBox) + sizeof(ComputedPiece) + box.loop_bytes();
    }
    budget_.take(bytes);
    return count > 0 && !has_short_runs(all, pass().element(), run_bytes);
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
    for (const Operand& operand : operands_) made.types.push_back(slots_[operand.pass()].type);
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
    if (met && !is_forced && has_short_runs(*met, pass().element(), shortest())) return {};
    return met;
  }

  /// In bytes, of the pieces of a pass of one program.
  std::int64_t shortest() {
    const bool takes_groups =
        program().steps.size() > 1 || program().steps[0].instruction->kernel.empty();
    return takes_groups ? shortest_run(pass().bytes(), pass().element()) : run_bytes;
  }

  /// Where nothing but constants is read.
  JointBoxes whole() {
    JointBoxes all(1);
    if (pass().count > 1) all[0].loops.push_back({pass().count, 1, {}});
    return all;
  }

  /// The one that cuts most, of those that may be stored.
  Operand* worst_operand() {
    Operand* worst = nullptr;
    for (Operand& operand : operands_) {
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
    for (Operand& operand : operands_) is_other |= operand.repeat(pass().type.shape);
    return is_other;
  }

  [[noreturn]] void give_up() {
    for (const Operand& operand : operands_)
      if (!operand.is_stored()) throw_too_large(operand);
    throw PlanTooLarge();
  }

  void store(Operand& operand, std::string_view reason) {
    if (!operand.can_store()) throw_too_large(operand);
    operand.store(pass().count);
    tell_stored(operand, reason);
  }
  void store_once(Operand& operand) {
    operand.store_once();
    tell_stored(operand, "its elements are read often, and not in their order");
  }
  void tell_stored(const Operand& operand, std::string_view reason) {
    const std::size_t k = static_cast<std::size_t>(&operand - operands_.data());
    plan_.passes[operand.pass()].what = op();
    plan_.refusals.push_back(fmt::format("operand {} of {} {} is stored: {}", k, op(),
                                         to_string(pass().type.shape), reason));
  }

  [[noreturn]] void throw_too_large(const Operand& operand) {
    throw MemoryError(fmt::format(
        "{}: {} bytes of an operand, for shape {}, would have to be stored on the way, at most {} "
        "bytes are allowed",
        op(), operand.bytes(), to_string(pass().type.shape), plan_.limits.stored_bytes));
  }

  std::string_view op() { return program().steps.back().instruction->op; }

  /// Of one more program.
  void add_pieces(JointBoxes& met) {
    const auto number = static_cast<std::uint32_t>(pass().programs.size());
    pass().programs.push_back(std::move(program_));
    pass().pieces.reserve(pass().pieces.size() + met.size());
    for (JointBox& box : met) {
      ComputedPiece piece{std::move(box), {}, number};
      for (std::size_t k = 0; k < operands_.size(); ++k)
        piece.sources.push_back(operands_[k].source_of(piece.box.first[k]));
      pass().pieces.push_back(std::move(piece));
    }
  }

  Plan& plan_;
  Slots& slots_;
  const std::size_t pass_;
  PlanBudget& budget_;
  PassProgram program_;
  std::vector<Operand> operands_;
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

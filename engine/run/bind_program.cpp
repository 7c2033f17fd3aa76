// SPDX-License-Identifier: Apache-2.0
// Binding programs: one value is in registers; what is used more than once, or has to wait, is put
// aside.
#include <weft/engine/run/bind_program.h>

#include <algorithm>

#include <weft/engine/kernels/compute/array_links.h>
#include <weft/engine/run/kept_bits.h>
#include <weft/graph/value/error.h>

namespace weft {
namespace {

using Value = std::uint32_t;

std::size_t number_of(DType type) { return static_cast<std::size_t>(type.kind()); }

const LinkTable& links_of(const Instruction& instruction) {
  return instruction.links(instruction.entry);
}

/// The type of the operands that decides which links an instruction has.
DType type_of(const PassProgram& program, const PassProgram::Step& step) {
  return program.types[step.operands[step.instruction->lead]];
}

std::int64_t widest_lane(Width width) { return std::int64_t{1} << static_cast<int>(width); }

/// Whether there are links of a width for all its values and steps.
bool has_links(Width width, const PassProgram& program) {
  const CoreLinks& core = core_links(width);
  const auto has_type = [&](DType type) { return core.load[number_of(type)] != nullptr; };
  const auto has_step = [&](const PassProgram::Step& step) {
    const auto lanes = static_cast<std::size_t>(core.lanes[number_of(type_of(program, step))]);
    return step.instruction->is_cast || links_of(*step.instruction).run[lanes];
  };
  return std::all_of(program.types.begin(), program.types.end(), has_type) &&
         std::all_of(program.steps.begin(), program.steps.end(), has_step);
}

/// The narrowest that there are links for.
Width width_of(const PassProgram& program) {
  std::int64_t widest = 1;
  for (const DType type : program.types) widest = std::max(widest, type.size());
  if (widest == 8) return Width::wide;
  for (const Width width : {Width::byte, Width::half})
    if (widest <= widest_lane(width) && has_links(width, program)) return width;
  return Width::word;
}

constexpr std::uint16_t no_place = static_cast<std::uint16_t>(-1);

/// Of a value.
struct Known {
  std::uint32_t uses = 0;  // that are left
  std::uint16_t place = no_place;
};

class Binder {
 public:
  Binder(const PassProgram& program, bool asks, BoundProgram& bound)
      : program_(program),
        width_(width_of(program)),
        core_(core_links(width_)),
        asks_(asks),
        bound_(bound),
        values_(program.types.size()) {
    for (const PassProgram::Step& step : program.steps)
      for (const Value operand : step.operands) ++values_[operand].uses;
    bound_.links.reserve(2 * program.first_step() + 2 * program.steps.size() + 4);
    bound_.core = &core_;
    bound_.slot_bytes = core_.group * widest_lane(width_);
    for (std::size_t k = 0; k < program.first_step(); ++k) {
      (k < program.reads ? bound_.read_bytes : bound_.constant_bytes)
          .push_back(program.types[k].size());
      if (k < program.reads) {
        bound_.read_types.push_back(static_cast<std::uint8_t>(type(static_cast<Value>(k))));
        bound_.is_at_hand.push_back(false);
      }
      values_[k].place = static_cast<std::uint16_t>(k);
    }
  }

  void run() {
    const auto last = static_cast<Value>(program_.types.size() - 1);
    const DType type = program_.types[last];
    if (asks_) bound_.asks = program_.reads;
    for (Value k = 0; k < bound_.asks; ++k) add(core_.ask[this->type(k)]);
    make_constants();
    make(last, true);
    bound_.result = bound_.links.size();
    bound_.stream = core_.stream[number_of(type)];
    bound_.store_row = core_.store_row[number_of(type)];
    bound_.result_bytes = type.size();
    add(core_.store[number_of(type)], static_cast<std::uint16_t>(bound_.result_place()));
    add(core_.end);
    // Behind those of what is put aside, which was not known before.
    for (std::size_t k = 0; k < bound_.asks; ++k)
      bound_.links[k].places[0] = static_cast<std::uint16_t>(bound_.result_place() + 1 + k);
  }

 private:
  void add(Link::Run link, std::uint16_t first = 0, std::uint16_t second = 0) {
    if (!link) throw InternalError("a program has a step that no link carries out");
    bound_.links.push_back({link, {first, second}});
  }
  /// Elements of a type where they lie.
  void add_load(std::size_t type, Value from) {
    add(core_.load[type], values_[from].place);
    bound_.links.back().loads = static_cast<std::uint8_t>(type);
  }
  /// For a link that finds it there.
  std::uint16_t place_at_hand(Value value) {
    const std::uint16_t place = values_[value].place;
    if (place < program_.reads) bound_.is_at_hand[place] = true;
    return place;
  }

  void make_constants() {
    for (Value k = static_cast<Value>(program_.reads); k < program_.first_step(); ++k)
      if (!core_.is_plain[type(k)]) {
        bound_.prelude.push_back({core_.load[type(k)], {values_[k].place, 0}});
        bound_.prelude.push_back({core_.store_lanes[type(k)], {values_[k].place, 0}});
      }
    if (!bound_.prelude.empty()) bound_.prelude.push_back({core_.end, {}});
  }

  bool is_constant(Value value) const { return value >= program_.reads && !is_step(value); }
  bool is_step(Value value) const { return value >= program_.first_step(); }
  std::size_t type(Value value) const { return number_of(program_.types[value]); }
  /// Whether a link finds the value in a place, as lanes.
  bool is_at_hand(Value value) const {
    return values_[value].place != no_place && (is_lanes(value) || core_.is_plain[type(value)]);
  }
  bool is_lanes(Value value) const { return is_slot(value) || is_constant(value); }
  bool is_slot(Value value) const {
    return values_[value].place != no_place && values_[value].place >= program_.first_step();
  }

  /// Into registers. What is stored next, as elements or as their bits, is wrapped or rounded then.
  void make(Value value, bool is_stored = false) {
    if (is_lanes(value)) return add(core_.load_lanes[type(value)], values_[value].place);
    if (!is_step(value)) return add_load(type(value), value);
    const PassProgram::Step& step = program_.steps[value - program_.first_step()];
    const Instruction& instruction = *step.instruction;
    if (instruction.is_cast) add_cast(step, value);
    else add_step(step, program_.types[value] == bool_);
    for (const Value operand : step.operands) release(operand);
    const bool is_narrowed = core_.narrow[type(value)] && !is_stored && !fits(step, value);
    if (is_narrowed) add(core_.narrow[type(value)]);
    if (values_[value].uses > 1) {
      values_[value].place = take_slot();
      add(core_.keep[type(value)], values_[value].place);
    }
  }

  /// Into a place, where links find it.
  void put_at_hand(Value value) {
    if (is_at_hand(value)) return;
    make(value);
    if (is_step(value) && is_slot(value)) bound_.links.pop_back();  // it was kept, and goes on
    else values_[value].place = take_slot();
    add(core_.store_lanes[type(value)], values_[value].place);
  }

  void add_cast(const PassProgram::Step& step, Value value) {
    const Value from = step.operands[0];
    if (step.instruction == &from_bits && !is_step(from) && !is_lanes(from))
      return add_load(type(value), from);  // anew
    make(from, step.instruction == &to_bits && values_[from].uses == 1);
    if (const Link::Run cast = cast_of(step, value)) add(cast);
  }
  Link::Run cast_of(const PassProgram::Step& step, Value value) const {
    const std::size_t from = type(step.operands[0]), to = type(value);
    if (step.instruction == &to_bits && core_.to_bits[from]) return core_.to_bits[from];
    if (step.instruction == &from_bits && core_.from_bits[to]) return core_.from_bits[to];
    return core_.cast[from][to];
  }

  /// Whether what was cast, or moved, is a value of its type already.
  bool fits(const PassProgram::Step& step, Value value) const {
    if (step.instruction->moves || step.instruction == &from_bits) return true;
    if (!step.instruction->is_cast) return false;
    const DType from = program_.types[step.operands[0]], to = program_.types[value];
    if (from == bool_ || !to.is_integer()) return from == bool_;
    if (!from.is_integer()) return true;  // clamped
    return from.size() < to.size() && (to.is_signed_integer() || !from.is_signed_integer());
  }

  void add_step(const PassProgram::Step& step, bool makes_bool) {
    const Instruction& instruction = *step.instruction;
    const LinkTable& links = links_of(instruction);
    const std::size_t count = step.operands.size();
    const auto operand = [&](std::size_t k) {
      const std::size_t at = instruction.lead + k;
      return step.operands[at < count ? at : at - count];
    };
    const auto lanes = static_cast<std::size_t>(core_.lanes[type(operand(0))]);
    if (count == 2 && operand(0) == operand(1) && links.with_itself[lanes]) {
      --values_[operand(0)].uses;  // the two are one
      make(operand(0));
      ++values_[operand(0)].uses;
      return add(links.with_itself[lanes]);
    }
    for (const std::size_t k : {std::size_t{1}, std::size_t{0}}) {
      const Link::Run constant = (k == 1 ? links.by_constant : links.of_constant)[lanes];
      if (count != 2 || !constant || !is_constant(operand(k))) continue;
      make(operand(1 - k));
      return add(constant, values_[operand(k)].place);
    }
    if (count == 2 && links.reversed[lanes] && !is_at_hand(operand(1)) && is_at_hand(operand(0))) {
      make(operand(1));
      return add(links.reversed[lanes], place_at_hand(operand(0)));
    }
    for (std::size_t k = 1; k < count; ++k) put_at_hand(operand(k));
    make(operand(0));
    const LinkTable& run = instruction.is_of_arrays ? array_links(makes_bool) : links;
    add(run.run[lanes], count > 1 ? place_at_hand(operand(1)) : std::uint16_t{0},
        count > 2 ? place_at_hand(operand(2)) : std::uint16_t{0});
    if (!instruction.is_of_arrays) return;
    add(links.run[lanes], static_cast<std::uint16_t>(count));
    bound_.calls_functions = true;
  }

  std::uint16_t take_slot() {
    if (!free_.empty()) {
      const std::uint16_t slot = free_.back();
      free_.pop_back();
      return slot;
    }
    return static_cast<std::uint16_t>(program_.first_step() + bound_.slots++);
  }
  void release(Value value) {
    if (--values_[value].uses == 0 && is_slot(value)) free_.push_back(values_[value].place);
  }

  const PassProgram& program_;
  const Width width_;
  const CoreLinks& core_;
  const bool asks_;
  BoundProgram& bound_;
  SmallVector<Known, 16> values_;
  SmallVector<std::uint16_t, 8> free_;
};

}  // namespace

BoundProgram bind_program(const PassProgram& program, bool asks) {
  BoundProgram bound;
  if (keeps_bits(program)) Binder(with_bits(program), asks, bound).run();
  else Binder(program, asks, bound).run();
  return bound;
}

}  // namespace weft

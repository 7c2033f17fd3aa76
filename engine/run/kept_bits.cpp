// SPDX-License-Identifier: Apache-2.0
// Each value of such a type is there as bits, as a number, or both.
#include <weft/engine/run/kept_bits.h>

#include <algorithm>

namespace weft {
namespace {

using Value = std::uint32_t;
constexpr Value none = static_cast<Value>(-1);

bool is_made_anew(DType type) { return type == bool_ || type == f16 || type == bf16; }
DType type_of_bits(DType type) { return type == bool_ ? u8 : u16; }

bool is_kept(const PassProgram& program, std::size_t step) {
  return program.steps[step].instruction->moves &&
         is_made_anew(program.types[program.first_step() + step]);
}

class Rewriting {
 public:
  explicit Rewriting(const PassProgram& program)
      : program_(program), number_(program.types.size(), none), bits_(number_) {
    made_.reads = program.reads;
    made_.constants = program.constants;
  }

  PassProgram run() {
    for (Value value = 0; value < program_.first_step(); ++value)
      add(value, is_taken_as_it_is(value));
    for (std::size_t s = 0; s < program_.steps.size(); ++s) {
      const PassProgram::Step& step = program_.steps[s];
      const bool keeps = is_kept(program_, s);
      PassProgram::Step same{step.instruction, {}};
      for (std::size_t k = 0; k < step.operands.size(); ++k)
        same.operands.push_back(keeps && k >= step.instruction->lead
                                    ? found(bits_, number_, step.operands[k], true)
                                    : found(number_, bits_, step.operands[k], false));
      made_.steps.push_back(std::move(same));
      add(static_cast<Value>(program_.first_step() + s), keeps);
    }
    return std::move(made_);
  }

 private:
  bool is_taken_as_it_is(Value value) const {
    for (std::size_t s = 0; s < program_.steps.size(); ++s) {
      const PassProgram::Step& step = program_.steps[s];
      if (is_kept(program_, s) && std::find(step.operands.begin() + step.instruction->lead,
                                            step.operands.end(), value) != step.operands.end())
        return true;
    }
    return false;
  }

  /// A value, as the last of those that are made.
  void add(Value value, bool is_bits) {
    (is_bits ? bits_ : number_)[value] = static_cast<Value>(made_.types.size());
    made_.types.push_back(is_bits ? type_of_bits(program_.types[value]) : program_.types[value]);
  }

  /// Which it is as bits, or as a number: made of the other where it is not there yet.
  Value found(std::vector<Value>& in, const std::vector<Value>& other, Value value, bool is_bits) {
    if (in[value] == none) {
      made_.steps.push_back({is_bits ? &to_bits : &from_bits, {other[value]}});
      add(value, is_bits);
    }
    return in[value];
  }

  const PassProgram& program_;
  PassProgram made_{};
  std::vector<Value> number_, bits_;  // of each value, or none
};

}  // namespace

constinit const Instruction to_bits{.op = "to_bits", .compute = nullptr, .is_cast = true};
constinit const Instruction from_bits{.op = "from_bits", .compute = nullptr, .is_cast = true};

bool keeps_bits(const PassProgram& program) {
  for (std::size_t s = 0; s < program.steps.size(); ++s)
    if (is_kept(program, s)) return true;
  return false;
}

PassProgram with_bits(const PassProgram& program) { return Rewriting(program).run(); }

}  // namespace weft

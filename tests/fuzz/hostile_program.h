// SPDX-License-Identifier: Apache-2.0
// Hostile programs as data: calls of any op by arguments that mostly make sense, and what is said
// of the inputs before they are known.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <weft/graph/op.h>

namespace weft::testing {

/// An input, or what a call makes.
struct HostileRef {
  bool is_call;
  std::size_t index;
};

/// A literal, or a value.
struct HostileParameter {
  Argument literal;
  bool is_value = false;
  HostileRef value{false, 0};
};

struct HostileCall {
  const Op* op;
  std::vector<HostileRef> operands;
  std::vector<HostileParameter> parameters;
};

struct HostileInput {
  Tensor value;        ///< stored
  PartialShape shape;  ///< what the placeholder says, rightly as a rule
};

struct HostileProgram {
  std::vector<HostileInput> inputs;
  std::vector<HostileCall> calls;  ///< of inputs and of calls before
};

/// A piece of a random graph, of 1 to 6 calls, with some of its arguments changed, and opened here
/// and there. Made from the seed alone.
HostileProgram hostile_program(std::uint64_t seed);

/// Other values that the same placeholders allow, as a rule: of other extents where those are open,
/// and with other numbers.
std::vector<Tensor> other_inputs(const HostileProgram& program, std::uint64_t seed);

/// Whether the placeholders allow these values.
bool fit(const HostileProgram& program, const std::vector<Tensor>& values);

/// One input or call a line, with the values of small inputs.
std::string to_string(const HostileProgram& program);

}  // namespace weft::testing

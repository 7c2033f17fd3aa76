// SPDX-License-Identifier: Apache-2.0
// A recording: the calls that a program makes, as a list that refers to values by number.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <weft/graph/op.h>
#include <weft/graph/value/partial_shape.h>

namespace weft {

/// Values are numbered: inputs first, then constants, then what the calls make, in their order.
struct Recording {
  using Number = std::uint32_t;

  struct Input {
    DType dtype;
    PartialShape shape;
    std::string name;
    bool is_parameter = false;  ///< some parameter of some call depends on its value
    friend bool operator==(const Input&, const Input&) = default;
  };
  /// A literal, or the value of that number.
  struct Parameter {
    static constexpr Number literal = static_cast<Number>(-1);
    Argument value;
    Number number = literal;
  };
  struct Call {
    const Op* op;
    std::vector<Number> operands;
    std::vector<Parameter> parameters;
    DType dtype;
    PartialShape shape;
  };

  std::vector<Input> inputs;
  std::vector<Tensor> constants;
  std::vector<Call> calls;
  std::vector<Number> outputs;

  std::size_t values() const { return inputs.size() + constants.size() + calls.size(); }
};

/// What the outputs make of the placeholders. Throws ParameterError (bad_placeholder) where
/// something that is not a placeholder is given as one, or one is given twice or missing.
Recording record(const std::vector<Tensor>& placeholders, const std::vector<Tensor>& outputs);

/// Finds the inputs that parameters depend on.
void mark_parameters(Recording& recording);

/// The same calls of the same inputs and constants of the same bytes. Evaluates constants.
bool is_same(const Recording& a, const Recording& b);

/// One value a line: "%2 = roll(%0, shift=%1, axes=[0])  f32 [batch, 3]".
std::string to_string(const Recording& recording);

}  // namespace weft

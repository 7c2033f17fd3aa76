// SPDX-License-Identifier: Apache-2.0
// The ops of conformance cases, built through the table of ops.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include <weft/graph/tensor.h>

namespace weft::conformance {

/// weft's name of the op that cases call `name`, whether it exists or not.
std::string op_name(const std::string& name);

/// Whether an op of that name, as cases call it, exists here.
bool is_known_op(const std::string& name);

/// In which form what a record spells out is handed to an op.
struct Forms {
  std::function<Ints(const Ints&)> parameter;
  std::function<Tensor(const Tensor&)> tensor;  ///< an index, or the value of a pad
  /// The shape that an operand will have, also where it is open.
  std::function<Shape(const Tensor&)> shape;
};

/// The tensor that the op record `record` makes of its operands.
Tensor build_op(const nlohmann::json& record, const std::vector<Tensor>& operands,
                const Forms& forms);

}  // namespace weft::conformance

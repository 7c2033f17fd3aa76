// The ops of conformance cases, built through the public API.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <vector>

#include <weft/graph/tensor.h>

namespace weft::conformance {

/// Whether an op of that name exists here.
bool is_known_op(const std::string& name);

/// In which form a parameter is handed to an op.
using Form = std::function<Ints(const Ints&)>;

/// The tensor that the op record `op` makes of its operands.
Tensor build_op(const nlohmann::json& op, const std::vector<Tensor>& operands, const Form& form);

}  // namespace weft::conformance

// SPDX-License-Identifier: Apache-2.0
// From an op record to a call of the op of that name, and what the two spell differently.
#include "case_ops.h"

#include <map>
#include <stdexcept>

#include <weft/ops/op_table.h>
#include <weft/weft.h>

#include "fill.h"
#include "parameter_tensor.h"

namespace weft::conformance {
namespace {

using Json = nlohmann::json;

/// Where names differ from weft's.
const std::map<std::string_view, std::string_view> weft_names = {
    {"broadcast", "broadcast_to"}, {"gather", "take"}, {"unsqueeze", "expand_dims"}};

/// The key of a parameter's element type, where it is not the parameter's name and "_t".
const std::map<std::string_view, std::string_view> type_keys = {
    {"start", "ind_t"}, {"step", "ind_t"}, {"stop", "ind_t"}};

/// Operands that are no values of a case: records spell them out.
constexpr Op::Names spelled_out = {"indices", "lengths", "value"};

std::int64_t integer(const Json& value) {
  if (value.is_number_unsigned())
    return static_cast<std::int64_t>(value.get<std::uint64_t>());  // the bits of a large u64
  return value.get<std::int64_t>();
}

/// A bare integer is a scalar, an array a list, a nested array of rank 2; absent is none.
Ints ints(const Json& record, std::string_view name) {
  const std::string key(name);
  if (!record.contains(key) || record.at(key).is_null()) return none;
  const Json& value = record.at(key);
  const auto found = type_keys.find(name);
  const std::string type_key(found == type_keys.end() ? key + "_t" : found->second);
  const DType dtype = record.contains(type_key) ? dtype_named(record.at(type_key)) : i64;
  std::vector<std::int64_t> values;
  int rank = 0;
  if (!value.is_array()) {
    values.push_back(integer(value));
  } else {
    rank = 1;
    for (const Json& entry : value) {
      if (!entry.is_array()) {
        values.push_back(integer(entry));
        continue;
      }
      rank = 2;
      for (const Json& inner : entry) values.push_back(integer(inner));
    }
  }
  return Ints(dtype, rank, values);
}

/// An operand that the record spells out. Numbers become elements of the first operand's type;
/// lists have the shape that the record gives, or indices that of the last operand, the updates.
Tensor spelled_operand(const Json& record, std::string_view name,
                       const std::vector<Tensor>& operands, const Forms& forms) {
  if (name == "value")
    return make_scalar(operands.at(0).dtype(),
                       record.contains("value") ? integer(record.at("value")) : 0);
  const Tensor list = parameter_tensor(ints(record, name));
  if (name != "indices") return list;
  return list
      .reshape(record.contains("indices_shape") ? ints(record, "indices_shape")
                                                : forms.shape(operands.back()))
      .eval();
}

/// What a record leaves out.
std::string default_text(const Op& op, std::string_view name) {
  for (const ArgumentInfo& argument : op.arguments)
    if (argument.name == name && argument.otherwise.kind() == Default::Kind::text)
      return std::string(argument.otherwise.text());
  throw std::invalid_argument("the record lacks " + std::string(name));
}

}  // namespace

std::string op_name(const std::string& name) {
  const auto found = weft_names.find(name);
  return found == weft_names.end() ? name : std::string(found->second);
}

bool is_known_op(const std::string& name) { return op_named(op_name(name)) != nullptr; }

Tensor build_op(const Json& record, const std::vector<Tensor>& operands, const Forms& forms) {
  const Op& op = *op_named(op_name(record.at("op")));
  Arguments arguments;
  std::size_t taken = 0;
  for (std::size_t k = 0; k < op.operands.size(); ++k) {
    const bool is_spelled = spelled_out.contains(op.operands[k]);
    arguments.operands.push_back(
        is_spelled ? forms.tensor(spelled_operand(record, op.operands[k], operands, forms))
                   : operands.at(taken++));
  }
  while (op.is_variadic && taken < operands.size()) arguments.operands.push_back(operands[taken++]);
  if (taken != operands.size()) throw std::invalid_argument("the record has too many operands");
  for (std::size_t k = 0; k < op.parameters.size(); ++k) {
    const std::string name(op.parameters[k]);
    if (op.texts.contains(name))
      arguments.parameters.emplace_back(record.contains(name) ? record.at(name).get<std::string>()
                                                              : default_text(op, name));
    else arguments.parameters.emplace_back(forms.parameter(ints(record, name)));
  }
  return op.build(arguments);
}

}  // namespace weft::conformance

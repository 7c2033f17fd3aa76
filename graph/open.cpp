// SPDX-License-Identifier: Apache-2.0
// Deferring calls, and telling early what is wrong with them.
#include <weft/graph/open.h>

#include <bit>
#include <fmt/format.h>

#include <weft/graph/define.h>
#include <weft/graph/value/error.h>

namespace weft {
namespace {

/// The only shape that fits, or one with the right rank that nobody may ask for.
Shape shape_or_zeros(const PartialShape& shape) {
  return shape.is_closed() ? shape.lowest() : Shape(shape.rank(), 0);
}

/// The tensor of such an operation, which is made of the shape and the other arguments.
template <class Own, class... Arguments>
Tensor open_tensor(DType dtype, PartialShape shape, NodeInputs inputs, Arguments&&... arguments) {
  const Node::Known known = shape.is_closed()  ? Node::Known::shape
                            : shape.has_rank() ? Node::Known::rank
                                               : Node::Known::type;
  TensorType type{dtype, shape_or_zeros(shape)};
  return make_tensor<NodeOf<Own>>(known, std::move(type), std::move(inputs), std::move(shape),
                                  std::forward<Arguments>(arguments)...);
}

}  // namespace

void throw_open() {
  throw OpenError("a tensor that depends on a placeholder has no value before its program runs");
}

void detail::EmptyCheck::refuse(const Op::Names& names, std::size_t k) const {
  throw EmptyError(fmt::format("{}: {} is an empty tensor, default-constructed or moved from",
                               op_.name, k < names.size() ? names[k] : "an argument"));
}

bool is_none(const Argument& argument) {
  const Ints* const ints = std::get_if<Ints>(&argument);
  return ints && ints->is_none();
}

std::string to_string(const Argument& argument) {
  switch (type_of(argument)) {
    case ArgumentType::integers:
      return std::get<Ints>(argument).text();
    case ArgumentType::text:
      return '"' + std::get<std::string>(argument) + '"';
    case ArgumentType::number:
      return fmt::format("{}", std::get<double>(argument));
    case ArgumentType::flag:
      return std::get<bool>(argument) ? "true" : "false";
    default:
      return std::get<DType>(argument).name();
  }
}

bool is_same(const Argument& one, const Argument& other) {
  if (one.index() != other.index()) return false;
  // Bit by bit: a number that is none is the same as itself.
  if (const double* const number = std::get_if<double>(&one))
    return std::bit_cast<std::int64_t>(*number) ==
           std::bit_cast<std::int64_t>(std::get<double>(other));
  if (const std::string* const text = std::get_if<std::string>(&one))
    return *text == std::get<std::string>(other);
  if (const bool* const flag = std::get_if<bool>(&one)) return *flag == std::get<bool>(other);
  if (const DType* const dtype = std::get_if<DType>(&one)) return *dtype == std::get<DType>(other);
  const Ints &a = std::get<Ints>(one), &b = std::get<Ints>(other);
  if (a.is_none() != b.is_none() || a.dtype() != b.dtype() || a.rank() != b.rank() ||
      a.size() != b.size())
    return false;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (a.bits(i) != b.bits(i)) return false;
  return true;
}

ArgumentType Op::type(std::size_t k) const {
  for (const ArgumentInfo& argument : arguments)
    if (argument.name == parameters[k]) return argument.type;
  return texts.contains(parameters[k]) ? ArgumentType::text : ArgumentType::integers;
}

TensorType detail::closed_type(std::string_view op, KnownType&& type) {
  if (!type.shape.is_closed())
    throw InternalError(fmt::format("{}: infer leaves shape {} open, of arguments that are known",
                                    op, to_string(type.shape)));
  TensorType closed{type.dtype, std::move(type.shape).lowest()};
  std::int64_t bytes = type.dtype.size();
  bool is_large = closed.shape.size() > max_rank;
  for (const std::int64_t extent : closed.shape)
    is_large |= __builtin_mul_overflow(bytes, extent, &bytes);
  if (is_large || bytes > max_bytes)
    check_shape(op, closed.shape, closed.dtype);  // perhaps beside an extent of 0
  return closed;
}

KnownType detail::open_type(const Node& node) {
  return {node.dtype(), Extents(node.operation().as<Open>()->shape())};
}

std::string Deferred::parameters(const Shape&) const {
  std::string text;
  for (std::size_t k = 0; k < parameters_.size(); ++k) {
    const auto& [value, input] = parameters_[k];
    if (input == Parameter::literal && is_none(value)) continue;
    if (!text.empty()) text += ", ";
    text += fmt::format("{}={}", op_.parameters[k],
                        input == Parameter::literal ? to_string(value) : "tensor");
  }
  return text;
}

Tensor defer(const Op& op, Arguments arguments) {
  detail::EmptyCheck check(op);
  for (const Tensor& operand : arguments.operands) check.add(operand);
  const KnownType type = op.infer(arguments);
  return defer(op, std::move(arguments), type);
}

Tensor defer(const Op& op, Arguments arguments, const KnownType& type) {
  check_shape(op.name, type.shape.lowest(), type.dtype);  // what is certain of that
  std::vector<NodePtr> inputs;
  for (const Tensor& operand : arguments.operands) inputs.push_back(operand.node_ptr());
  std::vector<Deferred::Parameter> parameters;
  for (Argument& given : arguments.parameters) {
    Deferred::Parameter& parameter = parameters.emplace_back();
    if (const Ints* const ints = std::get_if<Ints>(&given); ints && ints->is_open()) {
      parameter.input = inputs.size();
      inputs.push_back(ints->open_tensor());
    } else {
      parameter.value = std::move(given);
    }
  }
  return open_tensor<Deferred>(type.dtype, type.shape.partial(), NodeInputs(std::move(inputs)), op,
                               std::move(parameters), arguments.operands.size());
}

Tensor placeholder(DType dtype, PartialShape shape, std::string name) {
  if (shape.rank() > max_rank)
    throw ParameterError("bad_rank", fmt::format("placeholder: rank {}, at most {} is allowed",
                                                 shape.rank(), max_rank));
  check_shape("placeholder", shape.lowest(), dtype);
  return open_tensor<Placeholder>(dtype, std::move(shape), NodeInputs(), std::move(name));
}

}  // namespace weft

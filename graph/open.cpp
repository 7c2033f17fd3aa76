// SPDX-License-Identifier: Apache-2.0
// Deferring calls, and telling early what is wrong with them.
#include <weft/graph/open.h>

#include <fmt/format.h>

#include <weft/graph/stand_in.h>
#include <weft/graph/value/error.h>

namespace weft {
namespace {

/// The only shape that fits, or one with the right rank that nobody may ask for.
Shape shape_or_zeros(const PartialShape& shape) {
  return shape.is_closed() ? shape.lowest() : Shape(shape.rank(), 0);
}

[[noreturn]] void throw_open() {
  throw OpenError("a tensor that depends on a placeholder has no value before its program runs");
}

}  // namespace

Open::Open(DType dtype, PartialShape shape, std::vector<NodePtr> inputs)
    : Node(dtype, shape_or_zeros(shape), std::move(inputs),
           shape.is_closed()  ? Known::shape
           : shape.has_rank() ? Known::rank
                              : Known::type),
      partial_shape_(std::move(shape)) {}

void Open::pull_back(const Box&, PullBack&) const { throw_open(); }
std::size_t Open::trace(Index&) const { throw_open(); }

PartialShape first_shape(const Arguments& arguments) {
  return arguments.operands[0].partial_shape();
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
  if (const Ints* const ints = std::get_if<Ints>(&argument)) return ints->text();
  return '"' + std::get<std::string>(argument) + '"';
}

std::string Deferred::parameters() const {
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
  PartialShape shape = infer(op, arguments);
  const DType dtype = op.dtype ? op.dtype(arguments) : arguments.operands[op.like].dtype();
  check_shape(op.name, shape.lowest(), dtype);  // what the op cannot tell of open operands
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
  return make_tensor<Deferred>(op, dtype, std::move(shape), std::move(inputs),
                               std::move(parameters), arguments.operands.size());
}

Tensor placeholder(DType dtype, PartialShape shape, std::string name) {
  if (shape.rank() > max_rank)
    throw ParameterError("bad_rank", fmt::format("placeholder: rank {}, at most {} is allowed",
                                                 shape.rank(), max_rank));
  check_shape("placeholder", shape.lowest(), dtype);
  return make_tensor<Placeholder>(dtype, std::move(shape), std::move(name));
}

}  // namespace weft

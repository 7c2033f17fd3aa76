// SPDX-License-Identifier: Apache-2.0
// Building recipes, and comparing what comes out.
#include "support/recipe.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <weft/ops/op_table.h>
#include <weft/weft.h>

#include <weft/testing/check.h>
#include <weft/testing/reference.h>

namespace weft::testing {
namespace {

Ints ints(const Numbers& numbers) { return numbers ? Ints(*numbers) : Ints(none); }

Tensor updates_for(const Recipe& recipe, std::size_t number, const Tensor& data) {
  const std::vector<Numbers>& p = recipe.steps[number].parameters;
  const Tensor picked = data.slice(ints(p[0]), ints(p[1]), ints(p[2]), ints(p[3]));
  return leaf(recipe.dtype, picked.shape(), number);
}

const Op& definition_of(const Step& step) {
  const Op* const op = op_named(step.op);
  if (!op) throw std::invalid_argument("no op " + step.op);
  return *op;
}

/// The tensor of an index or a mask; shrinking may have left too few elements.
Tensor given_elements(const Step& step) {
  const std::vector<std::int64_t>&shape = *step.parameters[0], &values = *step.parameters[1];
  if (element_count(Shape(shape.begin(), shape.end())) != std::ssize(values))
    throw ShapeError("there are other elements than the shape asks for");
  if (step.op == "index") return copy_from(values.data(), i64, shape);
  const std::vector<std::uint8_t> bytes(values.begin(), values.end());
  return copy_from(bytes.data(), bool_, shape);
}

std::string to_code(const Numbers& numbers) {
  if (!numbers) return "none";
  std::string code = "{";
  for (const std::int64_t number : *numbers) {
    if (code.size() > 1) code += ", ";
    code += number == INT64_MIN ? "INT64_MIN" : fmt::format("{}", number);
  }
  return code + "}";
}

std::string to_code(DType dtype) {
  if (dtype == bool_) return "bool_";
  if (dtype.kind() == DType::Kind::opaque) return fmt::format("opaque({})", dtype.size());
  return dtype.name();
}

}  // namespace

Tensor build_step(const Recipe& recipe, std::size_t number, const std::vector<Tensor>& values) {
  static const Forms as_they_are{[](const Tensor& x) { return x; },
                                 [](const Ints& p) { return p; }};
  return build_step(recipe, number, values, as_they_are, values);
}

Tensor build_step(const Recipe& recipe, std::size_t number, const std::vector<Tensor>& values,
                  const Forms& forms, const std::vector<Tensor>& closed) {
  const Step& step = recipe.steps[number];
  const std::string& op = step.op;
  if (op == "leaf") return forms.leaf(leaf(recipe.dtype, ints(step.parameters[0]), number));
  if (op == "index" || op == "mask") return forms.leaf(given_elements(step));
  const Op& definition = definition_of(step);
  Arguments arguments;
  for (const std::size_t operand : step.operands) arguments.operands.push_back(values.at(operand));
  if (op == "slice_scatter" && step.operands.size() == 1)
    arguments.operands.push_back(
        forms.leaf(updates_for(recipe, number, closed.at(step.operands[0]))));
  if (!definition.takes(arguments.operands.size()))
    throw ParameterError("length_mismatch", op + " takes other operands");  // left by shrinking
  std::size_t numbers = 0, texts = 0;
  for (std::size_t k = 0; k < definition.parameters.size(); ++k) {
    const ArgumentType type = definition.type(k);
    if (type == ArgumentType::text) arguments.parameters.emplace_back(step.texts.at(texts++));
    else if (type == ArgumentType::dtype)
      arguments.parameters.emplace_back(parse_dtype(step.texts.at(texts++)).value());
    else arguments.parameters.emplace_back(forms.parameter(ints(step.parameters.at(numbers++))));
  }
  return definition.build(arguments);
}

Tensor build(const Recipe& recipe, bool may_store) {
  std::vector<Tensor> values;
  for (std::size_t number = 0; number < recipe.steps.size(); ++number) {
    values.push_back(build_step(recipe, number, values));
    if (may_store && recipe.steps[number].is_stored) values.back().eval();
  }
  return values.back();
}

namespace {

/// Step `number` as a call of a free function.
std::string call_code(const Recipe& recipe, std::size_t number, const std::vector<Tensor>& values) {
  const Step& step = recipe.steps[number];
  if (step.op == "leaf")
    return fmt::format("leaf({}, {}, {})", to_code(recipe.dtype), to_code(step.parameters[0]),
                       number);
  if (step.op == "index" || step.op == "mask")
    return fmt::format("{}({}, {})", step.op, to_code(step.parameters[0]),
                       to_code(step.parameters[1]));
  const Op& op = definition_of(step);
  std::vector<std::string> arguments;
  for (const std::size_t operand : step.operands) arguments.push_back(fmt::format("v{}", operand));
  if (op.is_variadic) arguments = {fmt::format("{{{}}}", fmt::join(arguments, ", "))};
  if (step.op == "slice_scatter" && step.operands.size() == 1) {
    const Shape shape = updates_for(recipe, number, values[step.operands[0]]).shape();
    arguments.push_back(
        fmt::format("leaf({}, {{{}}}, {})", to_code(recipe.dtype), fmt::join(shape, ", "), number));
  }
  std::size_t numbers = 0, texts = 0;
  for (std::size_t k = 0; k < op.parameters.size(); ++k) {
    const ArgumentType type = op.type(k);
    if (type == ArgumentType::text) arguments.push_back(fmt::format("\"{}\"", step.texts[texts++]));
    else if (type == ArgumentType::dtype)
      arguments.push_back(to_code(parse_dtype(step.texts[texts++]).value()));
    else arguments.push_back(to_code(step.parameters[numbers++]));
  }
  return fmt::format("weft::{}({})", step.op, fmt::join(arguments, ", "));
}

}  // namespace

std::string to_code(const Recipe& recipe) {
  std::string code;
  std::vector<Tensor> values;
  for (std::size_t number = 0; number < recipe.steps.size(); ++number) {
    const Step& step = recipe.steps[number];
    values.push_back(build_step(recipe, number, values));
    code += fmt::format("const Tensor v{} = {}", number, call_code(recipe, number, values));
    code += fmt::format("{};  // {}\n", step.is_stored ? ".eval()" : "",
                        weft::to_string(values.back().shape()));
  }
  return code + fmt::format("CHECK(disagreement(v{}) == \"\");\n", recipe.steps.size() - 1);
}

std::string disagreement(const Recipe& recipe) {
  return disagreement([&] { return build(recipe); }, build(recipe, false));
}

}  // namespace weft::testing

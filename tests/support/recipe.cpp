// Building recipes, and comparing what comes out.
#include "support/recipe.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <weft/engine/clip.h>
#include <weft/engine/lower.h>
#include <weft/engine/prepare.h>
#include <weft/graph/plan.h>
#include <weft/ops/op_table.h>
#include <weft/weft.h>

#include "support/reference.h"

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

/// The bytes of the tensor against those expected; evaluates.
std::string difference(const Tensor& tensor, const std::vector<std::byte>& expected) {
  explain(tensor);  // plans on its own; it must not throw
  const std::byte* bytes = tensor.eval().node().value().get();
  const std::size_t size = static_cast<std::size_t>(tensor.dtype().size());
  std::size_t wrong = 0, first = 0;
  for (std::size_t i = 0; i * size < expected.size(); ++i)
    if (std::memcmp(bytes + i * size, expected.data() + i * size, size) != 0 && wrong++ == 0)
      first = i;
  if (wrong == 0) return {};
  return fmt::format("{} of {} elements are wrong, the first at {} of {}", wrong, tensor.size(),
                     to_string(unravel_index(static_cast<std::int64_t>(first), tensor.shape())),
                     to_string(tensor.shape()));
}

}  // namespace

Tensor leaf(DType dtype, const Ints& shape, std::size_t number) {
  Shape extents;
  for (std::size_t i = 0; i < shape.size(); ++i) extents.push_back(shape[i]);
  const std::size_t count = static_cast<std::size_t>(element_count(extents));
  const std::size_t size = static_cast<std::size_t>(dtype.size());
  std::vector<std::byte> bytes(count * size);
  for (std::size_t i = 0; i < count; ++i) {
    // Counts in base 251, from elsewhere for each leaf: one byte alone repeats as late as it can,
    // and with no power of two.
    std::uint64_t value = i + 100003 * number;
    for (std::size_t k = 0; k < size; ++k) {
      bytes[i * size + k] = static_cast<std::byte>(value % 251 + k / 8);
      value = k % 8 == 7 ? i : value / 251;
    }
  }
  return copy_from(bytes.data(), dtype, shape);
}

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
    if (definition.texts.contains(definition.parameters[k]))
      arguments.parameters.emplace_back(step.texts.at(texts++));
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
  for (std::size_t k = 0; k < op.parameters.size(); ++k)
    arguments.push_back(op.texts.contains(op.parameters[k])
                            ? fmt::format("\"{}\"", step.texts[texts++])
                            : to_code(step.parameters[numbers++]));
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

std::string disagreement(const Tensor& tensor) {
  return difference(tensor, reference_value(tensor));
}

namespace {

/// Limits that make small expressions take the ways of large ones: nodes stored, and tables.
constexpr PlanLimits tight_limits[] = {{.boxes = 1, .phases = 1000},
                                       {.boxes = 4, .phases = 1},
                                       {.boxes = 16, .phases = 3, .bytes_per_box = 0},
                                       {.boxes = 1024, .phases = 1, .bytes_per_box = 0}};

void compute(const Plan& plan, const Pass& pass, const std::vector<std::vector<std::byte>>& outputs,
             std::byte* out) {
  std::vector<const std::byte*> operands;
  for (const std::size_t operand : pass.operands) {
    const PlanSource& source = plan.sources[operand];
    operands.push_back(source.pass == PlanSource::stored ? source.value.get()
                                                         : outputs[source.pass].data());
  }
  pass.computation(operands, out, [](std::int64_t count, const auto& work) {
    for (std::int64_t begin = 0; begin < count; begin += 7)
      work(begin, std::min<std::int64_t>(count, begin + 7));
  });
}

/// Carries a plan out in many short stretches, so that boxes are cut at all places, also within the
/// steps of their inner loops.
std::vector<std::byte> carried_out_in_stretches(const Plan& plan) {
  const std::int64_t size = plan.dtype.size();
  std::vector<std::vector<std::byte>> outputs;
  for (const Pass& pass : plan.passes) {
    std::vector<std::byte> out(static_cast<std::size_t>(pass.count * size));
    const std::int64_t stretch = std::max<std::int64_t>(5, pass.count / 64);
    for (std::int64_t begin = 0; begin < pass.count; begin += stretch)
      for (const Copy& copy : pass.copies) {
        std::vector<Copy> pieces;
        clip(copy, begin, begin + stretch, pieces);
        const PlanSource& source = plan.sources[copy.source];
        const std::byte* from =
            source.pass == PlanSource::stored ? source.value.get() : outputs[source.pass].data();
        for (const Copy& piece : pieces)
          carry_out(piece, lower(piece, size), size, out.data(), from);
      }
    if (pass.computation) compute(plan, pass, outputs, out.data());
    outputs.push_back(std::move(out));
  }
  return outputs[plan.outputs[0].pass];
}

std::string disagreement_within(const PlanLimits& limits, const Tensor& tensor,
                                const std::vector<std::byte>& expected) {
  if (tensor.size() == 0 || tensor.is_stored()) return {};
  prepare(tensor.node_ptr(), {});
  if (carried_out_in_stretches(make_plan(tensor.node_ptr(), limits)) == expected) return {};
  return fmt::format("wrong elements where a node may be asked for by {} boxes, of {} phases",
                     limits.boxes, limits.phases);
}

/// Evaluates with plans from a cache and plans kept with the expression, each twice.
std::string disagreement_of_plans_used_again(const Recipe& recipe,
                                             const std::vector<std::byte>& expected) {
  PlanCache cache(1);
  const Tensor kept = build(recipe);
  std::vector<std::byte> value(expected.size());
  for (int i = 0; i < 2; ++i) {
    eval_into(build(recipe), value.data(), kept.bytes(), {.plans = &cache});
    if (value != expected) return fmt::format("wrong elements by a cached plan, use {}", i);
    value.assign(expected.size(), std::byte{0xEE});
    eval_into(kept, value.data(), kept.bytes());
    if (value != expected) return fmt::format("wrong elements by a kept plan, use {}", i);
    value.assign(expected.size(), std::byte{0xEE});
  }
  return {};
}

}  // namespace

std::string disagreement(const Recipe& recipe) {
  const std::vector<std::byte> expected = reference_value(build(recipe, false));
  for (const PlanLimits& limits : tight_limits) {
    const std::string why = disagreement_within(limits, build(recipe), expected);
    if (!why.empty()) return why;
  }
  const std::string why = disagreement_of_plans_used_again(recipe, expected);
  return why.empty() ? difference(build(recipe), expected) : why;
}

}  // namespace weft::testing

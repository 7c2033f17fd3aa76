// SPDX-License-Identifier: Apache-2.0
// Checking the inputs of programs, and planning what is made of them.
#include <weft/engine/program/program_plans.h>

#include <algorithm>
#include <cstring>
#include <fmt/format.h>

#include <weft/engine/memory/create.h>
#include <weft/engine/run/in_place.h>
#include <weft/engine/run/limits.h>
#include <weft/engine/run/make_executable.h>
#include <weft/engine/run/resolve_indices.h>
#include <weft/engine/run/workers.h>
#include <weft/graph/expression.h>
#include <weft/graph/plan/by_kind.h>
#include <weft/graph/value/error.h>

namespace weft {
namespace {

/// Binds names to extents, and refuses inputs that do not fit.
class Binding {
 public:
  explicit Binding(const Recording& recording) : recording_(recording) {}

  void check(std::size_t k, const Tensor& given) {
    const Recording::Input& expected = recording_.inputs[k];
    if (given.dtype() != expected.dtype)
      throw DtypeError(fmt::format("program: {} is {}, expected {}", input_name(recording_, k),
                                   given.dtype().name(), expected.dtype.name()));
    const Shape& shape = given.shape();
    if (!expected.shape.has_rank()) return;
    if (shape.size() != expected.shape.rank()) refuse(k, given, "");
    for (std::size_t axis = 0; axis < shape.size(); ++axis) {
      const Dim& dim = expected.shape[axis];
      if (!dim.contains(shape[axis])) refuse(k, given, "");
      if (!dim.name().empty()) bind(dim.name(), shape[axis], k, given);
    }
  }

 private:
  struct Bound {
    const std::string* name;
    std::int64_t extent;
  };

  void bind(const std::string& name, std::int64_t extent, std::size_t k, const Tensor& given) {
    const auto same = std::find_if(bound_.begin(), bound_.end(),
                                   [&](const Bound& bound) { return *bound.name == name; });
    if (same == bound_.end()) bound_.push_back({&name, extent});
    else if (same->extent != extent)
      refuse(k, given, fmt::format(" where {} is {}", name, same->extent));
  }

  [[noreturn]] void refuse(std::size_t k, const Tensor& given, const std::string& where) const {
    throw ShapeError(fmt::format("program: {} has shape {}, expected {}{}",
                                 input_name(recording_, k), to_string(given.shape()),
                                 to_string(recording_.inputs[k].shape), where));
  }

  const Recording& recording_;
  SmallVector<Bound, 8> bound_;
};

void add_bytes(const Tensor& tensor, StructuralKey& to) {
  const std::byte* const bytes = tensor.node().value().get();
  for (std::int64_t at = 0; at < tensor.bytes(); at += 8) {
    std::int64_t number = 0;
    std::memcpy(&number, bytes + at,
                static_cast<std::size_t>(std::min<std::int64_t>(8, tensor.bytes() - at)));
    to.add(number);
  }
}

using Number = Recording::Number;

/// Builds the program's expressions over its inputs, and plans them.
class Maker {
 public:
  Maker(const Recording& recording, const std::vector<Tensor>& inputs, const EvalOptions& options,
        const PlanPurpose& purpose)
      : recording_(recording),
        options_(options),
        limits_(limits_of(options)),
        is_into_(purpose.is_into) {
    options_.in_place = false;  // that is about the outputs
    made_.readers.resize(inputs.size());
    values_.reserve(recording.values());
    for (std::size_t k = 0; k < inputs.size(); ++k) {
      // What is kept may depend on the value of a parameter: it must not change, nor keep alive
      // what the caller gave.
      const bool is_copied = purpose.is_kept && recording.inputs[k].is_parameter;
      const Node& input = inputs[k].node();
      const Storage value =
          is_copied
              ? copy_from(input.value().get(), input.dtype(), Ints(input.shape())).node().value()
              : input.value();
      values_.push_back(make_tensor<Stored>(input.dtype(), input.shape(), value));
    }
    // As values alone: gradients do not ask what they were made of.
    for (const Tensor& constant : recording.constants)
      values_.push_back(
          make_tensor<Stored>(constant.dtype(), constant.shape(), constant.node().value()));
  }

  ProgramPlans run() {
    for (const Recording::Call& call : recording_.calls) {
      const Number number = static_cast<Number>(values_.size());
      values_.push_back(named(recording_, number, [&] { return built(call); }));
    }
    for (const Recording::Number output : recording_.outputs) add_result(values_[output]);
    for (const Roots& roots : parted(std::move(roots_)))
      named(recording_, recording_.outputs[roots.results[0]], [&] { add_plan(roots); });
    return std::move(made_);
  }

 private:
  /// What one plan makes.
  struct Roots {
    std::vector<NodePtr> nodes;
    SmallVector<std::size_t, 2> results;
  };

  Tensor built(const Recording::Call& call) {
    Arguments arguments;
    for (const Number operand : call.operands) {
      arguments.operands.push_back(values_[operand]);
      // Before the call, so that it is the call that refuses what an index says.
      if (arguments.operands.size() - 1 == call.op->index) evaluate(values_[operand], options_);
    }
    for (const auto& [value, number] : call.parameters)
      arguments.parameters.push_back(
          number == Recording::Parameter::literal ? value : Argument(parameter(values_[number])));
    Tensor result = call.op->build_all ? one_of(call, arguments) : call.op->build(arguments);
    if (call.op->index == Op::no_index && result.node().depends_on_index())
      check_reads_no_index(*call.op, result, arguments.operands);
    return result;
  }

  /// One of several results, all of which are made by the first call that asks for one.
  Tensor one_of(const Recording::Call& call, const Arguments& arguments) {
    call.op->infer(arguments);  // throws what the call would
    const auto is_made = [&](const Made& made) {
      return made.op == call.op && made.operands == call.operands;
    };
    auto found = std::find_if(made_of_several_.begin(), made_of_several_.end(), is_made);
    if (found == made_of_several_.end())
      found =
          made_of_several_.insert(found, {call.op, call.operands, call.op->build_all(arguments)});
    return found->results[static_cast<std::size_t>(std::get<Ints>(arguments.parameters.back())[0])];
  }

  /// The values of a tensor, which are evaluated by the run's options.
  Ints parameter(const Tensor& tensor) {
    if (!tensor.dtype().is_integer() || tensor.rank() > 1) return tensor;  // the op refuses it
    if (tensor.size() > limits_.planning_bytes / std::int64_t{sizeof(std::int64_t)})
      throw MemoryError(
          fmt::format("a parameter of {} {} values is kept as 8 bytes each, at most "
                      "{} bytes are allowed for that",
                      to_string(tensor.shape()), tensor.dtype().name(), limits_.planning_bytes));
    evaluate(tensor, options_);
    return tensor;
  }

  /// Below what keeps elements in order.
  static NodePtr base_of(NodePtr node) {
    while (!node->is_stored() && by_kind::keeps_order(*node)) {
      const std::optional<NodeInputs> inputs = node->inputs();
      if (!inputs) break;
      node = (*inputs)[0];
    }
    return node;
  }

  /// What a call made must not read an operand as an index that its op does not tell: its plan
  /// would be used for other indices.
  static void check_reads_no_index(const Op& op, const Tensor& result, const Tensors& operands) {
    const auto is_operand = [&](const NodePtr& node) {
      return std::any_of(operands.begin(), operands.end(),
                         [&](const Tensor& x) { return x.node_ptr().get() == node.get(); });
    };
    std::vector<NodePtr> todo{result.node_ptr()};
    while (!todo.empty()) {
      const NodePtr node = std::move(todo.back());
      todo.pop_back();
      if (is_operand(node) || !node->depends_on_index()) continue;
      const std::optional<NodeInputs> inputs = node->inputs();
      if (!inputs) continue;
      // One that the op made of its parameters is as they are, and so is what was asked for before,
      // in another shape.
      const std::size_t k = index_of(*node);
      if (k != no_index && (is_operand((*inputs)[k]) || !base_of((*inputs)[k])->is_stored()))
        throw ParameterError("bad_op",
                             fmt::format("{}: reads an index, but its Op does not say which "
                                         "operand that is (Op::index)",
                                         op.name));
      todo.insert(todo.end(), inputs->begin(), inputs->end());
    }
  }

  void add_result(const Tensor& output) {
    using From = ProgramResult::From;
    const std::size_t number = made_.results.size();
    ProgramResult& result = made_.results.emplace_back(
        ProgramResult{From::constant, 0, nullptr, output.dtype(), output.shape()});
    const std::size_t input = input_of(&output.node());
    if (input != BoundPlan::constant) {
      result.from = From::input;
      result.input = input;
      ++made_.readers[input];
    } else if (output.is_stored() || output.size() == 0) {
      result.constant = output.eval().node().value();
    } else {
      result.from = From::plan;
      roots_.nodes.push_back(output.node_ptr());
      roots_.results.push_back(number);
    }
  }

  /// All in one plan, but for what turns a tensor of a type that no other has: that can be done
  /// within it.
  static std::vector<Roots> parted(Roots all) {
    std::vector<Roots> plans;
    Roots rest;
    for (std::size_t k = 0; k < all.nodes.size(); ++k) {
      const DType dtype = all.nodes[k]->dtype();
      bool is_alone = true;
      for (std::size_t j = 0; j < all.nodes.size() && is_alone; ++j)
        is_alone = j == k || all.nodes[j]->dtype() != dtype;
      Roots& roots = is_alone && turn_of(*all.nodes[k]) ? plans.emplace_back() : rest;
      roots.nodes.push_back(all.nodes[k]);
      roots.results.push_back(all.results[k]);
    }
    if (!rest.nodes.empty()) plans.push_back(std::move(rest));
    return plans;
  }

  void add_plan(const Roots& roots) {
    if (!is_into_) refuse_too_large(roots.nodes, options_);
    const Indices indices = resolve_indices(roots.nodes, options_);
    const Expression expression(roots.nodes);
    BoundPlan& bound = made_.plans.emplace_back(BoundPlan{
        make_executable(expression, limits_, indices, stop_check(options_)), {}, roots.results});
    for (PlanSource& source : bound.executable.plan.sources) {
      const std::size_t input = source.pass == PlanSource::stored
                                    ? input_of(expression[source.vertex].node)
                                    : BoundPlan::constant;
      bound.inputs.push_back(input);
      if (input == BoundPlan::constant) continue;
      source.value = nullptr;
      ++made_.readers[input];
    }
    if (roots.nodes.size() == 1) bound.turn = turn_of(*roots.nodes[0]);
  }

  std::size_t input_of(const Node* node) const {
    for (std::size_t k = 0; k < recording_.inputs.size(); ++k)
      if (&values_[k].node() == node) return k;
    return BoundPlan::constant;
  }

  const Recording& recording_;
  EvalOptions options_;
  const PlanLimits limits_;
  const bool is_into_;
  std::vector<Tensor> values_;
  /// What a call of an op of several results made.
  struct Made {
    const Op* op;
    std::vector<Number> operands;
    Tensors results;
  };
  std::vector<Made> made_of_several_;
  Roots roots_;
  ProgramPlans made_;
};

}  // namespace

std::string message_of_call(const Recording& recording, Recording::Number number,
                            const std::string& message) {
  const std::size_t first_call = recording.inputs.size() + recording.constants.size();
  if (number < first_call) return message;
  const std::string_view op = recording.calls[number - first_call].op->name;
  const bool names_op =
      message.starts_with(op) && message.find_first_of(": ", op.size()) == op.size();
  return names_op ? fmt::format("%{} {}", number, message)
                  : fmt::format("%{} {}: {}", number, op, message);
}

std::string input_name(const Recording& recording, std::size_t k) {
  const std::string& name = recording.inputs[k].name;
  return fmt::format("input {}{}", k, name.empty() ? "" : " (" + name + ")");
}

void check_inputs(const Recording& recording, const std::vector<Tensor>& inputs) {
  if (inputs.size() != recording.inputs.size())
    throw ParameterError("length_mismatch", fmt::format("program: {} inputs are given, expected {}",
                                                        inputs.size(), recording.inputs.size()));
  Binding binding(recording);
  for (std::size_t k = 0; k < inputs.size(); ++k) {
    if (!inputs[k].has_value())
      throw EmptyError(
          fmt::format("program: input {} is an empty tensor, default-constructed or "
                      "moved from",
                      k));
    binding.check(k, inputs[k]);
  }
}

ProgramKey key_of(const Recording& recording, const std::vector<Tensor>& inputs,
                  const PlanLimits& limits) {
  ProgramKey key;
  key.structure.add(limits.stored_bytes);
  key.structure.add(limits.may_compute);
  for (std::size_t k = 0; k < inputs.size(); ++k) {
    const auto& [dtype, expected, name, is_parameter] = recording.inputs[k];
    const Shape& shape = inputs[k].node().shape();
    if (!expected.has_rank()) key.structure.add_all(shape);
    else
      for (std::size_t axis = 0; axis < shape.size(); ++axis)
        if (!expected[axis].is_known()) key.structure.add(shape[axis]);
    if (is_parameter) add_bytes(inputs[k], key.structure);
  }
  key.structure.seal();
  return key;
}

ProgramPlans make_plans(const Recording& recording, const std::vector<Tensor>& inputs,
                        const EvalOptions& options, const PlanPurpose& purpose) {
  return Maker(recording, inputs, options, purpose).run();
}

}  // namespace weft

// SPDX-License-Identifier: Apache-2.0
// Making recordings of deferred calls, comparing and printing them.
#include <weft/engine/program/recording.h>

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <unordered_map>

#include <weft/graph/expression.h>
#include <weft/graph/open.h>
#include <weft/graph/value/error.h>

namespace weft {
namespace {

using Number = Recording::Number;

[[noreturn]] void refuse(const std::string& why) {
  throw ParameterError("bad_placeholder", "program: " + why);
}

/// Numbers nodes as they come: placeholders, constants, calls.
class Recorder {
 public:
  Recording run(const std::vector<Tensor>& placeholders, const std::vector<Tensor>& outputs) {
    for (const Tensor& input : placeholders) add_input(input);
    std::vector<NodePtr> roots;
    for (const Tensor& output : outputs) {
      output.held("program: output");
      roots.push_back(output.node_ptr());
    }
    const Expression expression(roots);
    const Expression::Numbers& order = expression.order();
    const auto is_open = [&](std::size_t v) {
      return expression[v].node->known() != Node::Known::all;
    };
    // Constants first, so that they are numbered before the calls.
    for (const NodePtr& root : roots) add_if_constant(root);
    for (std::size_t v = 0; v < expression.size(); ++v)
      if (is_open(v)) add_constants(*expression[v].node);
    for (std::size_t i = order.size(); i-- > 0;)
      if (is_open(order[i])) add_call(*expression[order[i]].node);
    for (const NodePtr& root : roots) recording_.outputs.push_back(numbers_.at(root.get()));
    mark_parameters(recording_);
    return std::move(recording_);
  }

 private:
  void add_input(const Tensor& tensor) {
    const Node* const node = tensor.node_ptr().get();
    const auto* const input = node ? dynamic_cast<const Placeholder*>(&node->operation()) : nullptr;
    const std::size_t k = recording_.inputs.size();
    if (!input) refuse(fmt::format("input {} is no placeholder", k));
    if (!numbers_.emplace(node, static_cast<Number>(k)).second)
      refuse(fmt::format("input {} was given before", k));
    recording_.inputs.push_back({node->dtype(), input->shape(), input->label()});
  }

  void add_if_constant(const NodePtr& node) {
    if (node->known() != Node::Known::all) return;
    const Number next = static_cast<Number>(recording_.inputs.size() + recording_.constants.size());
    if (numbers_.emplace(node.get(), next).second) recording_.constants.emplace_back(node);
  }

  void add_constants(const Node& call) {
    const std::optional<NodeInputs> inputs = call.inputs();
    for (const NodePtr& input : *inputs) add_if_constant(input);
  }

  void add_call(const Node& node) {
    if (numbers_.contains(&node)) return;
    const auto* deferred = dynamic_cast<const Deferred*>(&node.operation());
    if (!deferred)
      refuse(fmt::format("a placeholder {} {} is not among the inputs", node.dtype().name(),
                         to_string(node.partial_shape())));
    const Op& op = deferred->definition();
    const std::optional<NodeInputs> inputs = node.inputs();  // there are: it is open
    Recording::Call call{&op, {}, {}, node.dtype(), node.partial_shape()};
    for (std::size_t k = 0; k < deferred->operand_count(); ++k)
      call.operands.push_back(numbers_.at((*inputs)[k].get()));
    for (const auto& [value, input] : deferred->arguments()) {
      Recording::Parameter& parameter = call.parameters.emplace_back();
      if (input == Deferred::Parameter::literal) parameter.value = value;
      else parameter.number = numbers_.at((*inputs)[input].get());
    }
    numbers_.emplace(&node, static_cast<Number>(recording_.values()));
    recording_.calls.push_back(std::move(call));
  }

  Recording recording_;
  std::unordered_map<const Node*, Number> numbers_;
};

template <class Visit>
void for_each_argument(const Recording::Call& call, Visit&& visit) {
  for (std::size_t k = 0; k < call.operands.size(); ++k)
    visit(call.operands[k], k == call.op->index);
  for (const Recording::Parameter& parameter : call.parameters)
    if (parameter.number != Recording::Parameter::literal) visit(parameter.number, true);
}

bool is_same(const Recording::Call& a, const Recording::Call& b) {
  const auto same_parameter = [](const Recording::Parameter& one,
                                 const Recording::Parameter& other) {
    return one.number == other.number && weft::is_same(one.value, other.value);
  };
  return a.op == b.op && a.operands == b.operands &&
         std::equal(a.parameters.begin(), a.parameters.end(), b.parameters.begin(),
                    b.parameters.end(), same_parameter);
}

bool is_same(const Tensor& a, const Tensor& b) {
  if (a.dtype() != b.dtype() || !(a.shape() == b.shape())) return false;
  a.eval();
  b.eval();
  return std::memcmp(a.node().value().get(), b.node().value().get(),
                     static_cast<std::size_t>(a.bytes())) == 0;
}

std::string type_text(DType dtype, const PartialShape& shape) {
  return fmt::format("  {} {}\n", dtype.name(), to_string(shape));
}

std::string text(const Recording::Call& call) {
  std::string arguments;
  const auto add = [&](const std::string& argument) {
    arguments += (arguments.empty() ? "" : ", ") + argument;
  };
  for (const Number operand : call.operands) add(fmt::format("%{}", operand));
  for (std::size_t k = 0; k < call.parameters.size(); ++k) {
    const auto& [value, number] = call.parameters[k];
    const std::string_view name = call.op->parameters[k];
    if (number != Recording::Parameter::literal) add(fmt::format("{}=%{}", name, number));
    else if (!is_none(value)) add(fmt::format("{}={}", name, to_string(value)));
  }
  return fmt::format("{}({})", call.op->name, arguments) + type_text(call.dtype, call.shape);
}

}  // namespace

Recording record(const std::vector<Tensor>& placeholders, const std::vector<Tensor>& outputs) {
  return Recorder().run(placeholders, outputs);
}

void mark_parameters(Recording& recording) {
  const std::size_t first_call = recording.inputs.size() + recording.constants.size();
  std::vector<bool> feeds(recording.values());
  for (std::size_t k = recording.calls.size(); k-- > 0;)
    for_each_argument(recording.calls[k], [&](Recording::Number number, bool is_parameter) {
      if (is_parameter || feeds[first_call + k]) feeds[number] = true;
    });
  for (std::size_t k = 0; k < recording.inputs.size(); ++k)
    recording.inputs[k].is_parameter = feeds[k];
}

bool is_same(const Recording& a, const Recording& b) {
  return a.inputs == b.inputs && a.outputs == b.outputs &&
         std::equal(a.calls.begin(), a.calls.end(), b.calls.begin(), b.calls.end(),
                    [](const auto& one, const auto& other) { return is_same(one, other); }) &&
         std::equal(a.constants.begin(), a.constants.end(), b.constants.begin(), b.constants.end(),
                    [](const auto& one, const auto& other) { return is_same(one, other); });
}

std::string to_string(const Recording& recording) {
  std::string all;
  std::size_t number = 0;
  for (const Recording::Input& input : recording.inputs)
    all += fmt::format("%{} = input{}", number++, input.name.empty() ? "" : " " + input.name) +
           type_text(input.dtype, input.shape);
  for (const Tensor& constant : recording.constants)
    all += fmt::format("%{} = constant", number++) +
           type_text(constant.dtype(), constant.partial_shape());
  for (const Recording::Call& call : recording.calls)
    all += fmt::format("%{} = ", number++) + text(call);
  all += "return";
  for (std::size_t k = 0; k < recording.outputs.size(); ++k)
    all += fmt::format("{} %{}", k == 0 ? "" : ",", recording.outputs[k]);
  return all + "\n";
}

}  // namespace weft

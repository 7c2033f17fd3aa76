// Running programs: inputs are checked, the plan is found or made, and carried out.
#include <weft/engine/program.h>

#include <cstring>
#include <fmt/format.h>
#include <functional>
#include <map>

#include <weft/engine/buffer.h>
#include <weft/engine/create.h>
#include <weft/engine/execute.h>
#include <weft/engine/in_place.h>
#include <weft/graph/bounded_cache.h>
#include <weft/graph/error.h>
#include <weft/graph/expression.h>
#include <weft/graph/plan.h>
#include <weft/graph/structure.h>

namespace weft {
namespace {

// Plans that depend on more bytes of parameters than this are not kept.
constexpr std::int64_t most_parameter_bytes = 4096;

/// What a plan depends on beside the recording.
struct Key {
  Structure structure;
  std::uint64_t hash() const noexcept { return structure.hash(); }
  friend bool operator==(const Key&, const Key&) = default;
};

/// A plan whose stored sources are inputs, by number, or constants.
struct BoundPlan {
  static constexpr std::size_t constant = static_cast<std::size_t>(-1);
  Plan plan;
  std::vector<std::size_t> inputs;  // of each source
};

/// Where an output comes from.
struct Result {
  enum class From { input, constant, plan };
  From from;
  std::size_t number;  // of the input or plan
  std::size_t output;  // of the plan
  Storage constant;
  DType dtype;
  Shape shape;

  std::int64_t bytes() const { return element_count(shape) * dtype.size(); }
};

/// All that is needed to run a program on inputs of one key.
struct Ready {
  std::vector<BoundPlan> plans;
  std::vector<Result> results;
  std::vector<std::size_t> readers;  // of each input, among plans and results
};

/// "input 1 (shift)".
std::string name_of(const Recording& recording, std::size_t k) {
  const std::string& name = recording.inputs[k].name;
  return fmt::format("input {}{}", k, name.empty() ? "" : " (" + name + ")");
}

/// Binds names to extents, and refuses inputs that do not fit.
class Binding {
 public:
  explicit Binding(const Recording& recording) : recording_(recording) {}

  void check(const std::vector<Tensor>& inputs) {
    if (inputs.size() != recording_.inputs.size())
      throw ParameterError("length_mismatch",
                           fmt::format("program: {} inputs are given, expected {}", inputs.size(),
                                       recording_.inputs.size()));
    for (std::size_t k = 0; k < inputs.size(); ++k) check(k, inputs[k]);
  }

 private:
  void check(std::size_t k, const Tensor& given) {
    const Recording::Input& expected = recording_.inputs[k];
    if (given.dtype() != expected.dtype)
      throw DtypeError(fmt::format("program: {} is {}, expected {}", name_of(recording_, k),
                                   given.dtype().name(), expected.dtype.name()));
    if (!expected.shape.has_rank()) return;
    const Shape& shape = given.shape();
    if (shape.size() != expected.shape.rank()) refuse(k, given, "");
    for (std::size_t axis = 0; axis < shape.size(); ++axis) {
      const Dim& dim = expected.shape[axis];
      if (!dim.contains(shape[axis])) refuse(k, given, "");
      if (dim.name().empty()) continue;
      const auto [bound, is_new] = extents_.emplace(dim.name(), shape[axis]);
      if (bound->second != shape[axis])
        refuse(k, given, fmt::format(" where {} is {}", dim.name(), bound->second));
    }
  }

  [[noreturn]] void refuse(std::size_t k, const Tensor& given, const std::string& where) const {
    throw ShapeError(fmt::format("program: {} has shape {}, expected {}{}", name_of(recording_, k),
                                 to_string(given.shape()), to_string(recording_.inputs[k].shape),
                                 where));
  }

  const Recording& recording_;
  std::map<std::string, std::int64_t> extents_;
};

std::int64_t parameter_bytes(const Recording& recording, const std::vector<Tensor>& inputs) {
  std::int64_t bytes = 0;
  for (std::size_t k = 0; k < inputs.size(); ++k)
    if (recording.inputs[k].is_parameter) bytes += inputs[k].bytes();
  return bytes;
}

void add_bytes(const Tensor& tensor, Structure& to) {
  const std::byte* const bytes = tensor.node().value().get();
  for (std::int64_t at = 0; at < tensor.bytes(); at += 8) {
    std::int64_t number = 0;
    std::memcpy(&number, bytes + at,
                static_cast<std::size_t>(std::min<std::int64_t>(8, tensor.bytes() - at)));
    to.add(number);
  }
}

Key key_of(const Recording& recording, const std::vector<Tensor>& inputs,
           const PlanLimits& limits) {
  Key key;
  key.structure.add(limits.stored_bytes);
  for (std::size_t k = 0; k < inputs.size(); ++k) {
    key.structure.add_all(inputs[k].shape());
    if (recording.inputs[k].is_parameter) add_bytes(inputs[k], key.structure);
  }
  key.structure.seal();
  return key;
}

/// Builds the program's expressions over its inputs, and plans them.
class Maker {
 public:
  Maker(const Recording& recording, const std::vector<Tensor>& inputs, bool is_kept,
        const PlanLimits& limits)
      : recording_(recording), limits_(limits) {
    ready_.readers.resize(inputs.size());
    for (std::size_t k = 0; k < inputs.size(); ++k) {
      // What is kept may depend on the value of a parameter: it must not change, nor keep alive
      // what the caller gave.
      const bool is_copied = is_kept && recording.inputs[k].is_parameter;
      const Node& input = inputs[k].node();
      const Storage value =
          is_copied
              ? copy_from(input.value().get(), input.dtype(), Ints(input.shape())).node().value()
              : input.value();
      values_.push_back(make_tensor<Stored>(input.dtype(), input.shape(), value));
    }
    values_.insert(values_.end(), recording.constants.begin(), recording.constants.end());
  }

  Ready run() {
    for (const Recording::Call& call : recording_.calls) values_.push_back(built(call));
    for (const Recording::Number output : recording_.outputs) add_result(values_[output]);
    for (const std::vector<NodePtr>& roots : roots_) add_plan(roots);
    return std::move(ready_);
  }

 private:
  Tensor built(const Recording::Call& call) const {
    Arguments arguments;
    for (const Recording::Number operand : call.operands)
      arguments.operands.push_back(values_[operand]);
    for (const auto& [value, number] : call.parameters)
      arguments.parameters.push_back(
          number == Recording::Parameter::literal ? value : Ints(values_[number]));
    return call.op->build(arguments);
  }

  void add_result(const Tensor& output) {
    Result& result = ready_.results.emplace_back(
        Result{Result::From::constant, 0, 0, nullptr, output.dtype(), output.shape()});
    const std::size_t input = input_of(&output.node());
    if (input != BoundPlan::constant) {
      result.from = Result::From::input;
      result.number = input;
      ++ready_.readers[input];
    } else if (output.is_stored() || output.size() == 0) {
      result.constant = output.eval().node().value();
    } else {
      result.from = Result::From::plan;
      result.number = plan_for(output.dtype());
      result.output = roots_[result.number].size();
      roots_[result.number].push_back(output.node_ptr());
    }
  }

  /// The number of the plan that makes all outputs of one element type.
  std::size_t plan_for(DType dtype) {
    std::size_t number = 0;
    while (number < roots_.size() && roots_[number].front()->dtype() != dtype) ++number;
    if (number == roots_.size()) roots_.emplace_back();
    return number;
  }

  void add_plan(const std::vector<NodePtr>& roots) {
    const Expression expression(roots);
    BoundPlan& bound = ready_.plans.emplace_back(BoundPlan{make_plan(expression, limits_), {}});
    for (PlanSource& source : bound.plan.sources) {
      const std::size_t input = source.pass == PlanSource::stored
                                    ? input_of(expression[source.vertex].node)
                                    : BoundPlan::constant;
      bound.inputs.push_back(input);
      if (input == BoundPlan::constant) continue;
      source.value = nullptr;
      ++ready_.readers[input];
    }
  }

  std::size_t input_of(const Node* node) const {
    for (std::size_t k = 0; k < recording_.inputs.size(); ++k)
      if (&values_[k].node() == node) return k;
    return BoundPlan::constant;
  }

  const Recording& recording_;
  const PlanLimits& limits_;
  std::vector<Tensor> values_;
  std::vector<std::vector<NodePtr>> roots_;  // of each plan
  Ready ready_;
};

/// Lends the values of inputs to a plan.
class Lent {
 public:
  Lent(BoundPlan& bound, const std::vector<Tensor>& inputs) : bound_(bound) {
    for (std::size_t s = 0; s < bound.inputs.size(); ++s)
      if (bound.inputs[s] != BoundPlan::constant)
        bound.plan.sources[s].value = inputs[bound.inputs[s]].node().value();
  }
  Lent(const Lent&) = delete;
  Lent& operator=(const Lent&) = delete;
  ~Lent() {
    for (std::size_t s = 0; s < bound_.inputs.size(); ++s)
      if (bound_.inputs[s] != BoundPlan::constant) bound_.plan.sources[s].value = nullptr;
  }

 private:
  BoundPlan& bound_;
};

/// The source that nobody but this run holds and the result may be written over, or none.
std::size_t base_of(const BoundPlan& bound, const Ready& ready, const std::vector<Tensor>& inputs,
                    bool at_any_cost) {
  for (const std::size_t base : bases(bound.plan, at_any_cost)) {
    const std::size_t input = bound.inputs[base];
    if (input != BoundPlan::constant && ready.readers[input] == 1 &&
        inputs[input].node().is_given_up(bound.plan.sources[base].value))
      return base;
  }
  return OutputTarget::no_base;
}

/// The outputs of a plan, in memory of their own or over an input that was given up.
std::vector<Storage> values_of(BoundPlan& bound, const Ready& ready,
                               const std::vector<Tensor>& inputs, const EvalOptions& options) {
  const Lent lent(bound, inputs);
  std::vector<OutputTarget> targets(bound.plan.outputs.size());
  targets[0].base = base_of(bound, ready, inputs, options.in_place);
  return execute(bound.plan, targets, options);
}

bool overlaps(const Tensor& input, const Destination& out) {
  const std::byte* const begin = input.node().value().get();
  const std::byte* const to = static_cast<const std::byte*>(out.data);
  return std::less<>()(begin, to + out.bytes) && std::less<>()(to, begin + input.bytes());
}

void check_destinations(const Ready& ready, std::span<const Destination> outputs) {
  if (outputs.size() != ready.results.size())
    throw ParameterError("length_mismatch",
                         fmt::format("program: {} destinations are given, expected {}",
                                     outputs.size(), ready.results.size()));
  for (std::size_t k = 0; k < outputs.size(); ++k)
    if (const Result& result = ready.results[k]; outputs[k].bytes != result.bytes())
      throw ShapeError(fmt::format("program: {} bytes are given for output {}, {} {} has {}",
                                   outputs[k].bytes, k, result.dtype.name(),
                                   to_string(result.shape), result.bytes()));
}

}  // namespace

struct Program::State {
  State(Recording made, std::size_t plans) : recording(std::move(made)), ready(plans) {}

  /// Calls `work` with what is ready for these inputs.
  template <class Work>
  void with(const std::vector<Tensor>& inputs, const EvalOptions& options, Work&& work) {
    Binding(recording).check(inputs);
    for (const Tensor& input : inputs) input.eval(options);
    const PlanLimits limits = limits_of(options);
    const bool is_kept = parameter_bytes(recording, inputs) <= most_parameter_bytes;
    const Key key = is_kept ? key_of(recording, inputs, limits) : Key{};
    const BoundedCache<Key, Ready>::Use use(
        ready, key, is_kept, [&] { return Maker(recording, inputs, is_kept, limits).run(); });
    work(use.value());
  }

  const Recording recording;
  BoundedCache<Key, Ready> ready;
};

Program::Program(const std::vector<Tensor>& placeholders, const std::vector<Tensor>& outputs,
                 std::size_t plans)
    : Program(record(placeholders, outputs), plans) {}

Program::Program(Recording recording, std::size_t plans)
    : state_(std::make_shared<State>(std::move(recording), plans)) {
  for (const Tensor& constant : state_->recording.constants) constant.eval();
}

std::vector<Tensor> Program::run(std::vector<Tensor> inputs, const EvalOptions& options) const {
  std::vector<Tensor> outputs;
  state_->with(inputs, options, [&](Ready& ready) {
    std::vector<std::vector<Storage>> made;
    for (BoundPlan& bound : ready.plans) made.push_back(values_of(bound, ready, inputs, options));
    outputs.reserve(ready.results.size());
    for (const Result& result : ready.results)
      outputs.push_back(result.from == Result::From::input
                            ? inputs[result.number]
                            : make_tensor<Stored>(result.dtype, result.shape,
                                                  result.from == Result::From::constant
                                                      ? result.constant
                                                      : made[result.number][result.output]));
  });
  return outputs;
}

void Program::run_into(std::vector<Tensor> inputs, std::span<const Destination> outputs,
                       const EvalOptions& options) const {
  state_->with(inputs, options, [&](Ready& ready) {
    check_destinations(ready, outputs);
    const bool is_aside = std::any_of(inputs.begin(), inputs.end(), [&](const Tensor& input) {
      return std::any_of(outputs.begin(), outputs.end(),
                         [&](const Destination& out) { return overlaps(input, out); });
    });
    std::vector<std::vector<Storage>> made;
    for (std::size_t p = 0; p < ready.plans.size(); ++p) {
      BoundPlan& bound = ready.plans[p];
      const Lent lent(bound, inputs);
      std::vector<OutputTarget> targets(bound.plan.outputs.size());
      for (std::size_t k = 0; k < outputs.size(); ++k)
        if (const Result& result = ready.results[k];
            !is_aside && result.from == Result::From::plan && result.number == p)
          targets[result.output].out = static_cast<std::byte*>(outputs[k].data);
      made.push_back(execute(bound.plan, targets, options));
    }
    // What is not there yet.
    for (std::size_t k = 0; k < outputs.size(); ++k) {
      const Result& result = ready.results[k];
      if (result.from == Result::From::plan && !is_aside) continue;
      const Storage value =
          result.from == Result::From::input      ? inputs[result.number].node().value()
          : result.from == Result::From::constant ? result.constant
                                                  : made[result.number][result.output];
      std::memmove(outputs[k].data, value.get(), static_cast<std::size_t>(result.bytes()));
    }
  });
}

std::size_t Program::input_count() const { return state_->recording.inputs.size(); }
std::size_t Program::output_count() const { return state_->recording.outputs.size(); }

PartialShape Program::output_shape(std::size_t k) const {
  const Recording& recording = state_->recording;
  std::size_t number = recording.outputs.at(k);
  if (number < recording.inputs.size()) return recording.inputs[number].shape;
  number -= recording.inputs.size();
  if (number < recording.constants.size()) return recording.constants[number].shape();
  return recording.calls[number - recording.constants.size()].shape;
}

const Recording& Program::recording() const { return state_->recording; }
std::size_t Program::hits() const { return state_->ready.hits(); }

void Program::throw_count(std::size_t expected, std::size_t given) {
  throw ParameterError(
      "length_mismatch",
      fmt::format("program: {} placeholders are given, the function takes {}", given, expected));
}

}  // namespace weft

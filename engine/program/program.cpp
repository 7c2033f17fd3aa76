// SPDX-License-Identifier: Apache-2.0
// Running programs: inputs are checked, the plans are found or made, and carried out.
#include <weft/engine/program/program.h>

#include <algorithm>
#include <cstring>
#include <fmt/format.h>

#include <weft/engine/memory/buffer.h>
#include <weft/engine/program/program_plans.h>
#include <weft/engine/run/in_place.h>
#include <weft/engine/run/limits.h>
#include <weft/engine/run/part_options.h>
#include <weft/engine/view/executable_text.h>
#include <weft/graph/value/bounded_cache.h>
#include <weft/graph/value/error.h>
#include <weft/graph/value/share_bytes.h>

namespace weft {
namespace {

using From = ProgramResult::From;

// Plans that depend on more bytes of parameters than this are not kept.
constexpr std::int64_t most_parameter_bytes = 4096;

std::int64_t parameter_bytes(const Recording& recording, const std::vector<Tensor>& inputs) {
  std::int64_t bytes = 0;
  for (std::size_t k = 0; k < inputs.size(); ++k)
    if (recording.inputs[k].is_parameter) bytes += inputs[k].bytes();
  return bytes;
}

void evaluate(const std::vector<Tensor>& inputs, const EvalOptions& options) {
  for (const Tensor& input : inputs) {
    if (input.is_stored()) continue;
    EvalOptions own = silent(options);  // what is told, and being in place, is about the outputs
    own.in_place = false;
    input.eval(own);
  }
}

/// Lends the values of inputs to a plan.
class Lent {
 public:
  Lent(BoundPlan& bound, const std::vector<Tensor>& inputs) : bound_(bound) {
    for (std::size_t s = 0; s < bound.inputs.size(); ++s)
      if (bound.inputs[s] != BoundPlan::constant)
        bound.executable.plan.sources[s].value = inputs[bound.inputs[s]].node().value();
  }
  Lent(const Lent&) = delete;
  Lent& operator=(const Lent&) = delete;
  ~Lent() {
    for (std::size_t s = 0; s < bound_.inputs.size(); ++s)
      if (bound_.inputs[s] != BoundPlan::constant)
        bound_.executable.plan.sources[s].value = nullptr;
  }

 private:
  BoundPlan& bound_;
};

/// One run of a program, with all that it needs.
class Run {
 public:
  Run(const Recording& recording, ProgramPlans& plans, const std::vector<Tensor>& inputs,
      const EvalOptions& options)
      : recording_(recording), plans_(plans), inputs_(inputs), options_(options) {}

  Results outputs() {
    Results list;
    list.reserve(plans_.results.size());
    for (const ProgramResult& result : plans_.results)
      list.push_back(result.from == From::input      ? inputs_[result.input]
                     : result.from == From::constant ? tensor(result, result.constant)
                                                     : Tensor());
    for (BoundPlan& bound : plans_.plans)
      make(bound, [&](std::size_t k, Storage value) {
        list[k] = tensor(plans_.results[k], std::move(value));
      });
    return list;
  }

  std::string explained() {
    std::string text;
    for (std::size_t k = 0; k < plans_.results.size(); ++k)
      if (const ProgramResult& result = plans_.results[k]; result.from != From::plan)
        text += fmt::format("output {}: {}, nothing to do\n", k,
                            result.from == From::input ? input_name(recording_, result.input)
                                                       : "known, or without elements");
    for (BoundPlan& bound : plans_.plans) {
      const Lent lent(bound, inputs_);
      bound.executable.make_ready(Bases(bound.results.size(), OutputTarget::no_base));
      text += executable_text(bound.executable, outputs_text(bound), in_place_text(bound));
    }
    return text;
  }

  std::vector<PlanSummary> summaries() {
    std::vector<PlanSummary> all;
    for (BoundPlan& bound : plans_.plans) {
      const Lent lent(bound, inputs_);
      bound.executable.make_ready(Bases(bound.results.size(), OutputTarget::no_base));
      all.push_back(summary_of(bound.executable));
    }
    return all;
  }

  void into(std::span<const Destination> outputs) {
    refuse_in_place("program: run_into", options_);
    check(outputs);
    if (!overlaps_inputs(outputs)) return write(outputs, options_);
    std::vector<std::shared_ptr<std::byte>> memory;
    std::vector<Destination> aside;
    const std::int64_t limit = limits_of(options_).stored_bytes;
    std::int64_t total = 0;
    for (std::size_t k = 0; k < outputs.size(); ++k) {
      const auto& [dtype, shape] = std::tie(plans_.results[k].dtype, plans_.results[k].shape);
      const std::int64_t bytes = outputs[k].bytes;
      if (bytes > limit - total)
        throw MemoryError(fmt::format(
            "program: output {} {} {} overlaps an input, and takes {} bytes beside {} of this run, "
            "at most {} are allowed",
            k, dtype.name(), to_string(shape), bytes, total, limit));
      total += bytes;
      memory.push_back(allocate(bytes, fmt::format("program: output {}", k), shape));
      aside.emplace_back(memory.back().get(), bytes);
    }
    EvalOptions rest = options_;
    rest.memory_limit = std::max<std::int64_t>(limit - total, 1);
    write(aside, rest);
    for (std::size_t k = 0; k < outputs.size(); ++k) copy(outputs[k], memory[k]);
  }

 private:
  static Tensor tensor(const ProgramResult& result, Storage value) {
    return make_tensor<Stored>(result.dtype, result.shape, std::move(value));
  }

  /// "output 0, f32 [2, 3], output 2, f32 [3]".
  std::string outputs_text(const BoundPlan& bound) const {
    std::string text;
    for (const std::size_t k : bound.results)
      text += fmt::format("{}output {}, {} {}", text.empty() ? "" : ", ", k,
                          plans_.results[k].dtype.name(), to_string(plans_.results[k].shape));
    return text;
  }

  /// Sources that some output could be written over if they were given up.
  static SmallVector<std::size_t, 4> candidates(const BoundPlan& bound, bool at_any_cost) {
    SmallVector<std::size_t, 4> list;
    for (std::size_t o = 0; o < bound.results.size(); ++o)
      for (const std::size_t base : bases(bound.executable.plan, o, at_any_cost))
        list.push_back(base);
    if (bound.turn && can_turn(bound.executable.plan)) list.push_back(0);
    return list;
  }

  /// What a run would do whose inputs are all given up.
  std::string in_place_text(const BoundPlan& bound) const {
    for (const std::size_t base : candidates(bound, false))
      if (const std::size_t input = bound.inputs[base];
          input != BoundPlan::constant && plans_.readers[input] == 1)
        return fmt::format("in place, over {}, where that is given up\n",
                           input_name(recording_, input));
    return {};
  }

  /// Calls keep(k, value) for each result of a plan, in memory of its own or over an input that was
  /// given up.
  template <class Keep>
  void make(BoundPlan& bound, const Keep& keep) {
    const Lent lent(bound, inputs_);
    if (bound.turn && can_turn(bound.executable.plan) && is_given_up(bound, 0))
      return keep(bound.results[0], turned(bound));
    SmallVector<OutputTarget, 4> targets;
    bool is_over_base = bound.executable.plan.is_alias();
    for (std::size_t o = 0; o < bound.results.size(); ++o) {
      targets.push_back({.base = base_of(bound, o)});
      is_over_base |= targets.back().base != OutputTarget::no_base;
    }
    if (options_.in_place && !is_over_base) throw_not_in_place(bound);
    std::vector<Storage> values = carried_out(bound, {targets.data(), targets.size()}, options_);
    for (std::size_t o = 0; o < values.size(); ++o) keep(bound.results[o], std::move(values[o]));
  }

  std::vector<Storage> carried_out(BoundPlan& bound, std::span<const OutputTarget> targets,
                                   const EvalOptions& options) const {
    return named(recording_, recording_.outputs[bound.results[0]], [&] {
      Bases bases;
      for (const OutputTarget& target : targets) bases.push_back(target.base);
      bound.executable.make_ready(bases);
      if (!options.progress) return weft::run(bound.executable, targets, options);
      const auto all = static_cast<double>(plans_.plans.size());
      const auto before = static_cast<double>(&bound - plans_.plans.data());
      const PartOptions part(options, before / all, (before + 1) / all);
      return weft::run(bound.executable, targets, part.options());
    });
  }

  Storage turned(const BoundPlan& bound) const {
    check_options(options_);
    const Storage& value = bound.executable.plan.sources[0].value;
    turn_in_place(std::const_pointer_cast<std::byte>(value).get(),
                  plans_.results[bound.results[0]].shape, *bound.turn,
                  plans_.results[bound.results[0]].dtype.size(), options_.threads);
    return value;
  }

  /// To memory that no input overlaps.
  void write(std::span<const Destination> outputs, const EvalOptions& options) {
    for (BoundPlan& bound : plans_.plans) {
      const Lent lent(bound, inputs_);
      SmallVector<OutputTarget, 4> targets;
      for (const std::size_t k : bound.results)
        targets.push_back({.out = static_cast<std::byte*>(outputs[k].data)});
      carried_out(bound, {targets.data(), targets.size()}, options);
    }
    for (std::size_t k = 0; k < outputs.size(); ++k) {
      const ProgramResult& result = plans_.results[k];
      if (result.from == From::input) copy(outputs[k], inputs_[result.input].node().value());
      else if (result.from == From::constant) copy(outputs[k], result.constant);
    }
  }

  static void copy(const Destination& to, const Storage& from) {
    if (to.bytes > 0) std::memcpy(to.data, from.get(), static_cast<std::size_t>(to.bytes));
  }

  bool is_given_up(const BoundPlan& bound, std::size_t source) const {
    const std::size_t input = bound.inputs[source];
    return input != BoundPlan::constant && plans_.readers[input] == 1 &&
           inputs_[input].node().is_given_up(bound.executable.plan.sources[source].value);
  }

  /// The source that nobody but this run holds and an output may be written over, or none.
  std::size_t base_of(const BoundPlan& bound, std::size_t output) const {
    for (const std::size_t base : bases(bound.executable.plan, output, options_.in_place))
      if (is_given_up(bound, base)) return base;
    return OutputTarget::no_base;
  }

  [[noreturn]] void throw_not_in_place(const BoundPlan& bound) const {
    std::string why = "nothing it is made of has its size and is memory of weft's own";
    for (const std::size_t base : candidates(bound, true))
      if (const std::size_t input = bound.inputs[base]; input != BoundPlan::constant)
        why = fmt::format("{} is {}, too", input_name(recording_, input),
                          plans_.readers[input] > 1 ? "needed elsewhere" : "held elsewhere");
    const std::size_t k = bound.results[0];
    throw InPlaceError(fmt::format("program: output {} {} cannot be made in place: {}", k,
                                   to_string(plans_.results[k].shape), why));
  }

  void check(std::span<const Destination> outputs) const {
    if (outputs.size() != plans_.results.size())
      throw ParameterError("length_mismatch",
                           fmt::format("program: {} destinations are given, expected {}",
                                       outputs.size(), plans_.results.size()));
    for (std::size_t k = 0; k < outputs.size(); ++k) {
      if (!outputs[k].data && outputs[k].bytes > 0)
        throw ParameterError(
            "null_pointer",
            fmt::format("program: destination {} is null, expected {} bytes", k, outputs[k].bytes));
      const ProgramResult& result = plans_.results[k];
      if (const DType given = outputs[k].dtype.value_or(result.dtype);
          given != result.dtype &&
          !(result.dtype.kind() == DType::Kind::opaque && given.size() == result.dtype.size()))
        throw DtypeError(fmt::format("program: destination {} is of {}, output {} is {}", k,
                                     given.name(), k, result.dtype.name()));
      if (outputs[k].bytes != result.bytes())
        throw ShapeError(fmt::format("program: {} bytes are given for output {}, {} {} has {}",
                                     outputs[k].bytes, k, result.dtype.name(),
                                     to_string(result.shape), result.bytes()));
    }
  }

  bool overlaps_inputs(std::span<const Destination> outputs) const {
    return std::any_of(outputs.begin(), outputs.end(), [&](const Destination& out) {
      const std::byte* const to = static_cast<const std::byte*>(out.data);
      return std::any_of(inputs_.begin(), inputs_.end(), [&](const Tensor& input) {
        return share_bytes(input.node().value().get(), input.bytes(), to, out.bytes);
      });
    });
  }

  const Recording& recording_;
  ProgramPlans& plans_;
  const std::vector<Tensor>& inputs_;
  const EvalOptions& options_;
};

}  // namespace

struct Program::State {
  State(Recording made, std::size_t capacity) : recording(std::move(made)), plans(capacity) {}

  /// Calls `work` with a run on these inputs.
  template <class Work>
  void with_run(const std::vector<Tensor>& inputs, const EvalOptions& options, const Work& work,
                bool is_into = false) {
    check_inputs(recording, inputs);
    evaluate(inputs, options);
    const PlanLimits limits = limits_of(options);
    const bool is_kept = parameter_bytes(recording, inputs) <= most_parameter_bytes;
    const ProgramKey key = is_kept ? key_of(recording, inputs, limits) : ProgramKey{};
    const BoundedCache<ProgramKey, ProgramPlans>::Use use(plans, key, is_kept, [&] {
      return make_plans(recording, inputs, silent(options), {is_kept, is_into});
    });
    work(Run(recording, use.value(), inputs, options));
    tell_done(options);
  }

  const Recording recording;
  BoundedCache<ProgramKey, ProgramPlans> plans;
};

Program::Program(const std::vector<Tensor>& placeholders, const std::vector<Tensor>& outputs,
                 std::size_t plans)
    : Program(record(placeholders, outputs), plans) {}

Program::Program(Recording recording, std::size_t plans)
    : state_(std::make_shared<State>(std::move(recording), plans)) {
  for (const Tensor& constant : state_->recording.constants) constant.eval();
}

// By value: what the caller has not moved in is held twice then, and not given up.
// NOLINTBEGIN(performance-unnecessary-value-param)
Results Program::run(std::vector<Tensor> inputs, const EvalOptions& options) const {
  Results outputs;
  state_->with_run(inputs, options, [&](Run run) { outputs = run.outputs(); });
  return outputs;
}

void Program::run_into(std::vector<Tensor> inputs, std::span<const Destination> outputs,
                       const EvalOptions& options) const {
  state_->with_run(
      inputs, options, [&](Run run) { run.into(outputs); }, true);
}
// NOLINTEND(performance-unnecessary-value-param)

std::string Program::explain(const std::vector<Tensor>& inputs) const {
  std::string text;
  state_->with_run(inputs, {}, [&](Run run) { text = run.explained(); });
  return text;
}

std::vector<PlanSummary> Program::plan_summaries(const std::vector<Tensor>& inputs) const {
  std::vector<PlanSummary> summaries;
  state_->with_run(inputs, {}, [&](Run run) { summaries = run.summaries(); });
  return summaries;
}

std::size_t Program::input_count() const { return state_->recording.inputs.size(); }
std::size_t Program::output_count() const { return state_->recording.outputs.size(); }

PartialShape Program::output_shape(std::size_t k) const {
  const Recording& recording = state_->recording;
  if (k >= recording.outputs.size())
    throw ParameterError(
        "length_mismatch",
        fmt::format("program: output {} is asked for, there are {}", k, recording.outputs.size()));
  std::size_t number = recording.outputs[k];
  if (number < recording.inputs.size()) return recording.inputs[number].shape;
  number -= recording.inputs.size();
  if (number < recording.constants.size()) return recording.constants[number].shape();
  return recording.calls[number - recording.constants.size()].shape;
}

Recording Program::recording() const&& { return state_->recording; }
const Recording& Program::recording() const& { return state_->recording; }
std::size_t Program::hits() const { return state_->plans.hits(); }

void Program::throw_count(std::size_t expected, std::size_t given) {
  throw ParameterError(
      "length_mismatch",
      fmt::format("program: placeholders given: {}, the function takes {}", given, expected));
}

}  // namespace weft

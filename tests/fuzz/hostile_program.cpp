// SPDX-License-Identifier: Apache-2.0
// Drawing hostile programs out of random graphs.
#include "fuzz/hostile_program.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <span>
#include <utility>

#include <weft/ops/op_table.h>
#include <weft/weft.h>

#include "fuzz/hostile_values.h"
#include "support/random_graph.h"
#include "support/recipe_program.h"

namespace weft::testing {
namespace {

using Number = Recording::Number;

// So many programs are pieces of one random graph, for that costs more to draw.
constexpr std::uint64_t programs_of_one = 48;
constexpr std::int64_t most_bytes = 4096;

/// A random graph whose calls are recorded, with the values of them all.
struct Origin {
  Recording recording;
  std::vector<Tensor> values;
};

Origin origin_of(std::uint64_t seed) {
  for (;; seed += 0x9E3779B97F4A7C15) {
    const RecipeProgram made = program_of(random_recipe(seed), seed);
    Origin origin{made.program.recording(), made.inputs};
    std::vector<Tensor>& values = origin.values;
    const Recording& recording = origin.recording;
    values.insert(values.end(), recording.constants.begin(), recording.constants.end());
    for (const Recording::Call& call : recording.calls) {
      Arguments arguments;
      for (const Number operand : call.operands) arguments.operands.push_back(values[operand]);
      for (const auto& [literal, number] : call.parameters)
        arguments.parameters.push_back(
            number == Recording::Parameter::literal ? literal : Argument(Ints(values[number])));
      values.push_back(call.op->build(arguments));
      if (values.back().bytes() > most_bytes) break;
      values.back().eval();
    }
    const bool is_small = std::all_of(values.begin(), values.end(), [](const Tensor& value) {
      return value.bytes() <= most_bytes;
    });
    if (is_small && !recording.calls.empty()) return origin;
  }
}

/// The last that was drawn serves for the next seeds, too.
const Origin& kept_origin(std::uint64_t seed) {
  thread_local std::pair<std::uint64_t, Origin> kept{seed + 1, {}};
  if (kept.first != seed) kept = {seed, origin_of(seed)};
  return kept.second;
}

class Drawer {
 public:
  explicit Drawer(std::uint64_t seed)
      : random_(seed * 2 + 1), origin_(kept_origin(seed / programs_of_one)) {}

  HostileProgram run() {
    cut();
    for (std::size_t changes = random_.one_in(4) ? 0 : random_.below(4); changes > 0; --changes)
      change();
    if (random_.one_in(5)) add_call();
    const std::uint64_t rarity = random_.in(1, 4);
    for (std::size_t c = 0; c < program_.calls.size(); ++c)
      for (HostileParameter& parameter : program_.calls[c].parameters)
        if (random_.one_in(rarity)) open(parameter);
    if (program_.inputs.empty()) ref_of(random_tensor(i32, {2, 3}, random_));
    for (HostileInput& input : program_.inputs)
      if (!random_.one_in(8)) input.shape = opened(input.value.shape(), random_);
    return std::move(program_);
  }

 private:
  HostileRef ref_of(const Tensor& value) {
    program_.inputs.push_back({value, value.shape()});
    return {false, program_.inputs.size() - 1};
  }

  /// Some calls in a row; what comes from before them are inputs.
  void cut() {
    const Recording& recording = origin_.recording;
    const std::size_t before = recording.inputs.size() + recording.constants.size();
    const std::size_t length = 1 + random_.below(std::min<std::size_t>(5, recording.calls.size()));
    const std::size_t first = random_.below(recording.calls.size() - length + 1);
    std::map<Number, HostileRef> refs;
    const auto ref = [&](Number number) {
      const auto known = refs.find(number);
      if (known != refs.end()) return known->second;
      return refs.emplace(number, ref_of(origin_.values[number])).first->second;
    };
    for (std::size_t c = first; c < first + length; ++c) {
      const Recording::Call& call = recording.calls[c];
      HostileCall made{call.op, {}, {}};
      for (const Number operand : call.operands) made.operands.push_back(ref(operand));
      for (const auto& [literal, number] : call.parameters) {
        if (number == Recording::Parameter::literal) made.parameters.push_back({literal});
        else made.parameters.push_back({{}, true, ref(number)});
      }
      refs.insert_or_assign(static_cast<Number>(before + c),
                            HostileRef{true, program_.calls.size()});
      program_.calls.push_back(std::move(made));
    }
  }

  /// Any value from before call c.
  HostileRef any_ref(std::size_t c) {
    const std::size_t k = random_.below(program_.inputs.size() + c);
    if (k < program_.inputs.size()) return {false, k};
    return {true, k - program_.inputs.size()};
  }

  void change() {
    const std::size_t c = random_.below(program_.calls.size());
    HostileCall& call = program_.calls[c];
    switch (random_.below(7)) {
      case 0:
        call.operands[random_.below(call.operands.size())] = any_ref(c);
        break;
      case 1:
        if (call.op->is_variadic && call.operands.size() > call.op->operands.size() &&
            random_.one_in(2))
          call.operands.pop_back();
        else if (call.op->is_variadic) call.operands.push_back(any_ref(c));
        break;
      case 2: {
        HostileInput& input = program_.inputs[random_.below(program_.inputs.size())];
        input.value = changed(input.value, random_);
        break;
      }
      case 3:
        call = any_call(c);
        break;
      default:
        if (!call.parameters.empty())
          change(call.parameters[random_.below(call.parameters.size())], c);
    }
  }

  void change(HostileParameter& parameter, std::size_t c) {
    if (parameter.is_value) {
      if (parameter.value.is_call || random_.one_in(4)) {
        parameter.value = any_ref(c);
      } else {
        Tensor& value = program_.inputs[parameter.value.index].value;
        value = changed(value, random_);
      }
    } else if (Ints* const ints = std::get_if<Ints>(&parameter.literal)) {
      if (random_.one_in(12)) parameter = {{}, true, any_ref(c)};
      else *ints = changed(*ints, random_);
    } else if (DType* const dtype = std::get_if<DType>(&parameter.literal)) {
      *dtype = hostile_type(random_);
    } else {
      std::string& text = std::get<std::string>(parameter.literal);
      text = changed(text, random_);
    }
  }

  /// A call of any op by any arguments, in place c.
  HostileCall any_call(std::size_t c) {
    const std::span<const Op* const> table = op_table();
    const Op* const op = table[random_.below(table.size())];
    HostileCall call{op, {}, {}};
    const std::size_t more = op->is_variadic ? random_.below(3) : 0;
    for (std::size_t k = 0; k < op->operands.size() + more; ++k)
      call.operands.push_back(any_ref(c));
    const std::size_t rank = random_.below(5);
    for (std::size_t k = 0; k < op->parameters.size(); ++k) {
      const ArgumentType type = op->type(k);
      if (type == ArgumentType::text) call.parameters.push_back({hostile_text(random_)});
      else if (type == ArgumentType::dtype) call.parameters.push_back({hostile_type(random_)});
      else call.parameters.push_back({hostile_ints(random_, rank)});
    }
    return call;
  }

  void add_call() { program_.calls.push_back(any_call(program_.calls.size())); }

  /// A literal becomes an input.
  void open(HostileParameter& parameter) {
    const Ints* const ints = std::get_if<Ints>(&parameter.literal);
    if (parameter.is_value || !ints || ints->is_none()) return;
    parameter = {{}, true, ref_of(tensor_of(*ints))};
  }

  Random random_;
  const Origin& origin_;
  HostileProgram program_;
};

std::string text_of(const HostileRef& ref) {
  return fmt::format("{}{}", ref.is_call ? "call " : "input ", ref.index);
}

}  // namespace

HostileProgram hostile_program(std::uint64_t seed) { return Drawer(seed).run(); }

std::vector<Tensor> other_inputs(const HostileProgram& program, std::uint64_t seed) {
  Random random(seed);
  std::map<std::int64_t, std::int64_t> others;  // so that extents that were equal stay so
  std::vector<Tensor> values;
  for (const auto& [value, partial] : program.inputs) {
    Shape shape = value.shape();
    const bool fits = !partial.has_rank() || partial.rank() == shape.size();
    for (std::size_t axis = 0; fits && axis < shape.size(); ++axis) {
      const auto other = others.emplace(shape[axis], shape[axis] + random.in(0, 1)).first->second;
      if (!partial.has_rank() || partial[axis].contains(other)) shape[axis] = other;
    }
    const bool is_kept = random.one_in(2) || element_count(shape) > most_bytes;
    const bool is_whole = is_kept && shape == value.shape();
    values.push_back(is_whole ? value
                     : element_count(shape) > most_bytes
                         ? value
                         : random_tensor(value.dtype(), shape, random));
  }
  return values;
}

bool fit(const HostileProgram& program, const std::vector<Tensor>& values) {
  std::map<std::string, std::int64_t> bound;
  for (std::size_t k = 0; k < values.size(); ++k) {
    const auto& [value, partial] = program.inputs[k];
    const Shape& shape = values[k].shape();
    if (values[k].dtype() != value.dtype()) return false;
    if (!partial.has_rank()) continue;
    if (partial.rank() != shape.size()) return false;
    for (std::size_t axis = 0; axis < shape.size(); ++axis) {
      const Dim& dim = partial[axis];
      if (!dim.contains(shape[axis])) return false;
      if (dim.name().empty()) continue;
      if (bound.emplace(dim.name(), shape[axis]).first->second != shape[axis]) return false;
    }
  }
  return true;
}

std::string to_string(const HostileProgram& program) {
  std::string text;
  for (std::size_t k = 0; k < program.inputs.size(); ++k) {
    const auto& [value, shape] = program.inputs[k];
    const bool is_listed = value.dtype().is_integer() && value.rank() <= 1 && value.size() < 20;
    text += fmt::format("input {}: {} {} as {} {}\n", k, value.dtype().name(),
                        weft::to_string(value.shape()), weft::to_string(shape),
                        is_listed ? Ints(value).text() : std::string());
  }
  for (std::size_t c = 0; c < program.calls.size(); ++c) {
    text += fmt::format("call {}: {}", c, program.calls[c].op->name);
    for (const HostileRef& operand : program.calls[c].operands)
      text += fmt::format(", {}", text_of(operand));
    for (const HostileParameter& parameter : program.calls[c].parameters) {
      const Ints* const ints = std::get_if<Ints>(&parameter.literal);
      text += fmt::format(
          ", {} {}", !parameter.is_value && ints ? ints->dtype().name() : "",
          parameter.is_value ? text_of(parameter.value) : weft::to_string(parameter.literal));
    }
    text += "\n";
  }
  return text;
}

}  // namespace weft::testing

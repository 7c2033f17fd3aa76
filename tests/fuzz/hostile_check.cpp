// SPDX-License-Identifier: Apache-2.0
// Running hostile programs, as programs and op by op.
#include "fuzz/hostile_check.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <fmt/format.h>
#include <optional>

#include <weft/io/program_json.h>
#include <weft/weft.h>

#include "support/random.h"

namespace weft::testing {
namespace {

// A value of more bytes is not compared.
constexpr std::int64_t most_bytes = 32 * 1024;
// What runs may take: far more than they need, and for those of too large values less.
constexpr std::int64_t generous = std::int64_t{64} << 20, tight = std::int64_t{1} << 20;

/// Something that is wrong.
struct Flaw {
  std::string what;
};

/// An error of weft's, looked at.
struct Refusal {
  std::string category, message;
};

/// Calls `work`; what it throws must be an error of weft's, of some hundred characters.
template <class Work>
std::optional<Refusal> refusal_of(const Work& work) {
  try {
    work();
    return std::nullopt;
  } catch (const Error& error) {
    const std::string message = error.what();
    if (message.size() > Error::longest_message)
      throw Flaw{fmt::format("a message has {} characters: {}", message.size(), message)};
    return Refusal{std::string(error.category()), message};
  }
}

/// What one call made by itself.
struct Outcome {
  std::optional<Tensor> value;
  std::optional<Refusal> refusal;
  bool is_too_large = false;
};

bool allows(const PartialShape& partial, const Shape& shape) {
  if (!partial.has_rank()) return true;
  return partial.rank() == shape.size() &&
         std::equal(shape.begin(), shape.end(), partial.dims().begin(),
                    [](std::int64_t extent, const Dim& dim) { return dim.contains(extent); });
}

bool is_equal(const Tensor& a, const Tensor& b) {
  if (a.dtype() != b.dtype() || !(a.shape() == b.shape())) return false;
  a.eval();
  b.eval();
  return a.bytes() == 0 || std::memcmp(a.node().value().get(), b.node().value().get(),
                                       static_cast<std::size_t>(a.bytes())) == 0;
}

class Check {
 public:
  Check(const HostileProgram& program, std::uint64_t seed, HostileCounts& counts)
      : program_(program), random_(seed), counts_(counts) {}

  void run() {
    std::vector<Tensor> values;
    for (const HostileInput& input : program_.inputs) values.push_back(input.value);
    if (!record()) return;
    if (outputs_.empty()) {
      ++counts_.refused;
      compare_recording(values);
      return;
    }
    const Program program(placeholders_, outputs_);
    compare_recording(values);
    compare_run(program, values);
    const std::vector<Tensor> others = other_inputs(program_, random_.bits());
    compare_run(program, others);
    compare_run(program, values);
    if (random_.one_in(4)) compare_damaged(program, values);
  }

 private:
  /// Values of operands and parameters, or nothing where one of them was refused.
  std::optional<Arguments> arguments_of(const HostileCall& call, const std::vector<Tensor>& inputs,
                                        const std::vector<std::optional<Tensor>>& made) const {
    Arguments arguments;
    const auto value = [&](const HostileRef& ref) {
      return ref.is_call ? made[ref.index] : inputs[ref.index];
    };
    for (const HostileRef& operand : call.operands) {
      if (!value(operand)) return std::nullopt;
      arguments.operands.push_back(*value(operand));
    }
    for (const HostileParameter& parameter : call.parameters) {
      if (!parameter.is_value) {
        arguments.parameters.push_back(parameter.literal);
      } else {
        if (!value(parameter.value)) return std::nullopt;
        arguments.parameters.push_back(Ints(*value(parameter.value)));
      }
    }
    return arguments;
  }

  /// False where the placeholders themselves are refused.
  bool record() {
    const auto refused = refusal_of([&] {
      for (const HostileInput& input : program_.inputs)
        placeholders_.push_back(placeholder(input.value.dtype(), input.shape));
    });
    if (refused) {
      ++counts_.refused;
      return false;
    }
    std::vector<bool> is_used(program_.calls.size());
    for (std::size_t c = 0; c < program_.calls.size(); ++c) {
      open_.emplace_back();
      refusals_.emplace_back();
      const HostileCall& call = program_.calls[c];
      std::optional<Arguments> arguments;
      refusals_[c] = refusal_of([&] {
        arguments = arguments_of(call, placeholders_, open_);
        if (arguments) open_[c] = call.op->build(*arguments);
      });
      if (!open_[c] || !open_[c]->is_open()) continue;
      for (const HostileRef& operand : call.operands)
        if (operand.is_call) is_used[operand.index] = true;
      for (const HostileParameter& parameter : call.parameters)
        if (parameter.is_value && parameter.value.is_call) is_used[parameter.value.index] = true;
    }
    for (std::size_t c = 0; c < program_.calls.size(); ++c) {
      if (!open_[c] || is_used[c]) continue;
      // What depends on no input was computed when it was recorded.
      if (!open_[c]->is_open() && open_[c]->bytes() > most_bytes) continue;
      outputs_.push_back(*open_[c]);
      made_by_.push_back(c);
    }
    return true;
  }

  /// Each call by itself, of what the calls before made; gradients, of what that was made of.
  std::vector<Outcome> one_by_one(const std::vector<Tensor>& inputs) const {
    std::vector<Outcome> outcomes(program_.calls.size());
    std::vector<std::optional<Tensor>> made(program_.calls.size()), graph(program_.calls.size());
    // A program is given values, whatever they were made of.
    std::vector<Tensor> leaves;
    for (const Tensor& input : inputs)
      leaves.push_back(copy_from(input.eval().node().value().get(), input.dtype(), input.shape()));
    for (std::size_t c = 0; c < outcomes.size(); ++c) {
      Outcome& outcome = outcomes[c];
      const HostileCall& call = program_.calls[c];
      refusal_of([&] {
        if (const auto arguments = arguments_of(call, leaves, graph))
          graph[c] = call.op->build(*arguments);
      });
      outcome.refusal = refusal_of([&] {
        const auto arguments = call.op->build_all ? arguments_of(call, leaves, graph)
                                                  : arguments_of(call, inputs, made);
        if (!arguments) return;
        const Tensor result = call.op->build(*arguments);
        outcome.is_too_large = result.bytes() > most_bytes;
        if (outcome.is_too_large) return;
        outcome.value = made[c] = result.eval({.threads = 1, .memory_limit = generous});
      });
    }
    return outcomes;
  }

  /// What recording said of the calls must be true of values that fit.
  void compare_recording(const std::vector<Tensor>& inputs) const {
    if (!fit(program_, inputs)) return;
    const std::vector<Outcome> outcomes = one_by_one(inputs);
    for (std::size_t c = 0; c < outcomes.size(); ++c) {
      if (!outcomes[c].value) continue;
      if (refusals_[c])
        throw Flaw{fmt::format("call {} was refused when it was recorded, but runs: {}", c,
                               refusals_[c]->message)};
      check_inferred(c, *outcomes[c].value);
    }
  }

  void check_inferred(std::size_t c, const Tensor& value) const {
    if (!open_[c]) return;
    if (!allows(open_[c]->partial_shape(), value.shape()))
      throw Flaw{fmt::format("call {} is inferred to be {}, it is {}", c,
                             weft::to_string(open_[c]->partial_shape()),
                             weft::to_string(value.shape()))};
    if (open_[c]->dtype() != value.dtype())
      throw Flaw{fmt::format("call {} is recorded as {}, it is {}", c, open_[c]->dtype().name(),
                             value.dtype().name())};
  }

  void compare_run(const Program& program, const std::vector<Tensor>& inputs) {
    const bool fits = fit(program_, inputs);
    const std::vector<Outcome> outcomes =
        fits ? one_by_one(inputs) : std::vector<Outcome>(program_.calls.size());
    const bool is_too_large = std::any_of(outcomes.begin(), outcomes.end(),
                                          [](const Outcome& each) { return each.is_too_large; });
    const bool is_short = random_.one_in(8);  // of memory
    const EvalOptions options{.threads = 1,
                              .memory_limit = is_short       ? random_.in(1, 4096)
                                              : is_too_large ? tight
                                                             : generous};
    std::vector<Tensor> results;
    const auto refusal = refusal_of([&] { results = program.run(inputs, options); });
    if (!fits) {
      ++counts_.ill_fitting;
      if (!refusal) throw Flaw{"inputs that do not fit were accepted"};
      return;
    }
    if (is_too_large) {
      ++counts_.too_large;
      return;
    }
    if (refusal) {
      ++counts_.failed;
      if (is_short && refusal->category == "out_of_memory") return;
      return check_refusal(*refusal, outcomes);
    }
    ++counts_.ran;
    for (std::size_t k = 0; k < results.size(); ++k) {
      const std::size_t c = made_by_[k];
      if (!outcomes[c].value)
        throw Flaw{fmt::format("call {} ran, but not by itself: {}", c,
                               outcomes[c].refusal ? outcomes[c].refusal->message : "no operand")};
      check_inferred(c, *outcomes[c].value);
      if (!is_equal(results[k], *outcomes[c].value))
        throw Flaw{fmt::format("call {} made other elements than by itself", c)};
    }
  }

  /// A call that was recorded must be refused by itself in the same way, and be named.
  void check_refusal(const Refusal& refusal, const std::vector<Outcome>& outcomes) const {
    for (std::size_t c = 0; c < outcomes.size(); ++c) {
      if (!open_[c] || !outcomes[c].refusal) continue;
      if (outcomes[c].refusal->category != refusal.category) continue;
      const std::string_view message = refusal.message;
      const std::size_t space = message.find(' ');
      if (message.starts_with('%') && space != message.npos &&
          message.substr(space + 1).starts_with(program_.calls[c].op->name))
        return;
    }
    throw Flaw{fmt::format("the run was refused, but no call by itself like that: {}: {}",
                           refusal.category, refusal.message)};
  }

  /// A few characters of the text are changed; whoever reads it says so, or runs it.
  void compare_damaged(const Program& program, const std::vector<Tensor>& inputs) {
    std::string text;
    if (refusal_of([&] { text = to_json(program); })) return;
    for (std::size_t changes = 1 + random_.below(3); changes > 0; --changes) damage(text);
    refusal_of([&] {
      const Program damaged = program_from_json(text);
      ++counts_.loaded;
      damaged.run(inputs, {.threads = 1, .memory_limit = tight});
    });
  }

  /// A number, or whatever a character is part of, becomes another.
  void damage(std::string& text) {
    static constexpr std::string_view digits = "0123456789";
    const std::size_t at = random_.below(text.size());
    const std::size_t begin = text.find_first_of(digits, at);
    if (begin == text.npos || random_.one_in(4)) {
      text[at] = static_cast<char>(32 + random_.below(95));
      return;
    }
    const std::size_t end = std::min(text.size(), text.find_first_not_of(digits, begin));
    const std::int64_t number = random_.one_in(4)   ? INT64_MAX - random_.in(0, 1)
                                : random_.one_in(5) ? 2000
                                                    : random_.in(0, 8);
    text.replace(begin, end - begin, fmt::format("{}", number));
  }

  const HostileProgram& program_;
  Random random_;
  HostileCounts& counts_;
  std::vector<Tensor> placeholders_;
  std::vector<std::optional<Tensor>> open_;       // what each call was recorded as
  std::vector<std::optional<Refusal>> refusals_;  // or why not
  std::vector<Tensor> outputs_;
  std::vector<std::size_t> made_by_;  // the call of each output
};

}  // namespace

std::string flaw_of(const HostileProgram& program, std::uint64_t seed, HostileCounts& counts) {
  try {
    Check(program, seed, counts).run();
    return {};
  } catch (const Flaw& flaw) {
    return flaw.what;
  } catch (const std::exception& error) {
    return fmt::format("threw what is no error of weft's: {}", error.what());
  }
}

}  // namespace weft::testing

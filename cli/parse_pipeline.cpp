// SPDX-License-Identifier: Apache-2.0
// Calls of the table's ops from the text of a pipeline.
#include <weft/cli/parse_pipeline.h>

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <optional>
#include <utility>

#include <weft/cli/pipeline_text.h>
#include <weft/engine/memory/create.h>
#include <weft/ops/create/scalar.h>
#include <weft/ops/elementwise/types.h>
#include <weft/ops/op_table.h>

namespace weft {
namespace {

constexpr std::string_view flow = "_";

Ints ints_of(const std::vector<std::int64_t>& list) {
  return Ints(i64, 1, std::span<const std::int64_t>(list));
}

Argument argument_of(const Default& otherwise, ArgumentType type) {
  switch (type) {
    case ArgumentType::integers:
      return otherwise.ints();
    case ArgumentType::text:
      return std::string(otherwise.kind() == Default::Kind::text ? otherwise.text() : "");
    case ArgumentType::number:
      return otherwise.number();
    default:
      return otherwise.flag();
  }
}

/// Of numbers that are written as words.
std::optional<double> special_number(std::string_view word) {
  if (word == "inf") return std::numeric_limits<double>::infinity();
  if (word == "nan") return std::numeric_limits<double>::quiet_NaN();
  return std::nullopt;
}

std::string_view name_of(ArgumentType type) {
  constexpr std::string_view names[] = {"integers", "a text", "a number", "true or false",
                                        "a type"};
  return names[static_cast<std::size_t>(type)];
}

/// The op whose name is most like another one, if any is.
std::string_view nearest(std::string_view name) {
  const auto shared = [&](std::string_view other) {
    return static_cast<std::size_t>(
        std::mismatch(name.begin(), name.end(), other.begin(), other.end()).first - name.begin());
  };
  std::string_view best;
  for (const Op* const op : op_table())
    if (best.empty() || shared(op->name) > shared(best)) best = op->name;
  return shared(best) >= 3 ? best : std::string_view();
}

class Pipeline {
 public:
  Pipeline(const PipelineInputs& inputs, std::size_t* at) : inputs_(inputs), at_(at) {}

  Tensor run(const std::vector<PipelineCall>& steps) {
    if (const auto own = inputs_.find(flow); own != inputs_.end()) flow_ = own->second;
    // `_` may stand anywhere in a step, also in a call within it.
    for (const PipelineCall& step : steps)
      flow_ = made(step, flow_.has_value() && !tells_flow(step));
    return flow_;
  }

 private:
  static bool tells_flow(const PipelineCall& call) {
    return std::any_of(call.arguments.begin(), call.arguments.end(),
                       [](const PipelineArgument& each) { return tells_flow(each.value); });
  }
  static bool tells_flow(const PipelineValue& value) {
    if (const auto* const word = std::get_if<PipelineWord>(&value.value)) return word->text == flow;
    if (const auto* const call = std::get_if<std::vector<PipelineCall>>(&value.value))
      return tells_flow(call->front());
    if (const auto* const list = std::get_if<std::vector<PipelineValue>>(&value.value))
      return std::any_of(list->begin(), list->end(),
                         [](const PipelineValue& each) { return tells_flow(each); });
    return false;
  }

  Tensor made(const PipelineCall& call, bool takes_flow) {
    const Op* const op = op_named(call.name);
    if (!op) {
      if (call.arguments.empty() && inputs_.contains(call.name))
        return tensor_named(call.name, call.at);
      const std::string_view other = nearest(call.name);
      throw PipelineError(
          fmt::format("pipeline: there is no op {:.60}{}", call.name,
                      other.empty() ? "" : fmt::format("; did you mean {}?", other)),
          call.at);
    }
    return Call(*this, *op, call, takes_flow).run();
  }

  Tensor tensor_named(const std::string& name, std::size_t at) const {
    if (name == flow) {
      if (!flow_.has_value()) throw PipelineError("pipeline: nothing comes before _", at);
      return flow_;
    }
    const auto own = inputs_.find(name);
    if (own == inputs_.end())
      throw PipelineError(fmt::format("pipeline: there is no input {:.60}", name), at);
    return own->second;
  }

  /// One call: its arguments put to the op's.
  class Call {
   public:
    Call(Pipeline& pipeline, const Op& op, const PipelineCall& call, bool takes_flow)
        : pipeline_(pipeline),
          op_(op),
          call_(call),
          takes_flow_(takes_flow),
          next_(takes_flow ? 1 : 0),
          given_(op.arguments.size(), nullptr) {}

    Tensor run() {
      for (const PipelineArgument& argument : call_.arguments) put(argument);
      Arguments arguments;
      if (takes_flow_) add_tensor(arguments, pipeline_.flow_);
      for (std::size_t k = 0; k < op_.arguments.size(); ++k) add(k, arguments);
      if (pipeline_.at_) *pipeline_.at_ = call_.at;
      put_numbers(arguments);
      if (!op_.takes(arguments.operands.size()))
        throw PipelineError(fmt::format("{}: no tensors, expected one or more", op_.name),
                            call_.at);
      return op_.build(arguments);
    }

   private:
    bool is_parameter(std::size_t k) const { return op_.arguments[k].role == Role::parameter; }

    void put(const PipelineArgument& argument) {
      if (argument.name.empty()) {
        // Tensors go on into the operand that stands for several.
        if (op_.is_variadic && next_ <= 1 && is_tensor(argument.value)) {
          many_.push_back(&argument.value);
          next_ = 1;
          return;
        }
        if (op_.is_variadic && next_ == 0) next_ = 1;
        if (next_ >= given_.size())
          throw PipelineError(fmt::format("{}: more arguments than it takes", op_.name),
                              argument.at);
        given_[next_++] = &argument.value;
        return;
      }
      const auto own =
          std::find_if(op_.arguments.begin(), op_.arguments.end(),
                       [&](const ArgumentInfo& info) { return info.name == argument.name; });
      if (own == op_.arguments.end()) {
        if (op_.parameters.contains("sizes") && put_size(argument)) return;
        throw PipelineError(fmt::format("{}: it has no argument {:.60}", op_.name, argument.name),
                            argument.at);
      }
      const auto k = static_cast<std::size_t>(own - op_.arguments.begin());
      if (given_[k] || (k == 0 && (takes_flow_ || !many_.empty())))
        throw PipelineError(fmt::format("{}: {} is given twice", op_.name, argument.name),
                            argument.at);
      if (op_.is_variadic && k == 0) many_.push_back(&argument.value);
      else given_[k] = &argument.value;
    }
    /// An axis of a pattern, by its name.
    bool put_size(const PipelineArgument& argument) {
      const auto* const size = std::get_if<std::int64_t>(&argument.value.value);
      if (!size) return false;
      axis_names_ += (axis_names_.empty() ? "" : " ") + argument.name;
      axis_sizes_.push_back(*size);
      return true;
    }

    static bool is_tensor(const PipelineValue& value) {
      if (std::holds_alternative<std::vector<PipelineCall>>(value.value)) return true;
      if (const auto* const list = std::get_if<std::vector<PipelineValue>>(&value.value))
        return !list->empty();
      const auto* const word = std::get_if<PipelineWord>(&value.value);
      return word && word->text != "none";
    }

    void add(std::size_t k, Arguments& to) {
      const ArgumentInfo& info = op_.arguments[k];
      const PipelineValue* const given = given_[k];
      if (is_parameter(k)) {
        if (!given) to.parameters.push_back(missing(info));
        else to.parameters.push_back(parameter(info, *given));
        return;
      }
      if (k == 0 && takes_flow_ && !op_.is_variadic) return;
      if (op_.is_variadic) {
        for (const PipelineValue* const each : many_) add_tensors(to, *each);
        return;
      }
      if (!given)
        throw PipelineError(fmt::format("{}: {} is missing", op_.name, info.name), call_.at);
      add_tensors(to, *given);
    }

    Argument missing(const ArgumentInfo& info) const {
      if (info.name == "names" && !axis_names_.empty()) return axis_names_;
      if (info.name == "sizes" && !axis_sizes_.empty()) return ints_of(axis_sizes_);
      if (!info.otherwise.is_given())
        throw PipelineError(fmt::format("{}: {} is missing", op_.name, info.name), call_.at);
      return argument_of(info.otherwise, info.type);
    }

    [[noreturn]] void refuse(const ArgumentInfo& info, const PipelineValue& given) const {
      throw PipelineError(fmt::format("{}: {} is {}", op_.name, info.name, name_of(info.type)),
                          given.at);
    }

    Argument parameter(const ArgumentInfo& info, const PipelineValue& given) const {
      const auto* const word = std::get_if<PipelineWord>(&given.value);
      switch (info.type) {
        case ArgumentType::integers:
          if (const auto* const integer = std::get_if<std::int64_t>(&given.value))
            return Ints(*integer);
          if (const auto* const list = std::get_if<std::vector<std::int64_t>>(&given.value))
            return ints_of(*list);
          if (word && word->text == "none") return Ints(none);
          if (word && pipeline_.inputs_.contains(word->text))
            return Ints(pipeline_.inputs_.find(word->text)->second);
          break;
        case ArgumentType::text:
          if (const auto* const text = std::get_if<std::string>(&given.value)) return *text;
          break;
        case ArgumentType::number:
          if (const auto* const number = std::get_if<double>(&given.value)) return *number;
          if (const auto* const integer = std::get_if<std::int64_t>(&given.value))
            return static_cast<double>(*integer);
          if (word)
            if (const std::optional<double> special = special_number(word->text)) return *special;
          break;
        case ArgumentType::flag:
          if (word && (word->text == "true" || word->text == "false")) return word->text == "true";
          break;
        case ArgumentType::dtype:
          if (word)
            if (const std::optional<DType> type = parse_dtype(word->text)) return *type;
          break;
      }
      refuse(info, given);
    }

    void add_tensor(Arguments& to, Tensor tensor) { to.operands.push_back(std::move(tensor)); }
    void add_tensors(Arguments& to, const PipelineValue& value) {
      if (const auto* const list = std::get_if<std::vector<PipelineValue>>(&value.value)) {
        for (const PipelineValue& each : *list) add_tensors(to, each);
      } else if (const auto* const word = std::get_if<PipelineWord>(&value.value)) {
        const std::optional<double> special = special_number(word->text);
        if (word->text == "true" || word->text == "false") add_number(to, word->text == "true");
        else if (special && !pipeline_.inputs_.contains(word->text)) add_number(to, *special);
        else add_tensor(to, pipeline_.tensor_named(word->text, value.at));
      } else if (const auto* const call = std::get_if<std::vector<PipelineCall>>(&value.value)) {
        add_tensor(to, pipeline_.made(call->front(), false));
      } else if (const auto* const integer = std::get_if<std::int64_t>(&value.value)) {
        add_number(to, *integer);
      } else if (const auto* const number = std::get_if<double>(&value.value)) {
        add_number(to, *number);
      } else if (const auto* const integers =
                     std::get_if<std::vector<std::int64_t>>(&value.value)) {
        add_tensor(to, from_vector(*integers, {std::ssize(*integers)}));
      } else {
        throw PipelineError(fmt::format("{}: a tensor is expected", op_.name), value.at);
      }
    }
    /// Which takes the type of a tensor beside it.
    void add_number(Arguments& to, Scalar number) {
      numbers_.emplace_back(to.operands.size(), number);
      to.operands.emplace_back();
    }
    void put_numbers(Arguments& to) const {
      if (numbers_.empty()) return;
      const Tensor* const beside = type_giver(to);
      if (!beside)
        throw PipelineError(fmt::format("{}: a tensor is expected beside numbers", op_.name),
                            call_.at);
      const Tensor type = *beside;
      // Ops that move take any number that the type can hold, those that compute one of its kind.
      const bool moves = op_.name == "pad" || op_.name == "where";
      for (const auto& [place, number] : numbers_)
        to.operands[place] =
            moves ? number.as(type.dtype(), op_.name) : weak(op_.name, number, type);
    }
    /// The last tensor that is none: a condition says nothing of the type.
    static const Tensor* type_giver(const Arguments& arguments) {
      const Tensor* found = nullptr;
      for (const Tensor& each : arguments.operands)
        if (each.has_value()) found = &each;
      return found;
    }

    Pipeline& pipeline_;
    const Op& op_;
    const PipelineCall& call_;
    const bool takes_flow_;
    std::size_t next_;  // of the op's arguments, that one without a name is
    std::vector<const PipelineValue*> given_, many_;
    std::vector<std::pair<std::size_t, Scalar>> numbers_;
    std::string axis_names_;
    std::vector<std::int64_t> axis_sizes_;
  };

  const PipelineInputs& inputs_;
  std::size_t* const at_;
  Tensor flow_;
};

}  // namespace

Tensor parse_pipeline(std::string_view text, const PipelineInputs& inputs, std::size_t* at) {
  try {
    return Pipeline(inputs, at).run(parse_pipeline_text(text));
  } catch (const PipelineError& error) {
    if (at) *at = error.at();
    throw;
  }
}

}  // namespace weft

// SPDX-License-Identifier: Apache-2.0
// An op as data: what a program keeps of a call that has to wait for its arguments.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include <weft/graph/fields.h>
#include <weft/graph/tensor.h>
#include <weft/graph/value/extents.h>
#include <weft/graph/value/partial_shape.h>

namespace weft {

/// What a parameter of an op is given as: integers, text (a mode, a pattern), a number, a flag, an
/// element type.
using Argument = std::variant<Ints, std::string, double, bool, DType>;
/// Which of them, in their order.
enum class ArgumentType : std::uint8_t { integers, text, number, flag, dtype };
inline ArgumentType type_of(const Argument& argument) {
  return static_cast<ArgumentType>(argument.index());
}
/// Whether both say the same. Nothing that is open is the same as another.
bool is_same(const Argument& one, const Argument& other);

/// The arguments of an op: its operands, then its parameters, in the order of the free function.
struct Arguments {
  std::vector<Tensor> operands;
  std::vector<Argument> parameters;

  const Ints& ints(std::size_t k) const { return parameter<Ints>(k); }
  const std::string& text(std::size_t k) const { return parameter<std::string>(k); }

  template <class Type>
  const Type& parameter(std::size_t k) const {
    const Type* const found = k < parameters.size() ? std::get_if<Type>(&parameters[k]) : nullptr;
    if (!found) throw InternalError("an op and its texts disagree on what its parameters are");
    return *found;
  }
};

/// An argument of an op, as its list tells it.
struct ArgumentInfo {
  Role role;
  ArgumentType type;  ///< of a parameter
  std::string_view name, doc;
  Default otherwise;
};

/// An op as data, made of its list by op_of() (graph/define.h): its name, those of its arguments,
/// the call itself, and what can be said of the type of the result where types and parameters are
/// known in part. The last operand of a variadic op stands for one or more.
struct Op {
  struct Names {
    static constexpr std::size_t most = 12;
    std::array<std::string_view, most> names{};
    std::size_t count = 0;

    constexpr Names(std::initializer_list<std::string_view> list) {
      for (const std::string_view name : list) add(name);
    }
    constexpr void add(std::string_view name) {
      if (count == most) throw InternalError("an op has more than 12 operands or parameters");
      names[count++] = name;
    }
    constexpr std::size_t size() const { return count; }
    constexpr std::string_view operator[](std::size_t i) const { return names[i]; }
    constexpr bool contains(std::string_view name) const {
      return std::find(names.begin(), names.begin() + count, name) != names.begin() + count;
    }
  };

  std::string_view name;
  Names operands, parameters;
  Tensor (*build)(const Arguments&);
  KnownType (*infer)(const Arguments&);
  /// Of an op whose last parameter is which of several results a call makes: all of them.
  std::vector<Tensor> (*build_all)(const Arguments&) = nullptr;
  std::span<const ArgumentInfo> arguments;  ///< all of them, in the order of the function
  Names texts{};                            ///< those of the parameters that are text
  bool is_variadic = false;
  /// The operand whose elements say where those of the result come from; it is read before a plan
  /// is made.
  std::size_t index = no_index;

  static constexpr std::size_t no_index = static_cast<std::size_t>(-1);
  /// What parameter k is given as.
  ArgumentType type(std::size_t k) const;
  bool takes(std::size_t count) const {
    return is_variadic ? count >= operands.size() : count == operands.size();
  }
};

/// Whether a value, or some part of it, is not known before a program runs.
inline bool is_open(const Tensor& tensor) { return tensor.is_open(); }
inline bool is_open(const Ints& values) { return values.is_open(); }
inline bool is_open(const std::string&) { return false; }
inline bool is_open(double) { return false; }
inline bool is_open(bool) { return false; }
inline bool is_open(DType) { return false; }
inline bool is_open(const Tensors& tensors) {
  return std::any_of(tensors.begin(), tensors.end(), [](const Tensor& x) { return x.is_open(); });
}
template <class... Arguments>
[[nodiscard]] bool is_any_open(const Arguments&... arguments) {
  return (is_open(arguments) || ...);
}

namespace detail {

/// Counts the arguments of a call; EmptyError, which names op and argument, for a tensor that is
/// empty.
class EmptyCheck {
 public:
  explicit EmptyCheck(const Op& op) : op_(op) {}
  void add(const Tensor& operand) {
    if (!operand.has_value()) refuse(op_.operands, operands_);
    ++operands_;
  }
  void add(const Tensors& operands) {
    for (const Tensor& operand : operands)
      if (!operand.has_value()) refuse(op_.operands, operands_);
    ++operands_;
  }
  void add(const Ints& parameter) {
    if (parameter.is_of_empty()) refuse(op_.parameters, parameters_);
    ++parameters_;
  }
  template <class Other>
  void add(const Other&) {
    ++parameters_;
  }

 private:
  [[noreturn]] void refuse(const Op::Names& names, std::size_t k) const;

  const Op& op_;
  std::size_t operands_ = 0, parameters_ = 0;
};

}  // namespace detail

/// The same of the arguments of an op, which are its operands and its parameters, each in their
/// order. Throws EmptyError where a tensor among them is empty.
template <class... Arguments>
[[nodiscard]] bool is_any_open(const Op& op, const Arguments&... arguments) {
  detail::EmptyCheck check(op);
  (check.add(arguments), ...);
  return is_any_open(arguments...);
}

/// Whether a parameter is not given.
bool is_none(const Argument& argument);
/// "[1, -2]", or text in quotation marks.
std::string to_string(const Argument& argument);

/// The tensor that `op` will make when the program runs. Throws what is certain by now.
[[nodiscard]] Tensor defer(const Op& op, Arguments arguments);
/// The same where what is certain has been said.
[[nodiscard]] Tensor defer(const Op& op, Arguments arguments, const KnownType& type);

}  // namespace weft

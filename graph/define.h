// SPDX-License-Identifier: Apache-2.0
// From the list of an op's arguments to all that is made of it: the call, the call that waits, and
// the op as data.
//
// An op is a struct with
//   static constexpr std::string_view name
//   static constexpr const Op& op              the op as data
//   static constexpr std::tuple fields         its list, in the order of its function
//   static KnownType infer(...)                of a KnownType for each operand, and the parameters:
//                                              throws what is certain, says what is known; of
//                                              arguments that are known it says all
//   static Tensor make(TensorType, ...)        the result, of that type, of arguments that infer
//                                              has let pass; or
//   static Tensor make_known(...)              the result, of arguments that are known, which it
//                                              checks as infer would: for ops that are small
// and, where its last parameter is which of several results it makes,
//   static Tensors all(...)                    all of them, of the other arguments
#pragma once

#include <array>
#include <cstddef>
#include <tuple>
#include <utility>
#include <vector>

#include <weft/graph/op.h>
#include <weft/graph/operation.h>
#include <weft/graph/value/extents.h>
#include <weft/graph/value/tensor_type.h>

namespace weft {

/// What is known of the tensors that are joined.
using KnownTypes = std::vector<KnownType>;

namespace detail {

/// Of a node of which not all is known.
KnownType open_type(const Node& node);

}  // namespace detail

inline KnownType known_type(const Tensor& tensor) {
  const Node& node = tensor.node();
  if (node.known() != Node::Known::all) return detail::open_type(node);
  return {node.dtype(), node.shape()};
}

namespace detail {

template <class Function>
struct Given;
template <class Result, class... Types>
struct Given<Result (*)(Types...)> {
  using Tuple = std::tuple<std::remove_cvref_t<Types>...>;
};

template <class Type>
inline constexpr bool is_operand =
    std::is_same_v<Type, KnownType> || std::is_same_v<Type, KnownTypes>;

template <class Type>
consteval ArgumentType argument_type() {
  if constexpr (is_operand<Type> || std::is_same_v<Type, Ints>) return ArgumentType::integers;
  else if constexpr (std::is_same_v<Type, std::string>) return ArgumentType::text;
  else if constexpr (std::is_same_v<Type, double>) return ArgumentType::number;
  else if constexpr (std::is_same_v<Type, bool>) return ArgumentType::flag;
  else {
    static_assert(std::is_same_v<Type, DType>, "no op takes arguments of this type");
    return ArgumentType::dtype;
  }
}

/// What the list of an op says of its arguments, with their types, which infer() says.
template <class Def>
struct Told {
  using Types = typename Given<decltype(&Def::infer)>::Tuple;
  static constexpr std::size_t count = std::tuple_size_v<Types>;
  using Places = std::make_index_sequence<count>;

  static consteval std::array<ArgumentInfo, count> list() {
    std::array<ArgumentInfo, count> all{};
    std::size_t k = 0;
    std::apply(
        [&](const auto&... field) {
          const auto add = [&](const auto& each) {
            if (each.role == Role::kept) return;
            if (k == count) throw InternalError("an op lists more arguments than it infers of");
            all[k++] = {each.role, ArgumentType::integers, each.name, each.doc, each.otherwise};
          };
          (add(field), ...);
        },
        Def::fields);
    if (k != count) throw InternalError("an op lists fewer arguments than it infers of");
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      ((all[I].type = argument_type<std::tuple_element_t<I, Types>>()), ...);
      if ((((all[I].role != Role::parameter) != is_operand<std::tuple_element_t<I, Types>>) || ...))
        throw InternalError("an op lists an operand that is none, or none that is one");
    }
    (Places());
    return all;
  }
  static constexpr std::array<ArgumentInfo, count> arguments = list();

  /// Which of the operands, or of the parameters, argument I is.
  template <std::size_t I>
  static consteval std::size_t position() {
    std::size_t before = 0;
    for (std::size_t k = 0; k < I; ++k)
      before += (arguments[k].role == Role::parameter) == (arguments[I].role == Role::parameter);
    return before;
  }

  /// Argument I: a tensor, a list of them, or a parameter.
  template <std::size_t I>
  static decltype(auto) given(const Arguments& all) {
    using Type = std::tuple_element_t<I, Types>;
    constexpr std::size_t at = position<I>();
    if constexpr (std::is_same_v<Type, KnownType>) return (all.operands[at]);
    else if constexpr (!std::is_same_v<Type, KnownTypes>) return (all.template parameter<Type>(at));
    else if constexpr (at == 0) return (all.operands);
    else return Tensors(all.operands.begin() + at, all.operands.end());
  }
};

inline KnownType known(const Tensor& tensor) { return known_type(tensor); }
inline KnownTypes known(const Tensors& tensors) {
  KnownTypes types;
  types.reserve(tensors.size());
  for (const Tensor& tensor : tensors) types.push_back(known_type(tensor));
  return types;
}
template <class Parameter>
const Parameter& known(const Parameter& parameter) {
  return parameter;
}

inline void add_argument(const Tensor& operand, Arguments& to) { to.operands.push_back(operand); }
inline void add_argument(const Tensors& operands, Arguments& to) {
  to.operands.insert(to.operands.end(), operands.begin(), operands.end());
}
template <class Parameter>
void add_argument(const Parameter& parameter, Arguments& to) {
  to.parameters.emplace_back(parameter);
}

/// The type of a result all of whose arguments are known.
TensorType closed_type(std::string_view op, KnownType&& type);

}  // namespace detail

/// Calls an op: checks the arguments, and makes its result, or the call that waits for what is not
/// known of them.
template <class Def, class... Arguments_>
[[nodiscard]] Tensor build(const Arguments_&... arguments) {
  detail::EmptyCheck check(Def::op);
  (check.add(arguments), ...);
  constexpr bool makes_known = requires { Def::make_known(arguments...); };
  if constexpr (makes_known)
    if (!is_any_open(arguments...)) return Def::make_known(arguments...);
  KnownType type = Def::infer(detail::known(arguments)...);
  if constexpr (!makes_known)
    if (!is_any_open(arguments...))
      return Def::make(detail::closed_type(Def::name, std::move(type)), arguments...);
  Arguments all;
  (detail::add_argument(arguments, all), ...);
  return defer(Def::op, std::move(all), type);
}

/// The op as data.
template <class Def>
consteval Op op_of() {
  using Told = detail::Told<Def>;
  Op op{.name = Def::name,
        .operands = {},
        .parameters = {},
        .build = nullptr,
        .infer = nullptr,
        .build_all = nullptr,
        .arguments = Told::arguments};
  for (std::size_t k = 0; k < Told::count; ++k) {
    const ArgumentInfo& argument = Told::arguments[k];
    if (argument.role == Role::parameter) {
      op.parameters.add(argument.name);
      if (argument.type == ArgumentType::text) op.texts.add(argument.name);
      continue;
    }
    if (argument.role == Role::index) op.index = op.operands.size();
    op.is_variadic = argument.role == Role::operands;
    op.operands.add(argument.name);
  }
  op.build = [](const Arguments& arguments) {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return weft::build<Def>(Told::template given<I>(arguments)...);
    }
    (typename Told::Places());
  };
  if constexpr (requires { &Def::all; })
    op.build_all = [](const Arguments& arguments) {
      return [&]<std::size_t... I>(std::index_sequence<I...>) {
        return Def::all(Told::template given<I>(arguments)...);
      }
      (std::make_index_sequence<Told::count - 1>());
    };
  op.infer = [](const Arguments& arguments) {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return Def::infer(detail::known(Told::template given<I>(arguments))...);
    }
    (typename Told::Places());
  };
  return op;
}

}  // namespace weft

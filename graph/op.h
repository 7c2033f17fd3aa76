// An op as data: what a program keeps of a call that has to wait for its arguments.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <initializer_list>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <weft/graph/partial_shape.h>
#include <weft/graph/tensor.h>

namespace weft {

/// The arguments of an op: its operands, then its parameters, in the order of the free function.
struct Arguments {
  std::vector<Tensor> operands;
  std::vector<Ints> parameters;
};

/// An op's name, those of its arguments, the call itself, and what can be said of the shape of the
/// result where shapes and parameters are known in part.
struct Op {
  struct Names {
    std::array<std::string_view, 4> names;
    std::size_t count = 0;

    constexpr Names(std::initializer_list<std::string_view> list) : names{}, count(list.size()) {
      std::copy(list.begin(), list.end(), names.begin());
    }
    constexpr std::size_t size() const { return count; }
    constexpr std::string_view operator[](std::size_t i) const { return names[i]; }
  };

  std::string_view name;
  Names operands, parameters;
  Tensor (*build)(const Arguments&);
  PartialShape (*infer)(const Arguments&);
};

namespace detail {

template <class... Parameters, std::size_t... I>
Tensor call(Tensor (*function)(Parameters...), const Arguments& arguments,
            std::index_sequence<I...>) {
  constexpr std::size_t operands = (std::is_same_v<Parameters, const Tensor&> + ...);
  const auto argument = [&]<std::size_t K>(std::integral_constant<std::size_t, K>) -> const auto& {
    if constexpr (K < operands) return arguments.operands[K];
    else return arguments.parameters[K - operands];
  };
  return function(argument(std::integral_constant<std::size_t, I>())...);
}

template <class... Parameters>
constexpr auto places(Tensor (*)(Parameters...)) {
  return std::make_index_sequence<sizeof...(Parameters)>();
}

}  // namespace detail

/// Calls a free function of tensors, then integer parameters.
template <auto Function>
Tensor call(const Arguments& arguments) {
  return detail::call(Function, arguments, decltype(detail::places(Function))());
}

/// Whether a value, or some part of it, is not known before a program runs.
inline bool is_open(const Tensor& tensor) { return tensor.is_open(); }
inline bool is_open(const Ints& values) { return values.is_open(); }
template <class... Arguments>
bool is_any_open(const Arguments&... arguments) {
  return (is_open(arguments) || ...);
}

/// The tensor that `op` will make when the program runs. Throws what is certain by now.
Tensor defer(const Op& op, Arguments arguments);

/// How many entries a parameter has, or -1 where that is not known, or too many to matter.
std::int64_t known_length(const Ints& parameter);

}  // namespace weft

// SPDX-License-Identifier: Apache-2.0
// From the entry of an elementwise op to all that is made of it.
//
// An entry is a struct, in a file that is compiled for each instruction set, with
//   static constexpr std::string_view name
//   static constexpr const Op& op          the op as data
//   static constexpr std::size_t operands  one, two or three
//   static constexpr TypeKinds types       it takes
//   static constexpr double ulps           it is off at most, of floats
//   template <class T> static T value(T...)         the meaning, of lanes of T (integers of 32 or
//                                                   64 bits, and of 8; float; double); bool for
//                                                   what makes bools
//   template <class D, class V> static V vector(D, V...)   optional: the same of vectors, or a mask
// (operands, types and ulps of 0.5 are what EntryOf gives it) and may have
//   static constexpr bool makes_bool = true
//   static constexpr bool is_commutative = true
//   static DType made(DType)               the type of the result, where that is not the operands'
//   static constexpr std::array<std::string_view, 3> names   of operands, else x, y and z
//   static constexpr std::string_view instead   the op to write for integers that it does not take
//   static constexpr bool is_long = true   whose code is not to be there for each register
//   static constexpr float cost            nanoseconds an element on one thread
//   static Tensors adjoint(const Tensor& cotangent, const Tensor& result, const Tensor&...
//   operands)
//                                          of floating-point numbers, for each operand: the
//                                          cotangent times the derivative by it, of the result's
//                                          shape (graph/elementwise.h)
#pragma once

#include <array>
#include <complex>
#include <concepts>
#include <cstring>
#include <initializer_list>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <weft/graph/define.h>
#include <weft/graph/elementwise.h>
#include <weft/ops/elementwise/astype.h>
#include <weft/ops/elementwise/types.h>

namespace weft {

template <std::size_t count, TypeKinds taken>
struct EntryOf {
  static constexpr std::size_t operands = count;
  static constexpr TypeKinds types = taken;
  static constexpr double ulps = 0.5;
};

/// What value() may be of: all lanes, or those and complex numbers.
template <class T>
concept RealLane = std::is_arithmetic_v<T>;
template <class T>
concept FractionLane = !std::integral<T>;

/// Calls `work` with a value of the type that an element is computed as, which holds it.
template <class Work>
auto with_element(DType type, const std::byte* at, Work&& work) {
  const auto read = [&]<class T>(T value) {
    std::memcpy(&value, at, sizeof(T));
    return value;
  };
  using Kind = DType::Kind;
  switch (type.kind()) {
    case Kind::boolean:
      return work(std::uint32_t{read(std::uint8_t{}) != 0});
    case Kind::i8:
      return work(std::int32_t{read(std::int8_t{})});
    case Kind::i16:
      return work(std::int32_t{read(std::int16_t{})});
    case Kind::i32:
      return work(read(std::int32_t{}));
    case Kind::i64:
      return work(read(std::int64_t{}));
    case Kind::u8:
      return work(std::int32_t{read(std::uint8_t{})});
    case Kind::u16:
      return work(std::int32_t{read(std::uint16_t{})});
    case Kind::u32:
      return work(read(std::uint32_t{}));
    case Kind::u64:
      return work(read(std::uint64_t{}));
    case Kind::f16:
      return work(static_cast<float>(read(float16_t())));
    case Kind::bf16:
      return work(static_cast<float>(read(bfloat16_t())));
    case Kind::f64:
      return work(read(double{}));
    case Kind::c64:
      return work(read(std::complex<float>()));
    case Kind::c128:
      return work(read(std::complex<double>()));
    default:
      return work(read(float{}));
  }
}

/// Writes what was computed as an element of that type: wrapped or rounded.
template <class T>
void put_element(T value, DType type, std::byte* out) {
  const auto put = [&](auto element) { std::memcpy(out, &element, sizeof(element)); };
  if (type == c64) put(std::complex<float>(value));
  else if (type == c128) put(std::complex<double>(value));
  else if constexpr (std::is_arithmetic_v<T>) {
    if (type == bool_) put(static_cast<std::uint8_t>(value != 0));
    else if (type == f16) put(float16_t(value));
    else if (type == bf16) put(bfloat16_t(value));
    else if (type == f32) put(static_cast<float>(value));
    else if (type == f64) put(static_cast<double>(value));
    else if constexpr (std::is_integral_v<T>)
      with_integer(type, [&](auto element) { put(static_cast<decltype(element)>(value)); });
  }
}

/// What an entry makes of one element of each operand, all of one type.
template <class Entry>
void compute_by_value(const Elements& elements) {
  const DType type = elements.types[0];
  with_element(type, elements.at[0], [&](auto x) {
    using T = decltype(x);
    const auto other = [&](std::size_t k) {
      T value{};
      with_element(type, elements.at[k], [&](auto read) {
        if constexpr (std::is_same_v<decltype(read), T>) value = read;
      });
      return value;
    };
    const auto put = [&](auto made) { put_element(made, elements.type, elements.out); };
    if constexpr (Entry::operands == 1) {
      if constexpr (requires { Entry::value(x); }) put(Entry::value(x));
    } else if constexpr (Entry::operands == 2) {
      if constexpr (requires { Entry::value(x, x); }) put(Entry::value(x, other(1)));
    } else {
      if constexpr (requires { Entry::value(x, x, x); }) put(Entry::value(x, other(1), other(2)));
    }
  });
}

template <class Entry>
consteval bool makes_bool() {
  if constexpr (requires { Entry::makes_bool; }) return Entry::makes_bool;
  else return false;
}

template <class Entry>
DType type_made(DType common) {
  if constexpr (requires { Entry::made(common); }) return Entry::made(common);
  else return makes_bool<Entry>() ? bool_ : common;
}

template <class Entry>
consteval std::string_view name_of_operand(std::size_t k) {
  if constexpr (requires { Entry::names; }) return Entry::names[k];
  else return std::array<std::string_view, 3>{"x", "y", "z"}[k];
}

template <class Entry>
inline constexpr ElementwiseTypes types_of_entry{Entry::types,
                                                 [] {
                                                   if constexpr (requires { Entry::instead; })
                                                     return std::string_view(Entry::instead);
                                                   else return std::string_view();
                                                 }(),
                                                 type_made<Entry>};

/// The type that an entry's operands are computed in.
template <class Entry>
DType common_type_of(std::initializer_list<DType> types) {
  return common_type(Entry::name, Entry::types, types, types_of_entry<Entry>.instead);
}

/// An entry's adjoint, of operands in a list.
template <class Entry, std::size_t... k>
Tensors adjoint_of(const Tensor& cotangent, const Tensor& result, const Tensors& operands,
                   std::index_sequence<k...>) {
  return Entry::adjoint(cotangent, result, operands[k]...);
}
template <class Entry>
consteval Adjoint adjoint_of() {
  if constexpr (requires { &Entry::adjoint; })
    return [](const Tensor& cotangent, const Tensor& result, const Tensors& operands) {
      return adjoint_of<Entry>(cotangent, result, operands,
                               std::make_index_sequence<Entry::operands>());
    };
  else return nullptr;
}

/// The entries of a file.
template <class... Entries>
struct Family {
  static constexpr std::size_t count = sizeof...(Entries);
  using Links = const LinkTable& (*)(std::size_t entry);

  template <class Entry>
  static consteval std::size_t place_of() {
    std::size_t place = 0, k = 0;
    ((std::is_same_v<Entry, Entries> ? void(place = k) : void(), ++k), ...);
    return place;
  }
  template <class Entry>
  static consteval Instruction instruction(Links links) {
    Instruction made{.op = Entry::name,
                     .compute = compute_by_value<Entry>,
                     .links = links,
                     .entry = place_of<Entry>(),
                     .adjoint = adjoint_of<Entry>()};
    if constexpr (requires { Entry::cost; }) made.cost = Entry::cost;
    return made;
  }
};

/// The call of an op of that entry, as graph/define.h wants it.
template <class Entry, const Instruction& instruction,
          class = std::make_index_sequence<Entry::operands>>
struct ElementwiseCall;

template <class Entry, const Instruction& instruction, std::size_t... k>
struct ElementwiseCall<Entry, instruction, std::index_sequence<k...>> {
  static constexpr std::string_view name = Entry::name;
  static constexpr const Op& op = Entry::op;
  static constexpr std::tuple fields{
      operand(name_of_operand<Entry>(k), k == 0 ? "any shape" : "broadcast with x")...};

  template <std::size_t>
  using Known = KnownType;
  static KnownType infer(const Known<k>&... types) {
    return {type_made<Entry>(common_type_of<Entry>({types.dtype...})),
            broadcast_shape(name, {&types...})};
  }

  template <class... Operands>
  static Tensor make_known(const Operands&... operands) {
    return elementwise_of(instruction, types_of_entry<Entry>, {&operands...});
  }
};

}  // namespace weft

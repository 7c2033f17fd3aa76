// SPDX-License-Identifier: Apache-2.0
// What an elementwise op of your own is made of (docs/adding-an-op.md): a function of one element.
#pragma once

#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include <weft/engine/kernels/compute/array_links.h>
#include <weft/ops/elementwise/entry.h>

namespace weft {

namespace detail {

template <class T, std::size_t>
using Repeated = T;

/// Whether Entry::value is a function of such elements, exactly: nothing is converted.
template <class Entry, class Made, class T, std::size_t... k>
consteval bool has_value_of(std::index_sequence<k...>) {
  return requires { static_cast<Made (*)(Repeated<T, k>...)>(&Entry::value); };
}
template <class Entry, class... Lanes>
consteval bool has_values_of() {
  using Operands = std::make_index_sequence<Entry::operands>;
  return (has_value_of<Entry, std::conditional_t<makes_bool<Entry>(), bool, Lanes>, Lanes>(
              Operands()) &&
          ...);
}

template <class Entry>
consteval bool takes_small() {
  if constexpr (requires { Entry::takes_small; }) return Entry::takes_small;
  else return false;
}
/// How many numbers it is told, behind its tensors.
template <class Entry>
consteval std::size_t numbers_of() {
  if constexpr (requires { Entry::numbers; }) return Entry::numbers;
  else return 0;
}

/// Whether elements that programs compute with as T, or complex ones, are among those it takes.
template <class Entry, class T>
inline constexpr bool takes = [] {
  constexpr TypeKinds types = Entry::types;
  if (std::is_floating_point_v<T>) return types.floating;
  if (!std::is_integral_v<T>) return types.complex;
  if (sizeof(T) < 4 && !takes_small<Entry>()) return false;
  return types.integer || (types.boolean && std::is_unsigned_v<T> && sizeof(T) <= 4);
}();

/// What is made of elements of T: bools are as wide as those, 32 bits at most.
template <class Entry, class T>
using MadeOf = std::conditional_t<
    !makes_bool<Entry>(), T,
    std::conditional_t<sizeof(T) == 1, std::uint8_t,
                       std::conditional_t<sizeof(T) == 2, std::uint16_t, std::uint32_t>>>;

/// Whether Entry::values is a function of such arrays, exactly.
template <class Entry, class T, std::size_t... k>
consteval bool has_arrays(std::index_sequence<k...>) {
  return requires {
    static_cast<void (*)(Repeated<const T*, k>..., MadeOf<Entry, T>*, std::size_t)>(&Entry::values);
  };
}

/// Entry::value, of those alone: nothing is made of it for others.
template <class Entry>
struct Meaning {
  static constexpr std::size_t operands = Entry::operands;
  template <class... Values>
  static auto value(Values... values) requires(takes<Entry, Values>&&...) {
    if constexpr (makes_bool<Entry>()) return std::uint32_t{Entry::value(values...)};
    else return Entry::value(values...);
  }
};

/// Entry::value of each element of a group, or Entry::values of all of them.
template <class Entry, class T>
struct OfArrays {
  using Made = MadeOf<Entry, T>;

  static void run(const void* const* operands, void* out, std::size_t count) noexcept {
    apply(operands, static_cast<Made*>(out), count, std::make_index_sequence<Entry::operands>());
  }

 private:
  template <std::size_t... k>
  static void apply(const void* const* operands, Made* out, std::size_t count,
                    std::index_sequence<k...> all) {
    if constexpr (has_arrays<Entry, T>(all)) {
      Entry::values(static_cast<const T*>(operands[k])..., out, count);
    } else {
      // Loops of a known few elements, which -O2 makes vectors of, too.
      for (std::size_t i = 0; i < count; i += array_unit)
        unit(out + i, (static_cast<const T*>(operands[k]) + i)...);
    }
  }
  template <class... From>
  static void unit(Made* __restrict out, const From* __restrict... from) {
    for (std::size_t j = 0; j < array_unit; ++j)
      out[j] = static_cast<Made>(Entry::value(from[j]...));
  }
};

/// That function for each kind of lanes, where the tables of weft's own ops have links.
template <class Entry>
const LinkTable& array_functions(std::size_t) {
  static const LinkTable all = [] {
    LinkTable table;
    const auto add = [&]<class T>(T, std::initializer_list<Lanes> lanes) {
      if constexpr (takes<Entry, T>)
        for (const Lanes each : lanes)
          table.run[static_cast<std::size_t>(each)] = as_run(OfArrays<Entry, T>::run);
    };
    add(std::int8_t{}, {Lanes::byte_i8});
    add(std::uint8_t{}, {Lanes::byte_u8});
    add(std::int16_t{}, {Lanes::half_i16});
    add(std::uint16_t{}, {Lanes::half_u16});
    add(std::int32_t{}, {Lanes::word_i32, Lanes::wide_i32});
    add(std::uint32_t{}, {Lanes::word_u32, Lanes::wide_u32});
    add(std::int64_t{}, {Lanes::wide_i64});
    add(std::uint64_t{}, {Lanes::wide_u64});
    add(float{}, {Lanes::word_f32, Lanes::wide_f32});
    add(double{}, {Lanes::wide_f64});
    return table;
  }();
  return all;
}

template <class Entry>
consteval Instruction own_instruction() {
  constexpr TypeKinds types = Entry::types;
  static_assert(Entry::operands >= 1 && Entry::operands <= 3, "it has one to three operands");
  static_assert(
      !requires { &Entry::made; }, "it makes the type of its operands, or bool");
  static_assert(!types.floating || has_values_of<Entry, float, double>(),
                "value() is to be a function of float, and one of double");
  static_assert(
      !types.integer ||
          has_values_of<Entry, std::int32_t, std::uint32_t, std::int64_t, std::uint64_t>(),
      "value() is to be a function of integers of 32 and of 64 bits, of both signs");
  static_assert(!types.integer || !takes_small<Entry>() ||
                    has_values_of<Entry, std::int8_t, std::uint8_t, std::int16_t, std::uint16_t>(),
                "value() is to be a function of integers of 8 and of 16 bits, of both signs");
  static_assert(numbers_of<Entry>() < Entry::operands, "it has a tensor, before its numbers");
  static_assert(!types.boolean || (makes_bool<Entry>() && has_values_of<Entry, std::uint32_t>()),
                "of bool, it makes bool, and value() is to be a function of std::uint32_t");
  static_assert(!types.complex || has_values_of<Entry, std::complex<float>, std::complex<double>>(),
                "value() is to be a function of complex numbers, of float and of double");
  Instruction made{.op = Entry::name,
                   .compute = compute_by_value<Meaning<Entry>>,
                   .links = array_functions<Entry>,
                   .is_of_arrays = true,
                   .adjoint = adjoint_of<Entry>()};
  if constexpr (requires { Entry::cost; }) made.cost = Entry::cost;
  return made;
}

template <class Entry>
inline constexpr Instruction own_instruction_of = own_instruction<Entry>();

/// A number that an op is told beside tensors of that type; whole ones are integers to those.
inline Tensor told_number(std::string_view op, double value, DType type) {
  const bool is_whole = std::abs(value) <= 0x1p53 && std::trunc(value) == value;
  if (type.is_integer() && is_whole)
    return Scalar(static_cast<std::int64_t>(value)).beside(type, op);
  return Scalar(value).beside(type, op);
}

/// A call that is told the last operands as numbers.
template <class Entry, const Instruction& instruction,
          class = std::make_index_sequence<Entry::operands - numbers_of<Entry>()>,
          class = std::make_index_sequence<numbers_of<Entry>()>>
struct ToldCall;

template <class Entry, const Instruction& instruction, std::size_t... k, std::size_t... n>
struct ToldCall<Entry, instruction, std::index_sequence<k...>, std::index_sequence<n...>> {
  static constexpr std::string_view name = Entry::name;
  static constexpr const Op& op = Entry::op;
  static constexpr std::tuple fields{
      operand(name_of_operand<Entry>(k), k == 0 ? "any shape" : "broadcast with x")...,
      parameter(name_of_operand<Entry>(sizeof...(k) + n), "a number of the operands' type")...};

  static KnownType infer(const Repeated<KnownType, k>&... types,
                         const Repeated<double, n>&... numbers) {
    const DType common = common_type_of<Entry>({types.dtype...});
    (void(told_number(name, numbers, common)), ...);
    return {type_made<Entry>(common), broadcast_shape(name, {&types...})};
  }
  static Tensor make(TensorType, const Repeated<Tensor, k>&... operands,
                     const Repeated<double, n>&... numbers) {
    const DType common = common_type_of<Entry>({operands.dtype()...});
    return ElementwiseCall<Entry, instruction>::make_known(operands...,
                                                           told_number(name, numbers, common)...);
  }
};

template <class Entry>
using OwnCall =
    std::conditional_t<numbers_of<Entry>() == 0, ElementwiseCall<Entry, own_instruction_of<Entry>>,
                       ToldCall<Entry, own_instruction_of<Entry>>>;

}  // namespace detail

/// The call of an elementwise op that is not weft's, for op_of() and build(), from a struct of what
/// it means:
///
///     struct Entry : weft::EntryOf<2, weft::kinds::floats> {        // operands, and their types
///       static constexpr std::string_view name = "...";
///       static constexpr const weft::Op& op = ...;
///       template <class T> static T value(T x, T y) { ... }         // of one element
///     };
///
/// and may have, beside what ops/elementwise/entry.h lists (but `made`, `ulps` and `vector`):
///
///       static constexpr std::size_t numbers = 1;   // so many of the last operands are numbers
///       static constexpr bool takes_small = true;   // value() is of 8 and 16 bits, too
///       template <class T>                          // of n elements, a multiple of 8
///       static void values(const T* x, const T* y, T* out, std::size_t n) { ... }
///
/// value() and values() are called by several threads at a time and must not throw, for elements
/// that meet in the operands and no others, but for some more than once. They are given small
/// integers as std::int32_t, f16 and bf16 as float and bool as std::uint32_t (0 or 1), but for
/// takes_small. values() of what makes bools makes 0 or 1, unsigned integers as wide as T, 32 bits
/// at most; its arrays do not overlap.
template <class Entry>
using OwnElementwise = detail::OwnCall<Entry>;

}  // namespace weft

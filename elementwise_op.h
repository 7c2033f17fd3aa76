// SPDX-License-Identifier: Apache-2.0
// What an elementwise op of your own is made of (docs/adding-an-op.md): a function of one element.
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string_view>
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

/// Whether elements that programs compute with as T, or complex ones, are among those it takes.
template <class Entry, class T>
inline constexpr bool takes = [] {
  constexpr TypeKinds types = Entry::types;
  if (std::is_floating_point_v<T>) return types.floating;
  if (!std::is_integral_v<T>) return types.complex;
  return types.integer || (types.boolean && std::is_same_v<T, std::uint32_t>);
}();

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

/// Entry::value of each element of a group.
template <class Entry, class T>
struct OfArrays {
  using Made = std::conditional_t<makes_bool<Entry>(), std::uint32_t, T>;

  static void run(const void* const* operands, void* out, std::size_t count) noexcept {
    apply(operands, static_cast<Made*>(out), count, std::make_index_sequence<Entry::operands>());
  }

 private:
  template <std::size_t... k>
  static void apply(const void* const* operands, Made* out, std::size_t count,
                    std::index_sequence<k...>) {
    // Loops of a known few elements, which -O2 makes vectors of, too.
    for (std::size_t i = 0; i < count; i += array_unit)
      unit(out + i, (static_cast<const T*>(operands[k]) + i)...);
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
  static_assert(!types.boolean || (makes_bool<Entry>() && has_values_of<Entry, std::uint32_t>()),
                "of bool, it makes bool, and value() is to be a function of std::uint32_t");
  static_assert(!types.complex || has_values_of<Entry, std::complex<float>, std::complex<double>>(),
                "value() is to be a function of complex numbers, of float and of double");
  Instruction made{.op = Entry::name,
                   .compute = compute_by_value<Meaning<Entry>>,
                   .links = array_functions<Entry>,
                   .is_of_arrays = true};
  if constexpr (requires { Entry::cost; }) made.cost = Entry::cost;
  return made;
}

template <class Entry>
inline constexpr Instruction own_instruction_of = own_instruction<Entry>();

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
/// What else it may have is listed in ops/elementwise/entry.h, but for `made`. value() is called by
/// several threads at a time, is given small integers as std::int32_t, f16 and bf16 as float and
/// bool as std::uint32_t (0 or 1), and must not throw.
template <class Entry>
using OwnElementwise = ElementwiseCall<Entry, detail::own_instruction_of<Entry>>;

}  // namespace weft

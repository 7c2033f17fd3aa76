// SPDX-License-Identifier: Apache-2.0
// From a function of one vector, or of one element, to links of all kinds of lanes. Included once
// per target.
#if defined(WEFT_ENGINE_KERNELS_COMPUTE_LINKS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef WEFT_ENGINE_KERNELS_COMPUTE_LINKS_INL_H_
#undef WEFT_ENGINE_KERNELS_COMPUTE_LINKS_INL_H_
#else
#define WEFT_ENGINE_KERNELS_COMPUTE_LINKS_INL_H_
#endif

#include <hwy/highway.h>

#include <cstring>
#include <tuple>
#include <type_traits>
#include <utility>

#include <weft/engine/kernels/compute/link.h>

HWY_BEFORE_NAMESPACE();
namespace weft::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

inline constexpr std::size_t registers = 8;

template <class T>
using Tag = hn::ScalableTag<T>;
template <class T>
using Vector = hn::Vec<Tag<T>>;
template <class T>
inline constexpr std::size_t lanes_of = hn::MaxLanes(Tag<T>());

/// A kind of lanes: elements of T where the widest of the program are of Widest.
template <class T, class Widest>
struct Kind {
  using Element = T;
  static constexpr std::size_t group = registers * lanes_of<Widest>;
  static constexpr std::size_t vectors = group / lanes_of<T>;
  /// Elements of a vector of the narrowest lanes beside Widest.
  static constexpr std::size_t fewest = sizeof(Widest) == 8 ? lanes_of<float> : lanes_of<Widest>;
  template <class Other>
  using With = Kind<Other, Widest>;
  using Bools = Kind<
      std::conditional_t<sizeof(Widest) == 1, std::uint8_t,
                         std::conditional_t<sizeof(Widest) == 2, std::uint16_t, std::uint32_t>>,
      Widest>;
};
using KindList =
    std::tuple<Kind<std::int8_t, std::uint8_t>, Kind<std::uint8_t, std::uint8_t>,
               Kind<std::int16_t, std::uint16_t>, Kind<std::uint16_t, std::uint16_t>,
               Kind<std::int32_t, float>, Kind<std::uint32_t, float>, Kind<float, float>,
               Kind<std::int32_t, double>, Kind<std::uint32_t, double>, Kind<float, double>,
               Kind<std::int64_t, double>, Kind<std::uint64_t, double>, Kind<double, double>>;
/// What comparisons make of those: as many bits as the widest, 32 at most, of 0 or 1.
template <class K>
using BoolOf = typename K::Bools;

template <class T>
using RunWith = void (*)(const Link*, const Place*, std::int64_t, Vector<T>, Vector<T>, Vector<T>,
                         Vector<T>, Vector<T>, Vector<T>, Vector<T>, Vector<T>);
using RunFresh = void (*)(const Link*, const Place*, std::int64_t);

template <class Run>
HWY_INLINE Run as(const Link* link) {
  return reinterpret_cast<Run>(link->run);
}
template <class Run>
Link::Run erased(Run run) {
  return reinterpret_cast<Link::Run>(run);
}

/// The vectors of a group. Functions of a group name its vectors by a pack of indices, and no
/// lambda captures one: GCC 12 takes the array apart then, and vectors stay in registers.
template <class T>
struct Group {
  Vector<T> v[registers];
};
using AllRegisters = std::make_index_sequence<registers>;

template <class T>
HWY_INLINE void go_on(const Link* next, const Place* places, std::int64_t i, const Group<T>& g) {
  as<RunWith<T>>(next)(next, places, i, g.v[0], g.v[1], g.v[2], g.v[3], g.v[4], g.v[5], g.v[6],
                       g.v[7]);
}

HWY_INLINE std::byte* at(const Link* link, std::size_t k, const Place* places, std::int64_t i) {
  const Place& place = places[link->places[k]];
  return place.at + i * place.step;
}

/// Vector k of the lanes of a place; of zeros behind the last.
template <class K, std::size_t k, class T = typename K::Element>
HWY_INLINE Vector<T> load_vector(const std::byte* from) {
  const Tag<T> d;
  if constexpr (k < K::vectors)
    return hn::LoadU(d, reinterpret_cast<const T*>(from) + k * lanes_of<T>);
  else return hn::Zero(d);
}
template <class K, std::size_t... k>
HWY_INLINE Group<typename K::Element> load_group(const std::byte* from, std::index_sequence<k...>) {
  return {{load_vector<K, k>(from)...}};
}
template <class K>
HWY_INLINE Group<typename K::Element> load_group(const std::byte* from) {
  return load_group<K>(from, AllRegisters());
}
/// The group of a place whose elements are equal: of one vector.
template <class K, std::size_t... k>
HWY_INLINE Group<typename K::Element> equal_group(const std::byte* from,
                                                  std::index_sequence<k...>) {
  const auto v = load_vector<K, 0>(from);
  return {{(void(k), v)...}};
}
template <class K, std::size_t... k, class T = typename K::Element>
HWY_INLINE void store_group(const Group<T>& g, std::byte* to, std::index_sequence<k...>) {
  (hn::StoreU(g.v[k], Tag<T>(), reinterpret_cast<T*>(to) + k * lanes_of<T>), ...);
}
template <class K, class T = typename K::Element>
HWY_INLINE void store_group(const Group<T>& g, std::byte* to) {
  store_group<K>(g, to, std::make_index_sequence<K::vectors>());
}

/// A link of F, which says what becomes of a group: F::of(group, first, second) -> another, of the
/// places that it reads.
template <class F>
[[gnu::visibility("hidden")]] void link(const Link* link, const Place* places, std::int64_t i,
                                        Vector<typename F::From> v0, Vector<typename F::From> v1,
                                        Vector<typename F::From> v2, Vector<typename F::From> v3,
                                        Vector<typename F::From> v4, Vector<typename F::From> v5,
                                        Vector<typename F::From> v6, Vector<typename F::From> v7) {
  const Group<typename F::From> g{{v0, v1, v2, v3, v4, v5, v6, v7}};
  if constexpr (F::places == 0) go_on(link + 1, places, i, F::of(g));
  else if constexpr (F::places == 1) go_on(link + 1, places, i, F::of(g, at(link, 0, places, i)));
  else go_on(link + 1, places, i, F::of(g, at(link, 0, places, i), at(link, 1, places, i)));
}
/// The same of one that needs no group, which begins a chain: F::one<k>(place) -> vector k. They
/// are handed on as they are made: GCC puts a group that is returned on the stack, too.
template <class F, std::size_t... k>
HWY_INLINE void begin(const Link* next, const Place* places, std::int64_t i, const std::byte* from,
                      std::index_sequence<k...>) {
  as<RunWith<typename F::To>>(next)(next, places, i, F::template one<k>(from)...);
}
template <class F>
void first_link(const Link* link, const Place* places, std::int64_t i) {
  begin<F>(link + 1, places, i, at(link, 0, places, i), AllRegisters());
}

/// A vector of bools, of the mask of the vector of K that it is for, or those of two.
template <class K, class Mask>
HWY_INLINE auto bools_of(Mask holds) {
  using B = typename BoolOf<K>::Element;
  const Tag<B> d;
  return hn::IfThenElseZero(hn::RebindMask(d, holds), hn::Set(d, B{1}));
}
template <class K, class Mask>
HWY_INLINE auto bools_of(Mask low, [[maybe_unused]] Mask high) {
  using B = typename BoolOf<K>::Element;
  const Tag<B> d;
  const Tag<std::uint64_t> wide;
  const auto one = hn::Set(wide, std::uint64_t{1});
  const auto first = hn::IfThenElseZero(hn::RebindMask(wide, low), one);
#if HWY_TARGET == HWY_SCALAR
  return hn::Set(d, static_cast<B>(hn::GetLane(first)));
#else
  const auto second = hn::IfThenElseZero(hn::RebindMask(wide, high), one);
  return hn::ConcatEven(d, hn::BitCast(d, second), hn::BitCast(d, first));
#endif
}

/// Vector k of the bools that holds(vector, vectors...) makes of groups of K, a mask each.
template <class K, std::size_t k, class Holds, class... Groups>
HWY_INLINE auto bools_vector(const Holds& holds, const Groups&... g) {
  using Bools = BoolOf<K>;
  if constexpr (k >= Bools::vectors) {
    return hn::Zero(Tag<typename Bools::Element>());
  } else if constexpr (sizeof(typename K::Element) == sizeof(typename Bools::Element)) {
    return bools_of<K>(holds(g.v[k]...));
  } else {
    // Where a vector is one element, there is no second.
    constexpr std::size_t parts = K::vectors / Bools::vectors, low = parts * k;
    return bools_of<K>(holds(g.v[low]...), holds(g.v[low + parts - 1]...));
  }
}

/// The lanes of vector k of K where bools hold.
template <class K, std::size_t k, class B = typename BoolOf<K>::Element>
HWY_INLINE auto mask_of(const Group<B>& bools) {
  const Tag<typename K::Element> d;
  if constexpr (sizeof(typename K::Element) == sizeof(B)) {
    return hn::RebindMask(d, hn::Ne(bools.v[k], hn::Zero(Tag<B>())));
  } else {
    const Tag<std::uint64_t> wide;
#if HWY_TARGET == HWY_SCALAR
    const auto part = hn::Set(wide, std::uint64_t{hn::GetLane(bools.v[k])});
#else
    const hn::Half<Tag<B>> half;
    const auto part = hn::PromoteTo(wide, k % 2 == 0 ? hn::LowerHalf(half, bools.v[k / 2])
                                                     : hn::UpperHalf(half, bools.v[k / 2]));
#endif
    return hn::RebindMask(d, hn::Ne(part, hn::Zero(wide)));
  }
}

// What an entry may say of itself, beside value(), which is its meaning for one element:
//   template <class D, class V> static V vector(D, V...)      of vectors, for lanes of any type, or
//   template <class D, class V> static auto vector(D, V...)   a mask, of a comparison
// and `static constexpr bool is_long = true` where its code is not to be there eight times.

template <class Entry, class T, std::size_t operands>
inline constexpr bool has_vector = [] {
  if constexpr (operands == 1) return requires(Tag<T> d, Vector<T> v) {
      Entry::vector(d, v);
    };
  else if constexpr (operands == 2) return requires(Tag<T> d, Vector<T> v) {
      Entry::vector(d, v, v);
    };
  else return requires(Tag<T> d, Vector<T> v) {
      Entry::vector(d, v, v, v);
    };
}();
template <class Entry, class T, std::size_t operands>
inline constexpr bool has_value = [] {
  if constexpr (operands == 1) return requires(T v) {
      Entry::value(v);
    };
  else if constexpr (operands == 2) return requires(T v) {
      Entry::value(v, v);
    };
  else return requires(T v) {
      Entry::value(v, v, v);
    };
}();
/// Whether it is the same with its operands the other way round, but for which of two NaNs it is.
template <class Entry>
inline constexpr bool is_commutative = [] {
  if constexpr (requires { Entry::is_commutative; }) return Entry::is_commutative;
  else return false;
}();
template <class Entry>
inline constexpr bool is_long = [] {
  if constexpr (requires { Entry::is_long; }) return Entry::is_long;
  else return false;
}();

/// What the operand in the place is.
enum class Second { group, constant, itself };

/// An entry for lanes of kind K.
template <class Entry, class K, std::size_t operands, bool is_reversed, Second second>
struct Applied {
  using From = typename K::Element;
  static constexpr std::size_t places = second == Second::itself ? 0 : operands - 1;
  static constexpr Tag<From> d{};

  template <class... Others>
  static HWY_INLINE auto of(const Group<From>& g, const Others*... others) {
    if constexpr (second == Second::itself) return by_vectors(AllRegisters(), g, g);
    else if constexpr (second == Second::constant)
      return by_vectors(AllRegisters(), g, equal_group<K>(others, AllRegisters())...);
    else if constexpr (has_vector<Entry, From, operands>)
      return by_vectors(AllRegisters(), g, load_group<K>(others)...);
    else return one_by_one(g, others...);
  }

 private:
  template <class... Values>
  static HWY_INLINE auto in_order(const auto& function, Values... values) {
    if constexpr (is_reversed) return swapped(function, values...);
    else return function(values...);
  }
  template <class Function, class Value>
  static HWY_INLINE auto swapped(const Function& function, Value a, Value b) {
    return function(b, a);
  }

  template <class... Vectors>
  static HWY_INLINE auto one(Vectors... v) {
    return in_order([](auto... in) HWY_ATTR { return Entry::vector(d, in...); }, v...);
  }
  template <std::size_t k, class... Groups>
  static HWY_INLINE Vector<From> made(const Group<From>& g, const Groups&... others) {
    if constexpr (k < K::vectors) return one(g.v[k], others.v[k]...);
    else return g.v[k];
  }
  template <std::size_t... k, class... Groups>
  static HWY_INLINE auto by_vectors(std::index_sequence<k...>, const Group<From>& g,
                                    const Groups&... others) {
    if constexpr (!std::is_same_v<decltype(one(g.v[0], others.v[0]...)), Vector<From>>) {
      return Group<typename BoolOf<K>::Element>{
          {bools_vector<K, k>([](auto... v) HWY_ATTR { return one(v...); }, g, others...)...}};
    } else if constexpr (is_long<Entry>) {
      Group<From> results = g;
#pragma GCC unroll 1
      for (std::size_t j = 0; j < K::vectors; ++j) results.v[j] = one(g.v[j], others.v[j]...);
      return results;
    } else {
      return Group<From>{{made<k>(g, others...)...}};
    }
  }

  template <class... Others>
  static HWY_INLINE auto one_by_one(const Group<From>& g, const Others*... others) {
    using Made = decltype(in_order([](auto... v) { return Entry::value(v...); }, From{},
                                   value_at<From>(others, 0)...));
    using To = std::conditional_t<std::is_same_v<Made, bool>, typename BoolOf<K>::Element, From>;
    alignas(64) From from[K::group];
    alignas(64) To to[K::group];
    store_group<K>(g, reinterpret_cast<std::byte*>(from));
    for (std::size_t j = 0; j < K::group; ++j)
      to[j] = static_cast<To>(in_order([](auto... v) HWY_ATTR { return Entry::value(v...); },
                                       from[j], value_at<From>(others, j)...));
    return load_group<typename K::template With<To>>(reinterpret_cast<const std::byte*>(to));
  }
  template <class T>
  static HWY_INLINE T value_at(const std::byte* from, std::size_t j) {
    T value;
    std::memcpy(&value, from + j * sizeof(T), sizeof(T));
    return value;
  }
};

template <class Entry, std::size_t operands, std::size_t... k>
void add_links(LinkTable& table, std::index_sequence<k...>) {
  const auto add = [&]<std::size_t kind>(std::integral_constant<std::size_t, kind>) {
    using K = std::tuple_element_t<kind, KindList>;
    using T = typename K::Element;
    if constexpr (has_value<Entry, T, operands>) {
      const auto applied = []<Second second, bool is_reversed>() {
        return erased<RunWith<T>>(link<Applied<Entry, K, operands, is_reversed, second>>);
      };
      table.run[kind] = applied.template operator()<Second::group, false>();
      if constexpr (operands == 2) {
        constexpr bool is_short = has_vector<Entry, T, operands> && !is_long<Entry>;
        constexpr bool is_other = !is_commutative<Entry> || !std::is_integral_v<T>;
        // What takes long may as well put an operand into its place first.
        if constexpr (is_short || !is_other)
          table.reversed[kind] = applied.template operator()<Second::group, is_other>();
        if constexpr (is_short) {
          table.by_constant[kind] = applied.template operator()<Second::constant, false>();
          table.of_constant[kind] = applied.template operator()<Second::constant, is_other>();
          if constexpr (is_commutative<Entry>)
            table.with_itself[kind] = applied.template operator()<Second::itself, false>();
        }
      }
    }
  };
  (add(std::integral_constant<std::size_t, k>()), ...);
}

/// The links of an entry, for all kinds of lanes whose elements its value() takes.
template <class Entry>
LinkTable links_of() {
  LinkTable table;
  add_links<Entry, Entry::operands>(table, std::make_index_sequence<lane_kinds>());
  return table;
}

/// Those of entry `entry` of a family of them.
template <class Family>
const LinkTable& family_links(std::size_t entry) {
  static const auto all =
      []<template <class...> class List, class... Entries>(std::type_identity<List<Entries...>>) {
        return std::array<LinkTable, sizeof...(Entries)>{links_of<Entries>()...};
      }(std::type_identity<Family>());
  return all[entry];
}

}  // namespace weft::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif

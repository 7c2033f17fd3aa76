// SPDX-License-Identifier: Apache-2.0
// Loading, storing and casting groups.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "weft/engine/kernels/compute/core_links.cpp"
#include <weft/engine/kernels/targets.h>

#include <hwy/foreach_target.h>

#include <weft/engine/kernels/compute/cast-inl.h>
#include <weft/engine/kernels/compute/core_links.h>
#include <weft/engine/kernels/compute/stored-inl.h>

HWY_BEFORE_NAMESPACE();
namespace weft::HWY_NAMESPACE {
namespace {

/// Vector k of the lanes of elements, the first of which is that one; of zeros behind the last.
template <class Type, class K, std::size_t k>
HWY_INLINE Vector<typename K::Element> load_elements(const std::byte* from, std::size_t first) {
  const Tag<typename K::Element> d;
  if constexpr (k >= K::vectors) return hn::Zero(d);
  else return Type::load(d, reinterpret_cast<const typename Type::Memory*>(from) + first);
}

template <class Type, class K>
struct Load {
  using To = typename K::Element;

  template <std::size_t k>
  static HWY_INLINE Vector<To> one(const std::byte* from) {
    return load_elements<Type, K, k>(from, k * lanes_of<To>);
  }
};

/// Asks for a group of elements that is read later.
template <std::size_t bytes>
void ask(const Link* link, const Place* places, std::int64_t i) {
  const std::byte* const later = at(link, 0, places, i);
  for (std::size_t k = 0; k < bytes; k += 64) __builtin_prefetch(later + k);
  as<RunFresh>(link + 1)(link + 1, places, i);
}

/// `count` vectors of lanes from that one on, side by side as elements of Type.
template <class Type, std::size_t first, std::size_t count, class Lane>
HWY_INLINE auto stored(const Group<Lane>& g) {
  if constexpr (count == 1) {
    return Type::stored(Tag<Lane>(), g.v[first]);
#if HWY_TARGET != HWY_SCALAR
  } else {
    const auto low = stored<Type, first, count / 2>(g);
    return hn::Combine(hn::Twice<hn::DFromV<decltype(low)>>(),
                       stored<Type, first + count / 2, count / 2>(g), low);
#endif
  }
}
template <bool streams, class V>
HWY_INLINE void store_vector(V v, std::byte* to) {
  const hn::DFromV<V> d;
  auto* const elements = reinterpret_cast<hn::TFromD<decltype(d)>*>(to);
  if constexpr (streams) hn::Stream(v, d, elements);
  else hn::StoreU(v, d, elements);
}
template <class Type, std::size_t count, bool streams, std::size_t... k, class Lane>
HWY_INLINE void store_all(const Group<Lane>& g, std::byte* to, std::index_sequence<k...>) {
  constexpr std::size_t step = count * lanes_of<Lane> * sizeof(typename Type::Memory);
  (store_vector<streams>(stored<Type, count * k, count>(g), to + k * step), ...);
}

/// Stores a group, and goes on to a link that begins a chain.
template <class Type, class K, bool streams>
void store(const Link* link, const Place* places, std::int64_t i, Vector<typename K::Element> v0,
           Vector<typename K::Element> v1, Vector<typename K::Element> v2,
           Vector<typename K::Element> v3, Vector<typename K::Element> v4,
           Vector<typename K::Element> v5, Vector<typename K::Element> v6,
           Vector<typename K::Element> v7) {
  // What goes past the caches does so by whole vectors.
  constexpr bool whole = streams && HWY_TARGET != HWY_SCALAR;
  constexpr std::size_t count =
      whole ? sizeof(typename K::Element) / sizeof(typename Type::Memory) : 1;
  store_all<Type, count, whole>(Group<typename K::Element>{{v0, v1, v2, v3, v4, v5, v6, v7}},
                                at(link, 0, places, i),
                                std::make_index_sequence<K::vectors / count>());
  as<RunFresh>(link + 1)(link + 1, places, i);
}

/// Where vector k of K begins in a row of so many elements: as far in as in a group, but that no
/// vector of the narrowest lanes goes beyond the row.
template <class K, std::size_t k>
HWY_INLINE std::size_t in_row(std::size_t columns) {
  constexpr std::size_t first = k * lanes_of<typename K::Element>;
  constexpr std::size_t past = first % K::fewest, whole = first - past;
  if constexpr (whole == 0) return past;
  else return std::min(whole, columns - K::fewest) + past;
}
template <class Type, class K, std::size_t... k>
HWY_INLINE void load_row(const Link* link, const Place* places, std::int64_t i,
                         std::index_sequence<k...>) {
  const std::byte* const from = at(link, 0, places, i);
  const std::size_t columns = link->places[1];
  as<RunWith<typename K::Element>>(link + 1)(
      link + 1, places, i, load_elements<Type, K, k>(from, in_row<K, k>(columns))...);
}
template <class Type, class K>
void load_row(const Link* link, const Place* places, std::int64_t i) {
  load_row<Type, K>(link, places, i, AllRegisters());
}
template <class Type, class K, std::size_t... k, class Lane>
HWY_INLINE void store_in_row(const Group<Lane>& g, std::byte* to, std::size_t columns,
                             std::index_sequence<k...>) {
  (store_vector<false>(stored<Type, k, 1>(g),
                       to + in_row<K, k>(columns) * sizeof(typename Type::Memory)),
   ...);
}
template <class Type, class K>
void store_row(const Link* link, const Place* places, std::int64_t i,
               Vector<typename K::Element> v0, Vector<typename K::Element> v1,
               Vector<typename K::Element> v2, Vector<typename K::Element> v3,
               Vector<typename K::Element> v4, Vector<typename K::Element> v5,
               Vector<typename K::Element> v6, Vector<typename K::Element> v7) {
  store_in_row<Type, K>(Group<typename K::Element>{{v0, v1, v2, v3, v4, v5, v6, v7}},
                        at(link, 0, places, i), link->places[1],
                        std::make_index_sequence<K::vectors>());
  as<RunFresh>(link + 1)(link + 1, places, i);
}

/// Copies `bytes`, which two vectors of D have room for: by two that may overlap, or by two of half
/// of it.
template <class D>
HWY_INLINE void copy_few(D d, std::uint8_t* to, const std::uint8_t* from, std::size_t bytes) {
  constexpr std::size_t lanes = hn::MaxLanes(D());
  if (bytes >= lanes) {
    const auto last = hn::LoadU(d, from + bytes - lanes);
    hn::StoreU(hn::LoadU(d, from), d, to);
    hn::StoreU(last, d, to + bytes - lanes);
  } else if constexpr (lanes > 1) {
    copy_few(hn::Half<D>(), to, from, bytes);
  }
}
void copy_rows(std::byte* to, std::int64_t to_pitch, const std::byte* from, std::int64_t from_pitch,
               std::int64_t rows, std::int64_t bytes) {
  const Tag<std::uint8_t> d;
  constexpr std::size_t lanes = lanes_of<std::uint8_t>;
  const auto all = static_cast<std::size_t>(bytes);
  for (; rows-- > 0; to += to_pitch, from += from_pitch) {
    auto* const own = reinterpret_cast<std::uint8_t*>(to);
    const auto* const other = reinterpret_cast<const std::uint8_t*>(from);
    std::size_t done = 0;
    for (; done + 2 * lanes < all; done += lanes)
      hn::StoreU(hn::LoadU(d, other + done), d, own + done);
    copy_few(d, own + done, other + done, all - done);
  }
}

void stream_rows(std::byte* to, std::int64_t to_pitch, const std::byte* from,
                 std::int64_t from_pitch, std::int64_t rows, std::int64_t bytes) {
  const Tag<std::uint8_t> d;
  for (; rows-- > 0; to += to_pitch, from += from_pitch)
    for (std::int64_t done = 0; done < bytes; done += lanes_of<std::uint8_t>)
      hn::Stream(hn::LoadU(d, reinterpret_cast<const std::uint8_t*>(from) + done), d,
                 reinterpret_cast<std::uint8_t*>(to) + done);
}

template <class K>
struct Keep {
  using From = typename K::Element;
  static constexpr std::size_t places = 1;
  static HWY_INLINE Group<From> of(const Group<From>& g, std::byte* to) {
    store_group<K>(g, to);
    return g;
  }
};

// Smaller unsigned integers are in signed lanes, which hold all of them and become floats sooner.
using Types =
    std::tuple<Bool<std::uint32_t>, Plainly<std::int8_t, std::int32_t>,
               Plainly<std::int16_t, std::int32_t>, Plainly<std::int32_t, std::int32_t>,
               Plainly<std::int64_t, std::int64_t>, Plainly<std::uint8_t, std::int32_t>,
               Plainly<std::uint16_t, std::int32_t>, Plainly<std::uint32_t, std::uint32_t>,
               Plainly<std::uint64_t, std::uint64_t>, Half, Brain, Plainly<float, float>,
               Plainly<double, double>>;
static_assert(std::tuple_size_v<Types> == computed_types);
using Bytes = std::tuple<Bool<std::uint8_t>, Plainly<std::int8_t, std::int8_t>, void, void, void,
                         Plainly<std::uint8_t, std::uint8_t>>;
constexpr auto boolean = static_cast<std::size_t>(DType::Kind::boolean);

using Halves =
    std::tuple<Bool<std::uint16_t>, Plainly<std::int8_t, std::int16_t>,
               Plainly<std::int16_t, std::int16_t>, void, void, Plainly<std::uint8_t, std::int16_t>,
               Plainly<std::uint16_t, std::uint16_t>>;

template <std::size_t type, class Listed>
consteval auto listed() {
  if constexpr (type < std::tuple_size_v<Listed>)
    return std::type_identity<std::tuple_element_t<type, Listed>>();
  else return std::type_identity<void>();
}
/// The type of that number in programs whose widest elements are of Widest; void where there is
/// none.
template <std::size_t type, class Widest>
consteval auto type_of() {
  if constexpr (sizeof(Widest) == 1) return listed<type, Bytes>();
  else if constexpr (sizeof(Widest) == 2) return listed<type, Halves>();
  else {
    using Type = std::tuple_element_t<type, Types>;
    using Of = std::conditional_t<(sizeof(typename Type::Element) <= sizeof(Widest)), Type, void>;
    return std::type_identity<Of>();
  }
}

template <class K, std::size_t... kinds>
constexpr Lanes lanes_in_list(std::index_sequence<kinds...>) {
  std::size_t found = 0;
  ((std::is_same_v<K, std::tuple_element_t<kinds, KindList>> ? void(found = kinds) : void()), ...);
  return static_cast<Lanes>(found);
}

template <class Widest>
class Maker {
 public:
  static CoreLinks make() {
    CoreLinks links;
    links.group = static_cast<std::int64_t>(registers * lanes_of<Widest>);
    links.fewest = static_cast<std::int64_t>(Kind<Widest, Widest>::fewest);
    links.end = erased<RunFresh>([](const Link*, const Place*, std::int64_t) HWY_ATTR {});
    links.run = [](const Link* first, const Place* places, std::int64_t begin, std::int64_t end)
                    HWY_ATTR {
                      for (std::int64_t i = begin; i < end; ++i)
                        as<RunFresh>(first)(first, places, i);
                    };
    links.copy_rows = copy_rows;
    links.stream_rows = stream_rows;
    for_each_type([&]<std::size_t t>(std::integral_constant<std::size_t, t>) { add<t>(links); });
    return links;
  }

 private:
  template <std::size_t t>
  using Type = typename decltype(type_of<t, Widest>())::type;

  template <class Each>
  static void for_each_type(const Each& each) {
    [&]<std::size_t... t>(std::index_sequence<t...>) {
      const auto one = [&]<std::size_t k>(std::integral_constant<std::size_t, k> type) {
        if constexpr (!std::is_void_v<Type<k>>) each(type);
      };
      (one(std::integral_constant<std::size_t, t>()), ...);
    }
    (std::make_index_sequence<computed_types>());
  }

  template <std::size_t t>
  static void add(CoreLinks& links) {
    using Own = Type<t>;
    using Lane = typename Own::Element;
    using K = Kind<Lane, Widest>;
    links.lanes[t] = lanes_in_list<K>(std::make_index_sequence<lane_kinds>());
    links.ask[t] = erased<RunFresh>(ask<K::group * sizeof(typename Own::Memory)>);
    links.load[t] = erased<RunFresh>(first_link<Load<Own, K>>);
    links.load_lanes[t] = erased<RunFresh>(first_link<Load<Plainly<Lane, Lane>, K>>);
    links.store[t] = erased<RunWith<Lane>>(store<Own, K, false>);
    links.stream[t] = erased<RunWith<Lane>>(store<Own, K, true>);
    links.load_row[t] = erased<RunFresh>(load_row<Own, K>);
    links.store_row[t] = erased<RunWith<Lane>>(store_row<Own, K>);
    links.store_lanes[t] = erased<RunWith<Lane>>(store<Plainly<Lane, Lane>, K, false>);
    links.is_plain[t] = Own::is_plain;
    links.keep[t] = erased<RunWith<Lane>>(link<Keep<K>>);
    if constexpr (!Own::is_plain && t != boolean)
      links.narrow[t] = erased<RunWith<Lane>>(link<Mapped<K, K, Narrowed<Own>>>);
    if constexpr (requires(Tag<float> d, hn::Vec<hn::Rebind<std::uint16_t, Tag<float>>> v) {
                    Own::of_bits(d, v);
                  }) {
      using Bits = Kind<std::int32_t, Widest>;  // as u16 is
      links.to_bits[t] = erased<RunWith<Lane>>(link<Mapped<K, Bits, ToBits<Own>>>);
      links.from_bits[t] = erased<RunWith<std::int32_t>>(link<Mapped<Bits, K, FromBits<Own>>>);
    }
    for_each_type([&]<std::size_t u>(std::integral_constant<std::size_t, u>) {
      links.cast[t][u] = cast<t, u>();
    });
  }

  template <std::size_t from, std::size_t to>
  static Link::Run cast() {
    using From = typename Type<from>::Element;
    using To = typename Type<to>::Element;
    using Small = std::conditional_t<std::is_floating_point_v<To> || to == boolean, To,
                                     typename Type<to>::Memory>;
    using FromKind = Kind<From, Widest>;
    using ToKind = Kind<To, Widest>;
    // Integers of two bytes are floats, which are rounded once.
    constexpr bool is_rounded =
        (std::is_same_v<Type<to>, Half> ||
         std::is_same_v<Type<to>, Brain>)&&sizeof(typename Type<from>::Memory) > 2;
    if constexpr (from == to) return nullptr;
    else if constexpr (to == boolean) return erased<RunWith<From>>(link<IsNonzero<FromKind>>);
    else if constexpr (std::is_same_v<From, To>) return nullptr;
    else
      return erased<RunWith<From>>(
          link<Mapped<FromKind, ToKind, Cast<Small, From, To, is_rounded>>>);
  }
};

}  // namespace

const CoreLinks& core_links_here(Width width) {
  static const std::array<CoreLinks, widths> all = {Maker<std::uint8_t>::make(),
                                                    Maker<std::uint16_t>::make(),
                                                    Maker<float>::make(), Maker<double>::make()};
  return all[static_cast<std::size_t>(width)];
}

}  // namespace weft::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace weft {

WEFT_BY_SET(core_links_here);

const CoreLinks& core_links(Width width) { return on_this_machine(core_links_here_by_set)(width); }

}  // namespace weft
#endif

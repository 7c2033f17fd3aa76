// SPDX-License-Identifier: Apache-2.0
// Loading, storing and casting groups.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "weft/engine/kernels/compute/core_links.cpp"
#include <weft/engine/kernels/compute/targets.h>

#include <hwy/foreach_target.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include <weft/engine/kernels/compute/core_links.h>
#include <weft/engine/kernels/compute/links-inl.h>
#include <weft/graph/value/float16.h>

HWY_BEFORE_NAMESPACE();
namespace weft::HWY_NAMESPACE {
namespace {

// Plain loops over a group in memory: compilers make vectors of them, and memory is the first cache.

template <class K, class From, class Convert>
HWY_INLINE Group<typename K::Element> converted(const From* from, const Convert& convert) {
  alignas(64) typename K::Element to[K::group];
  for (std::size_t j = 0; j < K::group; ++j) to[j] = convert(from[j]);
  return load_group<K>(reinterpret_cast<const std::byte*>(to));
}

HWY_INLINE float float_of_bf16(std::uint16_t bits) {
  const std::uint32_t wide = std::uint32_t{bits} << 16;
  return std::bit_cast<float>((wide & 0x7fffffff) > 0x7f800000 ? wide | 0x400000 : wide);
}
HWY_INLINE std::uint16_t bf16_of_float(float value) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t rounded = (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
  const std::uint32_t nan = bits >> 16 | 0x40;
  return static_cast<std::uint16_t>((bits & 0x7fffffff) > 0x7f800000 ? nan : rounded);
}

/// How elements of a type lie in memory, and what they are as lanes.
template <class Stored, class Lane>
struct Plainly {
  using Memory = Stored;
  using Element = Lane;
  static HWY_INLINE Lane lane(Stored x) { return static_cast<Lane>(x); }
  static HWY_INLINE Stored stored(Lane x) { return static_cast<Stored>(x); }
};
struct Bool {
  using Memory = std::uint8_t;
  using Element = std::uint32_t;
  static HWY_INLINE std::uint32_t lane(std::uint8_t x) { return x != 0; }
  static HWY_INLINE std::uint8_t stored(std::uint32_t x) { return static_cast<std::uint8_t>(x); }
};
struct BoolByte {
  struct Memory {  // not what lanes are, so that it is not taken for one
    std::uint8_t byte;
  };
  using Element = std::uint8_t;
  static HWY_INLINE std::uint8_t lane(Memory x) { return x.byte != 0; }
  static HWY_INLINE Memory stored(std::uint8_t x) { return {x}; }
};
struct Half {
  using Memory = std::uint16_t;
  using Element = float;
  static HWY_INLINE float lane(std::uint16_t x) { return detail::from_f16_bits(x); }
  static HWY_INLINE std::uint16_t stored(float x) { return detail::f16_bits(x); }
};
struct Brain {
  using Memory = std::uint16_t;
  using Element = float;
  static HWY_INLINE float lane(std::uint16_t x) { return float_of_bf16(x); }
  static HWY_INLINE std::uint16_t stored(float x) { return bf16_of_float(x); }
};

template <class Memory, class K>
HWY_INLINE Group<float> load_halves(const Memory* from) {
  Group<float> g;
  const Tag<float> d;
  const hn::Rebind<hwy::float16_t, Tag<float>> narrow;
  unrolled<registers>([&](auto k) HWY_ATTR {
    if constexpr (k < K::vectors)
      g.v[k] = hn::PromoteTo(d, hn::LoadU(narrow, reinterpret_cast<const hwy::float16_t*>(from) + k * lanes_of<float>));
    else g.v[k] = hn::Zero(d);
  });
  return g;
}

template <class Type, class K>
struct Load {
  static HWY_INLINE auto of(const std::byte* from) {
    using Memory = typename Type::Memory;
    const auto* const elements = reinterpret_cast<const Memory*>(from);
    if constexpr (std::is_same_v<Memory, typename K::Element>) return load_group<K>(from);
#if HWY_TARGET != HWY_SCALAR
    else if constexpr (std::is_same_v<Type, Half>) return load_halves<Memory, K>(elements);
#endif
    else return converted<K>(elements, [](Memory x) { return Type::lane(x); });
  }
};

/// Stores a group, and goes on to a link that begins a chain.
template <class Type, class K, bool streams>
void store(const Link* link, const Place* places, std::int64_t i, Vector<typename K::Element> v0,
           Vector<typename K::Element> v1, Vector<typename K::Element> v2,
           Vector<typename K::Element> v3, Vector<typename K::Element> v4,
           Vector<typename K::Element> v5, Vector<typename K::Element> v6,
           Vector<typename K::Element> v7) {
  using Memory = typename Type::Memory;
  using Lane = typename K::Element;
  const Group<Lane> g{{v0, v1, v2, v3, v4, v5, v6, v7}};
  std::byte* const to = at(link, 0, places, i);
  if constexpr (std::is_same_v<Memory, Lane>) {
    const Tag<Lane> d;
    unrolled<K::vectors>([&](auto k) HWY_ATTR {
      Lane* const part = reinterpret_cast<Lane*>(to) + k * lanes_of<Lane>;
      if constexpr (streams) hn::Stream(g.v[k], d, part);
      else hn::StoreU(g.v[k], d, part);
    });
  } else {
    alignas(64) Lane from[K::group];
    alignas(64) Memory made[K::group];
    store_group<K>(g, reinterpret_cast<std::byte*>(from));
#if HWY_TARGET != HWY_SCALAR
    if constexpr (std::is_same_v<Type, Half>) {
      const Tag<float> d;
      const hn::Rebind<hwy::float16_t, Tag<float>> narrow;
      unrolled<K::vectors>([&](auto k) HWY_ATTR {
        hn::StoreU(hn::DemoteTo(narrow, g.v[k]), narrow,
                   reinterpret_cast<hwy::float16_t*>(made) + k * lanes_of<float>);
      });
    } else
#endif
      for (std::size_t j = 0; j < K::group; ++j) made[j] = Type::stored(from[j]);
    if constexpr (streams && sizeof(made) % sizeof(Vector<Memory>) == 0) {
      const Tag<Memory> d;
      unrolled<sizeof(made) / sizeof(Vector<Memory>)>([&](auto k) HWY_ATTR {
        hn::Stream(hn::Load(d, made + k * lanes_of<Memory>), d,
                   reinterpret_cast<Memory*>(to) + k * lanes_of<Memory>);
      });
    } else {
      std::memcpy(to, made, sizeof(made));
    }
  }
  as<RunFresh>(link + 1)(link + 1, places, i);
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

/// Elements through memory, by a function of one.
template <class FromKind, class ToKind, class Function>
struct Mapped {
  using From = typename FromKind::Element;
  static constexpr std::size_t places = 0;
  static HWY_INLINE auto of(const Group<From>& g) {
    alignas(64) From from[FromKind::group];
    store_group<FromKind>(g, reinterpret_cast<std::byte*>(from));
    return converted<ToKind>(from, [](From x) { return Function::of(x); });
  }
};

template <class Type>
struct Narrowed {
  static HWY_INLINE auto of(typename Type::Element x) { return Type::lane(Type::stored(x)); }
};

/// As astype does, but that integers are wrapped, and floating-point numbers rounded, afterwards
/// where the type is smaller than its lanes. `Small` is how the result is stored.
template <class Small, class From, class To, bool is_rounded>
struct Cast {
  static HWY_INLINE To of(From x) {
    if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To>) {
      constexpr auto low = static_cast<From>(std::numeric_limits<Small>::min());
      // The first number beyond the range, a power of two, is one of floating point.
      constexpr auto beyond = static_cast<From>(std::numeric_limits<Small>::max() / 2 + 1) * 2;
      const bool is_above = x >= beyond, is_below = x < low;
      const From within = is_above || is_below || x != x ? From{0} : x;
      const To cut = static_cast<To>(static_cast<Small>(within));
      return is_above   ? static_cast<To>(std::numeric_limits<Small>::max())
             : is_below ? static_cast<To>(std::numeric_limits<Small>::min())
                        : cut;
    } else if constexpr (is_rounded && sizeof(From) >= 4 && !std::is_same_v<From, float>) {
      return detail::rounded_to_odd(x);  // it is rounded once more
    } else {
      return static_cast<To>(x);
    }
  }
};
template <class From, class To>
struct IsNonzero {
  static HWY_INLINE To of(From x) { return static_cast<To>(x != 0); }
};

// Smaller unsigned integers are in signed lanes, which hold all of them and become floats sooner.
using Types = std::tuple<Bool, Plainly<std::int8_t, std::int32_t>,
                         Plainly<std::int16_t, std::int32_t>, Plainly<std::int32_t, std::int32_t>,
                         Plainly<std::int64_t, std::int64_t>, Plainly<std::uint8_t, std::int32_t>,
                         Plainly<std::uint16_t, std::int32_t>,
                         Plainly<std::uint32_t, std::uint32_t>,
                         Plainly<std::uint64_t, std::uint64_t>, Half, Brain, Plainly<float, float>,
                         Plainly<double, double>>;
static_assert(std::tuple_size_v<Types> == computed_types);
using Bytes = std::tuple<BoolByte, Plainly<std::int8_t, std::int8_t>,
                         void, void, void, Plainly<std::uint8_t, std::uint8_t>>;
constexpr auto boolean = static_cast<std::size_t>(DType::Kind::boolean);

/// The type of that number in programs whose widest elements are of Widest; void where there is
/// none.
template <std::size_t type, class Widest>
struct TypeOf {
  using Type = std::tuple_element_t<type, Types>;
  using Of = std::conditional_t<(sizeof(typename Type::Element) <= sizeof(Widest)), Type, void>;
};
template <std::size_t type>
struct TypeOf<type, std::uint8_t> {
  using Of = std::tuple_element_t<type, Bytes>;
};

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
    links.end = erased<RunFresh>([](const Link*, const Place*, std::int64_t) HWY_ATTR {});
    links.run = [](const Link* first, const Place* places, std::int64_t begin,
                   std::int64_t end) HWY_ATTR {
      for (std::int64_t i = begin; i < end; ++i) as<RunFresh>(first)(first, places, i);
    };
    for_each_type([&]<std::size_t t>(std::integral_constant<std::size_t, t>) { add<t>(links); });
    return links;
  }

 private:
  template <std::size_t t>
  using Type = typename TypeOf<t, Widest>::Of;

  template <class Each>
  static void for_each_type(const Each& each) {
    [&]<std::size_t... t>(std::index_sequence<t...>) {
      const auto one = [&]<std::size_t k>(std::integral_constant<std::size_t, k> type) {
        constexpr bool is_listed =
            !std::is_same_v<Widest, std::uint8_t> || k < std::tuple_size_v<Bytes>;
        if constexpr (!is_listed) return;
        else if constexpr (!std::is_void_v<Type<k>>) each(type);
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
    links.load[t] = erased<RunFresh>(first_link<Load<Own, K>>);
    links.load_lanes[t] = erased<RunFresh>(first_link<Load<Plainly<Lane, Lane>, K>>);
    links.store[t] = erased<RunWith<Lane>>(store<Own, K, false>);
    links.stream[t] = erased<RunWith<Lane>>(store<Own, K, true>);
    links.keep[t] = erased<RunWith<Lane>>(link<Keep<K>>);
    if constexpr (!std::is_same_v<typename Own::Memory, Lane> && t != boolean)
      links.narrow[t] = erased<RunWith<Lane>>(link<Mapped<K, K, Narrowed<Own>>>);
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
    constexpr bool is_rounded = std::is_same_v<Type<to>, Half> || std::is_same_v<Type<to>, Brain>;
    if constexpr (from == to) return nullptr;
    else if constexpr (to == boolean)
      return erased<RunWith<From>>(link<Mapped<FromKind, ToKind, IsNonzero<From, To>>>);
    else if constexpr (std::is_same_v<From, To>) return nullptr;
    else
      return erased<RunWith<From>>(link<Mapped<FromKind, ToKind, Cast<Small, From, To, is_rounded>>>);
  }
};

}  // namespace

const CoreLinks& core_links_here(Width width) {
  static const std::array<CoreLinks, widths> all = {
      Maker<std::uint8_t>::make(), Maker<float>::make(), Maker<double>::make()};
  return all[static_cast<std::size_t>(width)];
}

}  // namespace weft::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace weft {

HWY_EXPORT(core_links_here);

const CoreLinks& core_links(Width width) { return HWY_DYNAMIC_DISPATCH(core_links_here)(width); }

}  // namespace weft
#endif

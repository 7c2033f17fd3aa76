// SPDX-License-Identifier: Apache-2.0
// Casts of groups. Included once per target.
#if defined(WEFT_ENGINE_KERNELS_COMPUTE_CAST_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef WEFT_ENGINE_KERNELS_COMPUTE_CAST_INL_H_
#undef WEFT_ENGINE_KERNELS_COMPUTE_CAST_INL_H_
#else
#define WEFT_ENGINE_KERNELS_COMPUTE_CAST_INL_H_
#endif

#include <bit>
#include <limits>

#include <weft/engine/kernels/compute/stored-inl.h>
#include <weft/graph/value/float16.h>

HWY_BEFORE_NAMESPACE();
namespace weft::HWY_NAMESPACE {

/// A group as another, by a function that says of(x), of an element, and may say vector(d, v), of
/// a vector of as many lanes as it makes.
template <class FromKind, class ToKind, class Function>
struct Mapped {
  using From = typename FromKind::Element;
  using To = typename ToKind::Element;
  static constexpr std::size_t places = 0;

  static HWY_INLINE Group<To> of(const Group<From>& g) {
    if constexpr (by_vectors) return all(AllRegisters(), g);
    else return one_by_one(g);
  }

 private:
  static constexpr bool is_narrower = ToKind::vectors < FromKind::vectors;
  using D = typename std::conditional_t<is_narrower, std::type_identity<hn::Half<Tag<To>>>,
                                        std::type_identity<Tag<To>>>::type;
  static constexpr bool by_vectors = requires(D d, hn::Vec<hn::Rebind<From, D>> v) {
    Function::vector(d, v);
  };

  template <std::size_t... k>
  static HWY_INLINE Group<To> all(std::index_sequence<k...>, const Group<From>& g) {
    return {{one<k>(g)...}};
  }
  template <std::size_t k>
  static HWY_INLINE Vector<To> one(const Group<From>& g) {
    const Tag<To> d;
    if constexpr (k >= ToKind::vectors) {
      return hn::Zero(d);
#if HWY_TARGET != HWY_SCALAR
    } else if constexpr (is_narrower) {
      return hn::Combine(d, Function::vector(D(), g.v[2 * k + 1]),
                         Function::vector(D(), g.v[2 * k]));
    } else if constexpr (FromKind::vectors < ToKind::vectors) {
      const hn::Half<Tag<From>> half;
      if constexpr (k % 2 == 0) return Function::vector(d, hn::LowerHalf(half, g.v[k / 2]));
      else return Function::vector(d, hn::UpperHalf(half, g.v[k / 2]));
#endif
    } else {
      return Function::vector(d, g.v[k]);
    }
  }

  /// Through memory, which is the first cache: compilers make vectors of the loop where they can.
  static HWY_INLINE Group<To> one_by_one(const Group<From>& g) {
    alignas(64) From from[FromKind::group];
    alignas(64) To to[ToKind::group];
    store_group<FromKind>(g, reinterpret_cast<std::byte*>(from));
    for (std::size_t j = 0; j < ToKind::group; ++j) to[j] = Function::of(from[j]);
    return load_group<ToKind>(reinterpret_cast<const std::byte*>(to));
  }
};

/// What was computed in wider lanes, wrapped or rounded.
template <class Type>
struct Narrowed {
  template <class D>
  static HWY_INLINE hn::Vec<D> vector(D d, hn::Vec<D> v) {
    return Type::wrapped(d, v);
  }
};

/// Numbers of 16 bits as those bits, in lanes of integers, and back.
template <class Type>
struct ToBits {
  template <class D, class V>
  static HWY_INLINE hn::Vec<D> vector(D d, V v) {
    return hn::PromoteTo(d, Type::stored(hn::DFromV<V>(), v));
  }
};
template <class Type>
struct FromBits {
  template <class D, class V>
  static HWY_INLINE hn::Vec<D> vector(D d, V bits) {
    const auto few = hn::BitCast(hn::RebindToUnsigned<D>(), bits);
    return Type::of_bits(d, hn::TruncateTo(hn::Rebind<std::uint16_t, D>(), few));
  }
};

/// An integer as a float of at most 24 digits that half precision is rounded from: where digits are
/// lost, the last one is odd. Compilers make vectors of it.
template <class From>
HWY_INLINE float odd_float(From x) {
  constexpr bool is_wide = sizeof(From) == 8;
  constexpr int digits = is_wide ? 53 : 24;
  constexpr From exact = From{1} << digits, beyond = (From{1} << (8 * sizeof(From) - digits)) - 1;
  const From odd = (x | ((x & beyond) + beyond)) & ~beyond;
  bool is_exact = x <= exact;
  if constexpr (std::is_signed_v<From>) is_exact = is_exact && x >= -exact;
  const From kept = is_exact ? x : odd;
  if constexpr (!is_wide) return static_cast<float>(kept);
  // No double of an integer is too large or too small for a float.
  constexpr std::uint64_t lost = (std::uint64_t{1} << 29) - 1;
  const auto bits = std::bit_cast<std::uint64_t>(static_cast<double>(kept));
  return static_cast<float>(std::bit_cast<double>((bits | ((bits & lost) + lost)) & ~lost));
}

/// As astype does, but that integers are wrapped, and floating-point numbers rounded, afterwards
/// where the type is smaller than its lanes. `Small` is how the result is stored.
template <class Small, class From, class To, bool is_rounded>
struct Cast {
  static constexpr bool cuts = std::is_floating_point_v<From> && std::is_integral_v<To>;
  static constexpr bool rounds_once_more =
      is_rounded && sizeof(From) >= 4 && !std::is_same_v<From, float>;
  static constexpr bool integers = std::is_integral_v<From> && std::is_integral_v<To>;
  static constexpr bool floats =
      std::is_floating_point_v<From> && std::is_floating_point_v<To> && !rounds_once_more;
  static constexpr bool to_floats =
      std::is_same_v<From, std::int32_t> && std::is_floating_point_v<To> && !rounds_once_more;
  static constexpr bool cuts_fit = cuts && std::is_same_v<To, std::int32_t>;
  // Vectors of one element keep infinity from floats, which is not what is asked for.
  static constexpr bool has_vector =
      HWY_TARGET != HWY_SCALAR && (integers || floats || to_floats || cuts_fit);

  static HWY_INLINE To of(From x) {
    if constexpr (cuts) {
      constexpr auto low = static_cast<From>(std::numeric_limits<Small>::min());
      // The first number beyond the range, a power of two, is one of floating point.
      constexpr auto beyond = static_cast<From>(std::numeric_limits<Small>::max() / 2 + 1) * 2;
      const bool is_above = x >= beyond, is_below = x < low;
      const From within = is_above || is_below || x != x ? From{0} : x;
      const To cut = static_cast<To>(static_cast<Small>(within));
      return is_above   ? static_cast<To>(std::numeric_limits<Small>::max())
             : is_below ? static_cast<To>(std::numeric_limits<Small>::min())
                        : cut;
    } else if constexpr (rounds_once_more && std::is_integral_v<From>) {
      return odd_float(x);
    } else if constexpr (rounds_once_more) {
      return detail::rounded_to_odd(x);
    } else {
      return static_cast<To>(x);
    }
  }

  template <class D, class V>
  static HWY_INLINE hn::Vec<D> vector(D d, V v) requires(has_vector) {
    if constexpr (integers) {
      using Wide = std::conditional_t<std::is_signed_v<From>, std::int64_t, std::uint64_t>;
      if constexpr (sizeof(From) == sizeof(To)) return hn::BitCast(d, v);
      else if constexpr (sizeof(From) < sizeof(To))
        return hn::BitCast(d, hn::PromoteTo(hn::Rebind<Wide, D>(), v));
      else
        return hn::BitCast(d, hn::TruncateTo(hn::Rebind<std::uint32_t, D>(),
                                             hn::BitCast(hn::Rebind<std::uint64_t, D>(), v)));
    } else if constexpr (floats) {
      if constexpr (sizeof(From) < sizeof(To)) return hn::PromoteTo(d, v);
      else return hn::DemoteTo(d, v);
    } else if constexpr (to_floats) {
      if constexpr (sizeof(From) == sizeof(To)) return hn::ConvertTo(d, v);
      else return hn::PromoteTo(d, v);
    } else {
      return cut(d, v);
    }
  }

 private:
  /// Into the range of Small first; NaN is 0.
  template <class D, class V>
  static HWY_INLINE hn::Vec<D> cut(D d, V v) {
    const hn::DFromV<V> from;
    constexpr auto low = static_cast<From>(std::numeric_limits<Small>::min());
    constexpr auto high = std::numeric_limits<Small>::max();
    const auto number = hn::Max(hn::IfThenElseZero(hn::Eq(v, v), v), hn::Set(from, low));
    if constexpr (static_cast<std::int64_t>(static_cast<From>(high)) == std::int64_t{high}) {
      const auto within = hn::Min(number, hn::Set(from, static_cast<From>(high)));
      if constexpr (sizeof(From) == sizeof(To)) return hn::ConvertTo(d, within);
      else return hn::DemoteTo(d, within);
    } else {
      // 2^31 is a float, and 2^31 - 1 is none.
      const auto is_above = hn::Ge(number, hn::Set(from, From{0x1p31f}));
      const auto within = hn::ConvertTo(d, hn::IfThenZeroElse(is_above, number));
      return hn::IfThenElse(hn::RebindMask(d, is_above), hn::Set(d, high), within);
    }
  }
};

/// Whether elements are not 0.
template <class K>
struct IsNonzero {
  using From = typename K::Element;
  static constexpr std::size_t places = 0;

  static HWY_INLINE auto of(const Group<From>& g) { return all(AllRegisters(), g); }

 private:
  /// NaN is no 0, and not unequal to 0 either as Highway compares.
  static HWY_INLINE auto holds(Vector<From> v) { return hn::Not(hn::Eq(v, hn::Zero(Tag<From>()))); }
  template <std::size_t... k>
  static HWY_INLINE auto all(std::index_sequence<k...>, const Group<From>& g) {
    return Group<typename BoolOf<K>::Element>{{one<k>(g)...}};
  }
  template <std::size_t k>
  static HWY_INLINE auto one(const Group<From>& g) {
    return bools_vector<K, k>([](auto v) HWY_ATTR { return holds(v); }, g);
  }
};

}  // namespace weft::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif

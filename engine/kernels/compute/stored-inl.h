// SPDX-License-Identifier: Apache-2.0
// How elements of a type lie in memory, and what they are as lanes. Included once per target.
#if defined(WEFT_ENGINE_KERNELS_COMPUTE_STORED_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef WEFT_ENGINE_KERNELS_COMPUTE_STORED_INL_H_
#undef WEFT_ENGINE_KERNELS_COMPUTE_STORED_INL_H_
#else
#define WEFT_ENGINE_KERNELS_COMPUTE_STORED_INL_H_
#endif

#include <limits>
#include <type_traits>

#include <weft/engine/kernels/compute/links-inl.h>
#include <weft/graph/value/float16.h>

HWY_BEFORE_NAMESPACE();
namespace weft::HWY_NAMESPACE {

// Of each type:
//   Memory, Element    an element in memory, and as a lane
//   is_plain           whether they are the same
//   load(d, from)      the lanes of a vector
//   stored(d, v)       lanes of d as elements in memory, in a part of a vector where those are less
//   of_bits(d, bits)   of 16 bits in memory, the lanes
//   wrapped(d, v)      lanes as they were if they were stored and loaded

template <class Stored, class Lane>
struct Plainly {
  using Memory = Stored;
  using Element = Lane;
  static constexpr bool is_plain = std::is_same_v<Stored, Lane>;

  template <class D>
  static HWY_INLINE hn::Vec<D> load(D d, const Stored* from) {
    if constexpr (is_plain) return hn::LoadU(d, from);
    else return hn::PromoteTo(d, hn::LoadU(hn::Rebind<Stored, D>(), from));
  }
  template <class D>
  static HWY_INLINE auto stored(D, hn::Vec<D> v) {
    if constexpr (is_plain) return v;
    else
      return hn::TruncateTo(hn::Rebind<std::make_unsigned_t<Stored>, D>(),
                            hn::BitCast(hn::RebindToUnsigned<D>(), v));
  }
  template <class D>
  static HWY_INLINE hn::Vec<D> wrapped([[maybe_unused]] D d, hn::Vec<D> v) {
    constexpr int spare = 8 * (sizeof(Lane) - sizeof(Stored));
    if constexpr (spare == 0) return v;
    else if constexpr (std::is_unsigned_v<Stored>)
      return hn::And(v, hn::Set(d, Lane{std::numeric_limits<Stored>::max()}));
    else return hn::ShiftRight<spare>(hn::ShiftLeft<spare>(v));
  }
};

/// Any byte but 0 is true.
template <class Lane>
struct Bool {
  using Memory = std::uint8_t;
  using Element = Lane;
  static constexpr bool is_plain = false;

  template <class D>
  static HWY_INLINE hn::Vec<D> load(D d, const std::uint8_t* from) {
    return hn::Min(Plainly<std::uint8_t, Lane>::load(d, from), hn::Set(d, Lane{1}));
  }
  template <class D>
  static HWY_INLINE auto stored(D d, hn::Vec<D> v) {
    return Plainly<std::uint8_t, Lane>::stored(d, v);
  }
};

struct Half {
  using Memory = std::uint16_t;
  using Element = float;
  static constexpr bool is_plain = false;

#if HWY_TARGET == HWY_SCALAR
  template <class D, class V>
  static HWY_INLINE hn::Vec<D> of_bits(D d, V bits) {
    return hn::Set(d, detail::from_f16_bits(hn::GetLane(bits)));
  }
  template <class D>
  static HWY_INLINE auto stored(D, hn::Vec<D> v) {
    return hn::Set(hn::Rebind<std::uint16_t, D>(), detail::f16_bits(hn::GetLane(v)));
  }
  template <class D>
  static HWY_INLINE hn::Vec<D> wrapped(D d, hn::Vec<D> v) {
    return hn::Set(d, detail::from_f16_bits(detail::f16_bits(hn::GetLane(v))));
  }
#else
  template <class D, class V>
  static HWY_INLINE hn::Vec<D> of_bits(D d, V bits) {
    return hn::PromoteTo(d, hn::BitCast(hn::Rebind<hwy::float16_t, D>(), bits));
  }
  template <class D>
  static HWY_INLINE auto stored(D, hn::Vec<D> v) {
    return hn::BitCast(hn::Rebind<std::uint16_t, D>(),
                       hn::DemoteTo(hn::Rebind<hwy::float16_t, D>(), v));
  }
  template <class D>
  static HWY_INLINE hn::Vec<D> wrapped(D d, hn::Vec<D> v) {
    return hn::PromoteTo(d, hn::DemoteTo(hn::Rebind<hwy::float16_t, D>(), v));
  }
#endif
  template <class D>
  static HWY_INLINE hn::Vec<D> load(D d, const std::uint16_t* from) {
    return of_bits(d, hn::LoadU(hn::Rebind<std::uint16_t, D>(), from));
  }
};

/// The upper half of a float.
struct Brain {
  using Memory = std::uint16_t;
  using Element = float;
  static constexpr bool is_plain = false;

  template <class D, class V>
  static HWY_INLINE hn::Vec<D> of_bits(D d, V bits) {
    const auto upper = hn::ShiftLeft<16>(hn::PromoteTo(hn::RebindToUnsigned<D>(), bits));
    return hn::BitCast(d, quiet(hn::BitCast(d, upper), upper));
  }
  template <class D>
  static HWY_INLINE hn::Vec<D> load(D d, const std::uint16_t* from) {
    return of_bits(d, hn::LoadU(hn::Rebind<std::uint16_t, D>(), from));
  }
  template <class D>
  static HWY_INLINE auto stored(D d, hn::Vec<D> v) {
    return hn::TruncateTo(hn::Rebind<std::uint16_t, D>(), hn::ShiftRight<16>(rounded(d, v)));
  }
  template <class D>
  static HWY_INLINE hn::Vec<D> wrapped(D d, hn::Vec<D> v) {
    const hn::RebindToUnsigned<D> bits;
    return hn::BitCast(d, hn::And(rounded(d, v), hn::Set(bits, 0xffff0000)));
  }

 private:
  /// Bits of floats, of which NaNs are made quiet.
  template <class V, class B>
  static HWY_INLINE B quiet(V v, B bits) {
    const hn::DFromV<B> d;
    const auto is_number = hn::RebindMask(d, hn::Eq(v, v));
    return hn::Or(bits, hn::IfThenZeroElse(is_number, hn::Set(d, 0x400000)));
  }
  /// To nearest, ties to even: in the upper half.
  template <class D>
  static HWY_INLINE auto rounded(D, hn::Vec<D> v) {
    const hn::RebindToUnsigned<D> d;
    const auto bits = hn::BitCast(d, v);
    const auto odd = hn::And(hn::ShiftRight<16>(bits), hn::Set(d, 1));
    const auto nearest = hn::Add(bits, hn::Add(odd, hn::Set(d, 0x7fff)));
    return hn::IfThenElse(hn::RebindMask(d, hn::Eq(v, v)), nearest, quiet(v, bits));
  }
};

}  // namespace weft::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif

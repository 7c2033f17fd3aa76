// SPDX-License-Identifier: Apache-2.0
// What the functions of vectors are made of: polynomials, powers of two, sums and products of two
// parts, and f32 computed in lanes of f64. Files that include these are compiled with
// -ffp-contract=off: a product and a sum of two parts must not become one rounding.
#if defined(WEFT_MATH_LANES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef WEFT_MATH_LANES_INL_H_
#undef WEFT_MATH_LANES_INL_H_
#else
#define WEFT_MATH_LANES_INL_H_
#endif

#include <cstddef>
#include <cstdint>
#include <hwy/highway.h>
#include <limits>
#include <type_traits>

HWY_BEFORE_NAMESPACE();
namespace weft::HWY_NAMESPACE::math {

namespace hn = hwy::HWY_NAMESPACE;

template <class D>
inline constexpr bool is_f32 = std::is_same_v<hn::TFromD<D>, float>;

/// Whether f32 is computed in f32: the algorithms need products of one rounding.
template <class D>
inline constexpr bool in_f32 = is_f32<D>&& HWY_NATIVE_FMA != 0;

template <class D>
HWY_INLINE hn::Vec<D> constant(D d, double value) {
  return hn::Set(d, static_cast<hn::TFromD<D>>(value));
}

template <class D>
HWY_INLINE hn::Vec<D> infinity(D d) {
  return hn::Set(d, std::numeric_limits<hn::TFromD<D>>::infinity());
}

template <class D>
HWY_INLINE hn::Vec<D> not_a_number(D d) {
  return hn::Set(d, std::numeric_limits<hn::TFromD<D>>::quiet_NaN());
}

/// y, and x where x is NaN.
template <class V>
HWY_INLINE V keep_nan(V x, V y) {
  return hn::IfThenElse(hn::Eq(x, x), y, x);
}

template <class D>
HWY_INLINE hn::Vec<D> clamp(D d, hn::Vec<D> x, double low, double high) {
  return hn::Min(hn::Max(x, constant(d, low)), constant(d, high));
}

/// c + x * (rest ...), by Horner's rule.
template <class D, class... Rest>
HWY_INLINE hn::Vec<D> polynomial(D d, hn::Vec<D> x, double c, Rest... rest) {
  if constexpr (sizeof...(rest) == 0) return constant(d, c);
  else return hn::MulAdd(polynomial(d, x, rest...), x, constant(d, c));
}

/// Added to a number, 1.5 * 2^(digits - 1) leaves its nearest whole number in the low bits.
template <class D>
inline constexpr double magic = is_f32<D> ? 0x1.8p23 : 0x1.8p52;
template <class D>
inline constexpr int mantissa_bits = is_f32<D> ? 23 : 52;
template <class D>
inline constexpr int exponent_bias = is_f32<D> ? 127 : 1023;

/// The whole number nearest to x * by, for products below 2^22 (f64: 2^51).
template <class D>
HWY_INLINE hn::Vec<D> whole(D d, hn::Vec<D> x, double by) {
  const auto shift = constant(d, magic<D>);
  return hn::Sub(hn::MulAdd(x, constant(d, by), shift), shift);
}

/// 2^(n + more) for whole n that then are exponents of normal numbers.
template <class D>
HWY_INLINE hn::Vec<D> power_of_two(D d, hn::Vec<D> n, int more = 0) {
  const hn::RebindToUnsigned<D> du;
  const auto bits = hn::BitCast(du, hn::Add(n, constant(d, magic<D> + exponent_bias<D> + more)));
  return hn::BitCast(d, hn::ShiftLeft<mantissa_bits<D>>(bits));
}

/// y * 2^n rounded once, also where it is subnormal or overflows; y is near 1.
template <class D>
HWY_INLINE hn::Vec<D> times_power_of_two(D d, hn::Vec<D> y, hn::Vec<D> n) {
#if HWY_TARGET <= HWY_AVX3
  // One instruction, which Highway has no name for; the same bits.
  if constexpr (std::is_same_v<hn::Vec<D>, hn::Vec512<float>>)
    return hn::Vec<D>{_mm512_scalef_ps(y.raw, n.raw)};
  if constexpr (std::is_same_v<hn::Vec<D>, hn::Vec512<double>>)
    return hn::Vec<D>{_mm512_scalef_pd(y.raw, n.raw)};
#endif
  const auto half = whole(d, n, 0.5);
  return hn::Mul(hn::Mul(y, power_of_two(d, half)), power_of_two(d, hn::Sub(n, half)));
}

/// a + b and what its rounding left out (Knuth).
template <class V>
HWY_INLINE V two_sum(V a, V b, V& low) {
  const V sum = hn::Add(a, b), part = hn::Sub(sum, a);
  low = hn::Add(hn::Sub(a, hn::Sub(sum, part)), hn::Sub(b, part));
  return sum;
}

/// As two_sum, where a is 0 or the larger one (Dekker).
template <class V>
HWY_INLINE V fast_two_sum(V a, V b, V& low) {
  const V sum = hn::Add(a, b);
  low = hn::Sub(b, hn::Sub(sum, a));
  return sum;
}

/// a * b and what its rounding left out; without products of one rounding by halves (Dekker).
template <class D>
HWY_INLINE hn::Vec<D> two_product(D d, hn::Vec<D> a, hn::Vec<D> b, hn::Vec<D>& low) {
  const auto product = hn::Mul(a, b);
#if HWY_NATIVE_FMA
  (void)d;
  low = hn::MulSub(a, b, product);
#else
  static_assert(!is_f32<D>);
  const hn::RebindToUnsigned<D> du;
  const auto upper = hn::BitCast(d, hn::Set(du, std::uint64_t{0xFFFFFFFFF8000000}));
  const auto a1 = hn::And(a, upper), a2 = hn::Sub(a, a1);
  const auto b1 = hn::And(b, upper), b2 = hn::Sub(b, b1);
  low = hn::Add(hn::Add(hn::Sub(hn::Mul(a1, b1), product), hn::Mul(a1, b2)), hn::Mul(a2, b1));
  low = hn::Add(low, hn::Mul(a2, b2));
#endif
  return product;
}

/// (a + a_low) * (c + c_low) in two parts.
template <class D>
HWY_INLINE hn::Vec<D> product_in_parts(D d, hn::Vec<D> a, hn::Vec<D> a_low, hn::Vec<D> c,
                                       hn::Vec<D> c_low, hn::Vec<D>& low) {
  const auto product = two_product(d, a, c, low);
  low = hn::Add(low, hn::MulAdd(a, c_low, hn::Mul(a_low, c)));
  return product;
}

/// (a + a_low) / (b + b_low) in two parts.
template <class D>
HWY_INLINE hn::Vec<D> quotient_in_parts(D d, hn::Vec<D> a, hn::Vec<D> a_low, hn::Vec<D> b,
                                        hn::Vec<D> b_low, hn::Vec<D>& low) {
  const auto q = hn::Div(a, b);
  auto past = q;
  const auto product = two_product(d, q, b, past);
  const auto left = hn::Sub(hn::Sub(a, product), past);
  low = hn::Div(hn::NegMulAdd(q, b_low, hn::Add(left, a_low)), b);
  return q;
}

/// f64 lanes as f32; Highway's own makes the largest number of what overflows on some targets.
template <class D, class W>
HWY_INLINE hn::Vec<D> rounded_to_f32(D d, W wide, hn::Vec<W> x) {
#if HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_EMU128
  HWY_ALIGN double from[hn::MaxLanes(W())];
  HWY_ALIGN float to[hn::MaxLanes(D())];
  hn::Store(x, wide, from);
  for (std::size_t i = 0; i < hn::MaxLanes(W()); ++i) to[i] = static_cast<float>(from[i]);
  return hn::Load(d, to);
#else
  (void)wide;
  return hn::DemoteTo(d, x);
#endif
}

/// Calls f(d64, x...) with the lanes of f32 as f64, and rounds what it gives.
template <class D, class F, class... X>
HWY_INLINE hn::Vec<D> through_f64(D d, F f, X... x) {
#if HWY_TARGET == HWY_SCALAR
  const hn::Rebind<double, D> wide;
  return rounded_to_f32(d, wide, f(wide, hn::PromoteTo(wide, x)...));
#else
  if constexpr (hn::MaxLanes(D()) <= hn::MaxLanes(hn::ScalableTag<double>())) {
    const hn::Rebind<double, D> wide;
    return rounded_to_f32(d, wide, f(wide, hn::PromoteTo(wide, x)...));
  } else {
    const hn::Half<D> half;
    const hn::Repartition<double, D> wide;
    const auto low = f(wide, hn::PromoteTo(wide, hn::LowerHalf(half, x))...);
    const auto high = f(wide, hn::PromoteTo(wide, hn::UpperHalf(half, x))...);
    return hn::Combine(d, rounded_to_f32(half, wide, high), rounded_to_f32(half, wide, low));
  }
#endif
}

/// f of f64 lanes, for either type.
template <class D, class F, class... X>
HWY_INLINE hn::Vec<D> in_f64(D d, F f, X... x) {
  if constexpr (is_f32<D>) return through_f64(d, f, x...);
  else return f(d, x...);
}

}  // namespace weft::HWY_NAMESPACE::math
HWY_AFTER_NAMESPACE();

#endif

// SPDX-License-Identifier: Apache-2.0
// asin, acos, atan and atan2.
#if defined(WEFT_MATH_INVERSE_TRIG_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef WEFT_MATH_INVERSE_TRIG_INL_H_
#undef WEFT_MATH_INVERSE_TRIG_INL_H_
#else
#define WEFT_MATH_INVERSE_TRIG_INL_H_
#endif

#include <hwy/highway.h>

#include <weft/engine/kernels/compute/math/lanes-inl.h>

HWY_BEFORE_NAMESPACE();
namespace weft::HWY_NAMESPACE::math {

constexpr double half_pi = 1.5707963267948966, half_pi_low = 6.123233995736766e-17;

/// asin(|x|) = base + factor * (s + low) with base 0 or pi / 2, factor 1 or -2, in f64.
template <class D>
HWY_INLINE hn::Vec<D> arc_sine_of_rest(D d, hn::Vec<D> a, hn::Mask<D> is_large, hn::Vec<D>& low) {
  // asin(a) = pi / 2 - 2 asin(sqrt((1 - a) / 2)).
  const auto rest = hn::Mul(hn::Sub(constant(d, 1), a), constant(d, 0.5));
  const auto z = hn::IfThenElse(is_large, rest, hn::Mul(a, a));
  const auto s = hn::IfThenElse(is_large, hn::Sqrt(rest), a);
  auto past = s;
  const auto square = two_product(d, s, s, past);
  const auto left = hn::Sub(hn::Sub(z, square), past);
  const auto s_low = hn::Div(left, hn::Max(hn::Add(s, s), constant(d, 1e-300)));
  const auto p = polynomial(d, z, 0.1666666666666676, 0.07499999999970813, 0.044642857174642524,
                            0.030381942704902506, 0.022372215098762964, 0.017351609585923237,
                            0.013980853991879533, 0.01139860779886812, 0.010782112374410869,
                            0.0036988603082481926, 0.021726985440859267, -0.021028255012318024,
                            0.03264778562515113);
  low = hn::MulAdd(hn::Mul(s, z), p, hn::IfThenElseZero(is_large, s_low));
  return s;
}

/// turns * pi / 2 + factor * (s + low).
template <class D>
HWY_INLINE hn::Vec<D> angle_of(D d, hn::Vec<D> turns, hn::Vec<D> factor, hn::Vec<D> s,
                               hn::Vec<D> low) {
  auto past = s;
  const auto sum = fast_two_sum(hn::Mul(turns, constant(d, half_pi)), hn::Mul(factor, s), past);
  past = hn::Add(hn::MulAdd(turns, constant(d, half_pi_low), past), hn::Mul(factor, low));
  return hn::Add(sum, past);
}

template <class D>
HWY_NOINLINE hn::Vec<D> asin_f64(D d, hn::Vec<D> x) {
  const auto a = hn::Abs(x), one = constant(d, 1);
  const auto is_large = hn::Gt(a, constant(d, 0.5));
  auto low = x;
  const auto s = arc_sine_of_rest(d, a, is_large, low);
  const auto turns = hn::IfThenElseZero(is_large, one);
  const auto factor = hn::IfThenElse(is_large, constant(d, -2), one);
  return hn::CopySign(angle_of(d, turns, factor, s, low), x);
}

template <class D>
HWY_NOINLINE hn::Vec<D> acos_f64(D d, hn::Vec<D> x) {
  const auto a = hn::Abs(x), one = constant(d, 1), two = constant(d, 2);
  const auto is_large = hn::Gt(a, constant(d, 0.5)), is_negative = hn::Lt(x, hn::Zero(d));
  auto low = x;
  const auto s = arc_sine_of_rest(d, a, is_large, low);
  const auto turns = hn::IfThenElse(is_large, hn::IfThenElseZero(is_negative, two), one);
  const auto size = hn::IfThenElse(is_large, two, hn::Neg(one));
  return angle_of(d, turns, hn::IfThenElse(is_negative, hn::Neg(size), size), s, low);
}

/// The angle whose tangent is y / x, y and x not negative, in two parts, the second not normalised.
template <class D>
HWY_INLINE hn::Vec<D> first_quadrant(D d, hn::Vec<D> y, hn::Vec<D> x, hn::Vec<D>& low) {
  // Less pi / 4 or pi / 2, so that the rest is at most pi / 8.
  const auto is_steep = hn::Gt(y, hn::Mul(x, constant(d, 2.414213562373095)));
  const auto is_flat = hn::Le(y, hn::Mul(x, constant(d, 0.41421356237309503)));
  auto over_low = y, under_low = y, q_low = y, past = y;
  const auto difference = two_sum(y, hn::Neg(x), over_low), sum = two_sum(x, y, under_low);
  const auto is_between = hn::Not(hn::Or(is_steep, is_flat));
  const auto over = hn::IfThenElse(is_steep, hn::Neg(x), hn::IfThenElse(is_flat, y, difference));
  auto under = hn::IfThenElse(is_steep, y, hn::IfThenElse(is_flat, x, sum));
  under = hn::IfThenElse(hn::Eq(under, hn::Zero(d)), constant(d, 1), under);
  const auto q = quotient_in_parts(d, over, hn::IfThenElseZero(is_between, over_low), under,
                                   hn::IfThenElseZero(is_between, under_low), q_low);
  const auto z = hn::Mul(q, q);
  const auto p = polynomial(d, z, -0.333333333333332, 0.19999999999953655, -0.14285714280196948,
                            0.11111110783332484, -0.09090897752233576, 0.07692060106027633,
                            -0.06663102808768974, 0.05847880720752815, -0.05039269156192093,
                            0.03806375428424433, -0.017906443004628295);
  const auto turns =
      hn::IfThenElse(is_steep, constant(d, 1), hn::IfThenElseZero(is_between, constant(d, 0.5)));
  const auto angle = fast_two_sum(hn::Mul(turns, constant(d, half_pi)), q, past);
  const auto rest = hn::MulAdd(hn::Mul(q, z), p, q_low);
  low = hn::Add(past, hn::MulAdd(turns, constant(d, half_pi_low), rest));
  return angle;
}

template <class D>
HWY_NOINLINE hn::Vec<D> atan_f64(D d, hn::Vec<D> x) {
  auto low = x;
  const auto angle = first_quadrant(d, hn::Min(hn::Abs(x), constant(d, 1e18)), constant(d, 1), low);
  return keep_nan(x, hn::CopySign(hn::Add(angle, low), x));
}

/// A side of 0 or more, scaled; where one is infinite, infinities are as 1, and all else as 0.
template <class D, class Mask>
HWY_INLINE hn::Vec<D> scaled_side(D d, hn::Vec<D> side, hn::Vec<D> scale, Mask has_infinity) {
  const auto at_infinity = hn::IfThenElseZero(hn::Eq(side, infinity(d)), constant(d, 1));
  return hn::IfThenElse(has_infinity, at_infinity, hn::Mul(side, scale));
}

template <class D>
HWY_NOINLINE hn::Vec<D> atan2_f64(D d, hn::Vec<D> y, hn::Vec<D> x) {
  const auto one = constant(d, 1);
  auto a = hn::Abs(y), b = hn::Abs(x);
  const auto most = hn::Max(a, b);
  // Sums and their rests stay in range.
  const auto has_infinity = hn::Eq(most, infinity(d));
  const auto scale =
      hn::IfThenElse(hn::Gt(most, constant(d, 0x1p1000)), constant(d, 0x1p-4),
                     hn::IfThenElse(hn::Lt(most, constant(d, 0x1p300)), constant(d, 0x1p600), one));
  a = scaled_side(d, a, scale, has_infinity);
  b = scaled_side(d, b, scale, has_infinity);
  auto low = x, past = x;
  const auto angle = first_quadrant(d, a, b, low);
  const auto opposite = fast_two_sum(constant(d, 2 * half_pi), hn::Neg(angle), past);
  const auto opposite_low = hn::Add(past, hn::Sub(constant(d, 2 * half_pi_low), low));
  const auto is_left = hn::Lt(hn::CopySign(one, x), hn::Zero(d));
  const auto size = hn::IfThenElse(is_left, hn::Add(opposite, opposite_low), hn::Add(angle, low));
  const auto result = hn::CopySign(size, y);
  return keep_nan(x, keep_nan(y, result));
}

/// 1 ulp.
template <class D>
HWY_INLINE hn::Vec<D> asin(D d, hn::Vec<D> x) {
  return in_f64(
      d, [](auto wide, auto v) HWY_ATTR { return asin_f64(wide, v); }, x);
}

/// 1 ulp.
template <class D>
HWY_INLINE hn::Vec<D> acos(D d, hn::Vec<D> x) {
  return in_f64(
      d, [](auto wide, auto v) HWY_ATTR { return acos_f64(wide, v); }, x);
}

/// 1 ulp.
template <class D>
HWY_INLINE hn::Vec<D> atan(D d, hn::Vec<D> x) {
  return in_f64(
      d, [](auto wide, auto v) HWY_ATTR { return atan_f64(wide, v); }, x);
}

/// 1 ulp; zeros and infinities as C has them.
template <class D>
HWY_INLINE hn::Vec<D> atan2(D d, hn::Vec<D> y, hn::Vec<D> x) {
  return in_f64(
      d, [](auto wide, auto v, auto w) HWY_ATTR { return atan2_f64(wide, v, w); }, y, x);
}

}  // namespace weft::HWY_NAMESPACE::math
HWY_AFTER_NAMESPACE();

#endif

// SPDX-License-Identifier: Apache-2.0
// sin, cos and tan of every argument: quarter turns are taken away, exactly where they are many.
#if defined(WEFT_MATH_SINCOS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef WEFT_MATH_SINCOS_INL_H_
#undef WEFT_MATH_SINCOS_INL_H_
#else
#define WEFT_MATH_SINCOS_INL_H_
#endif

#include <hwy/highway.h>

#include <weft/engine/kernels/compute/math/huge_angle.h>
#include <weft/engine/kernels/compute/math/lanes-inl.h>

HWY_BEFORE_NAMESPACE();
namespace weft::HWY_NAMESPACE::math {

constexpr double most_f32_angle = 1e5, most_f64_angle = 1e6;

/// The huge lanes of x, one by one; the others are left as they are.
template <class D>
HWY_NOINLINE void reduce_huge(D d, hn::Vec<D> x, hn::Vec<D>& rest, hn::Vec<D>& low, hn::Vec<D>& n) {
  constexpr std::size_t most = hn::MaxLanes(D());
  HWY_ALIGN double angles[most];
  HWY_ALIGN double rests[most];
  HWY_ALIGN double lows[most];
  HWY_ALIGN double quarters[most];
  hn::Store(x, d, angles);
  hn::Store(rest, d, rests);
  hn::Store(low, d, lows);
  hn::Store(n, d, quarters);
  for (std::size_t i = 0; i < hn::Lanes(d); ++i) {
    if (-most_f64_angle <= angles[i] && angles[i] <= most_f64_angle) continue;
    const bool is_finite = angles[i] - angles[i] == 0;
    const auto reduced = is_finite ? weft::math::reduced_huge_angle(angles[i])
                                   : weft::math::ReducedAngle{angles[i] - angles[i], 0, 0};
    rests[i] = reduced.rest;
    lows[i] = reduced.rest_low;
    quarters[i] = reduced.quarters;
  }
  rest = hn::Load(d, rests);
  low = hn::Load(d, lows);
  n = hn::Load(d, quarters);
}

/// x = n * pi / 2 + rest + low in f64; n counts modulo 4 where x is huge.
template <class D>
HWY_INLINE hn::Vec<D> reduced_angle(D d, hn::Vec<D> x, hn::Vec<D>& low, hn::Vec<D>& n) {
  const auto is_small = hn::Le(hn::Abs(x), constant(d, most_f64_angle));
  n = whole(d, hn::IfThenElseZero(is_small, x), 0.6366197723675814);
  // pi / 2 in parts of 33 bits, whose products with n are exact.
  auto past = x, more = x;
  const auto first = hn::NegMulAdd(n, constant(d, 1.5707963267341256), x);
  auto rest = two_sum(first, hn::Mul(n, constant(d, -6.077100506303966e-11)), past);
  rest = two_sum(rest, hn::Mul(n, constant(d, -2.0222662487111665e-21)), more);
  past = hn::NegMulAdd(n, constant(d, 8.4784276603689e-32), hn::Add(past, more));
  rest = fast_two_sum(rest, past, low);
  if (!hn::AllTrue(d, is_small)) reduce_huge(d, x, rest, low, n);
  return rest;
}

/// The sine of r + low, |r| <= pi / 4, but for r: the rest that is to be added.
template <class D>
HWY_INLINE hn::Vec<D> sine_beyond(D d, hn::Vec<D> r, hn::Vec<D> z, hn::Vec<D> low) {
  const auto s =
      polynomial(d, z, -0.1666666666666663, 0.00833333333332184, -0.00019841269829358886,
                 2.7557313538645283e-06, -2.5050734409966416e-08, 1.5895434483345905e-10);
  return hn::MulAdd(hn::Mul(r, z), s, hn::NegMulAdd(hn::Mul(low, z), constant(d, 0.5), low));
}

/// The cosine of r + low in two parts, the second not normalised.
template <class D>
HWY_INLINE hn::Vec<D> cosine(D d, hn::Vec<D> r, hn::Vec<D> z, hn::Vec<D> low, hn::Vec<D>& beyond) {
  const auto c =
      polynomial(d, z, 0.041666666666666595, -0.0013888888888873307, 2.4801587288965094e-05,
                 -2.7557314203048486e-07, 2.0875703136803474e-09, -1.1358616934338456e-11);
  const auto half = hn::Mul(z, constant(d, 0.5)), w = hn::Sub(constant(d, 1), half);
  beyond = hn::Sub(hn::Sub(constant(d, 1), w), half);
  beyond = hn::Add(beyond, hn::NegMulAdd(r, low, hn::Mul(hn::Mul(z, z), c)));
  return w;
}

/// The sign and the choice of sine or cosine that the quarters n make: bit 1 and bit 0.
template <class D>
HWY_INLINE hn::Vec<hn::RebindToUnsigned<D>> quarter_bits(D d, hn::Vec<D> n) {
  return hn::BitCast(hn::RebindToUnsigned<D>(), hn::Add(n, constant(d, magic<D>)));
}

template <class D>
HWY_INLINE hn::Mask<D> is_odd(D d, hn::Vec<hn::RebindToUnsigned<D>> bits) {
  const hn::RebindToUnsigned<D> du;
  const auto one = hn::Set(du, 1);
  return hn::RebindMask(d, hn::Eq(hn::And(bits, one), one));
}

/// y, negated where bit 1 is set.
template <class D>
HWY_INLINE hn::Vec<D> signed_by(D d, hn::Vec<hn::RebindToUnsigned<D>> bits, hn::Vec<D> y) {
  const hn::RebindToUnsigned<D> du;
  const auto sign =
      hn::ShiftLeft<mantissa_bits<D> + (is_f32<D> ? 7 : 10)>(hn::And(bits, hn::Set(du, 2)));
  return hn::BitCast(d, hn::Xor(hn::BitCast(du, y), sign));
}

/// sin(x + more * pi / 2) in f64.
template <class D>
HWY_NOINLINE hn::Vec<D> sine_f64(D d, hn::Vec<D> x, int more) {
  auto low = x, n = x, beyond = x;
  const auto r = reduced_angle(d, x, low, n), z = hn::Mul(r, r);
  const auto sine = hn::Add(r, sine_beyond(d, r, z, low));
  const auto w = cosine(d, r, z, low, beyond);
  const auto bits = quarter_bits(d, hn::Add(n, constant(d, more)));
  return signed_by(d, bits, hn::IfThenElse(is_odd(d, bits), hn::Add(w, beyond), sine));
}

/// sin(x + more * pi / 2) in f32, for |x| <= most_f32_angle.
template <class D>
HWY_INLINE hn::Vec<D> sine_f32(D d, hn::Vec<D> x, int more) {
  const auto n = whole(d, x, 0.636619772);
  // The first difference is exact; pi / 2 has 24 bits a part.
  auto r = hn::NegMulAdd(n, constant(d, 1.570796371), x);
  r = hn::NegMulAdd(n, constant(d, -4.371138829e-8), r);
  r = hn::NegMulAdd(n, constant(d, -1.71512451e-15), r);
  const auto z = hn::Mul(r, r);
  const auto s = polynomial(d, z, -0.166666552, 0.00833218731, -0.000195179106);
  const auto sine = hn::MulAdd(hn::Mul(r, z), s, r);
  const auto cosine = polynomial(d, z, 1, -0.5, 0.0416666456, -0.00138873095, 2.44322982e-5);
  const auto bits = quarter_bits(d, hn::Add(n, constant(d, more)));
  return signed_by(d, bits, hn::IfThenElse(is_odd(d, bits), cosine, sine));
}

template <class D>
HWY_NOINLINE hn::Vec<D> sine_of_large_f32(D d, hn::Vec<D> x, int more) {
  if (more == 0)
    return through_f64(
        d, [](auto wide, auto v) HWY_ATTR { return sine_f64(wide, v, 0); }, x);
  return through_f64(
      d, [](auto wide, auto v) HWY_ATTR { return sine_f64(wide, v, 1); }, x);
}

template <int more, class D>
HWY_INLINE hn::Vec<D> sine(D d, hn::Vec<D> x) {
  if constexpr (in_f32<D>) {
    const auto is_small = hn::Le(hn::Abs(x), constant(d, most_f32_angle));
    auto y = sine_f32(d, x, more);
    if (!hn::AllTrue(d, is_small)) y = hn::IfThenElse(is_small, y, sine_of_large_f32(d, x, more));
    return y;
  } else {
    return in_f64(
        d, [](auto wide, auto v) HWY_ATTR { return sine_f64(wide, v, more); }, x);
  }
}

/// y, and x where it is so small that only its sign could be lost.
template <class D>
HWY_INLINE hn::Vec<D> keep_tiny(D d, hn::Vec<D> x, hn::Vec<D> y) {
  return hn::IfThenElse(hn::Lt(hn::Abs(x), constant(d, in_f32<D> ? 0x1p-13 : 0x1p-28)), x, y);
}

/// 2 ulp; f64 1.
template <class D>
HWY_INLINE hn::Vec<D> sin(D d, hn::Vec<D> x) {
  return keep_tiny(d, x, sine<0>(d, x));
}

/// 2 ulp; f64 1.
template <class D>
HWY_INLINE hn::Vec<D> cos(D d, hn::Vec<D> x) {
  return sine<1>(d, x);
}

template <class D>
HWY_NOINLINE hn::Vec<D> tan_f64(D d, hn::Vec<D> x) {
  auto low = x, n = x, c_low = x, s_low = x, y_low = x;
  const auto r = reduced_angle(d, x, low, n), z = hn::Mul(r, r);
  const auto s = fast_two_sum(r, sine_beyond(d, r, z, low), s_low);
  auto c = cosine(d, r, z, low, c_low);
  c = fast_two_sum(c, c_low, c_low);
  const auto odd = is_odd(d, quarter_bits(d, n));
  const auto y = quotient_in_parts(
      d, hn::IfThenElse(odd, hn::Neg(c), s), hn::IfThenElse(odd, hn::Neg(c_low), s_low),
      hn::IfThenElse(odd, s, c), hn::IfThenElse(odd, s_low, c_low), y_low);
  return keep_tiny(d, x, hn::Add(y, y_low));
}

/// 1 ulp; f64 2.
template <class D>
HWY_INLINE hn::Vec<D> tan(D d, hn::Vec<D> x) {
  return in_f64(
      d, [](auto wide, auto v) HWY_ATTR { return tan_f64(wide, v); }, x);
}

}  // namespace weft::HWY_NAMESPACE::math
HWY_AFTER_NAMESPACE();

#endif

// SPDX-License-Identifier: Apache-2.0
// exp, exp2 and expm1: 2^n times a minimax polynomial of what is left.
#if defined(WEFT_MATH_EXP_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef WEFT_MATH_EXP_INL_H_
#undef WEFT_MATH_EXP_INL_H_
#else
#define WEFT_MATH_EXP_INL_H_
#endif

#include <hwy/highway.h>

#include <weft/engine/kernels/compute/math/lanes-inl.h>

HWY_BEFORE_NAMESPACE();
namespace weft::HWY_NAMESPACE::math {

/// (2^r - 1) / r for |r| <= 1/2, in f32.
template <class D>
HWY_INLINE hn::Vec<D> exp2m1_over(D d, hn::Vec<D> r) {
  return polynomial(d, r, 0.693147182, 0.240226477, 0.0555035882, 0.00961848255, 0.00133913243,
                    0.000153367684);
}

/// 2^r for |r| <= 1/2, in f32.
template <class D>
HWY_INLINE hn::Vec<D> exp2_of_fraction(D d, hn::Vec<D> r) {
  return hn::MulAdd(exp2m1_over(d, r), r, constant(d, 1));
}

/// r and n of exp(x) = 2^(r + n), in f32.
template <class D>
HWY_INLINE hn::Vec<D> exponent_of(D d, hn::Vec<D> x, hn::Vec<D>& n) {
  n = whole(d, x, 1.442695022);
  const auto r = hn::MulSub(x, constant(d, 1.442695022), n);
  return hn::MulAdd(x, constant(d, 1.925963034e-8), r);
}

/// p and n of exp(x) = p * 2^n, in f32.
template <class D>
HWY_INLINE hn::Vec<D> exp_f32(D d, hn::Vec<D> x, hn::Vec<D>& n) {
  return exp2_of_fraction(d, exponent_of(d, x, n));
}

/// exp(r + r_low) for |r| <= log(2) / 2, in f64 and in two parts.
template <class D>
HWY_INLINE hn::Vec<D> exp_of_rest(D d, hn::Vec<D> r, hn::Vec<D> r_low, hn::Vec<D>& low) {
  const auto q = polynomial(d, r, 0.5000000000000011, 0.1666666666666643, 0.04166666666652564,
                            0.00833333333348043, 0.0013888888944934674, 0.000198412695447398,
                            2.48014916421804e-05, 2.7557545463848613e-06, 2.763080141599036e-07,
                            2.5015131893296154e-08);
  const auto p = hn::Add(constant(d, 1), r);
  const auto past = hn::Sub(r, hn::Sub(p, constant(d, 1)));
  return fast_two_sum(p, hn::Add(past, hn::MulAdd(hn::Mul(r, r), q, r_low)), low);
}

/// p, its low part and n of exp(x + x_low) = p * 2^n, in f64.
template <class D>
HWY_INLINE hn::Vec<D> exp_in_parts(D d, hn::Vec<D> x, hn::Vec<D> x_low, hn::Vec<D>& low,
                                   hn::Vec<D>& n) {
  n = whole(d, x, 1.4426950408889634);
  // log(2) in two parts; the first has 42 bits, so that its product with n is exact.
  const auto a = hn::NegMulAdd(n, constant(d, 0.6931471805598903), x);
  const auto b = hn::MulSub(n, constant(d, 5.497923018708371e-14), x_low);
  const auto r = hn::Sub(a, b);
  return exp_of_rest(d, r, hn::Sub(hn::Sub(a, r), b), low);
}

template <class D>
HWY_NOINLINE hn::Vec<D> exp_f64(D d, hn::Vec<D> x) {
  auto low = x, n = x;
  const auto p = exp_in_parts(d, clamp(d, x, -746, 710), hn::Zero(d), low, n);
  return keep_nan(x, times_power_of_two(d, hn::Add(p, low), n));
}

template <class D>
HWY_NOINLINE hn::Vec<D> exp2_f64(D d, hn::Vec<D> x) {
  const auto inside = clamp(d, x, -1076, 1025);
  const auto n = whole(d, inside, 1), r = hn::Sub(inside, n);
  auto low = x;
  const auto y = product_in_parts(d, r, hn::Zero(d), constant(d, 0.6931471805599453),
                                  constant(d, 2.3190468138462996e-17), low);
  auto p_low = x;
  const auto p = exp_of_rest(d, y, low, p_low);
  return keep_nan(x, times_power_of_two(d, hn::Add(p, p_low), n));
}

template <class D>
HWY_NOINLINE hn::Vec<D> expm1_f64(D d, hn::Vec<D> x) {
  auto low = x, n = x;
  const auto p = exp_in_parts(d, clamp(d, x, -40, 710), hn::Zero(d), low, n);
  const auto one = power_of_two(d, hn::Max(hn::Neg(n), constant(d, -100)));
  auto past = x;
  const auto difference = two_sum(p, hn::Neg(one), past);
  const auto y = times_power_of_two(d, hn::Add(difference, hn::Add(past, low)), n);
  return keep_nan(x, hn::CopySign(y, x));
}

/// 1 ulp.
template <class D>
HWY_INLINE hn::Vec<D> exp(D d, hn::Vec<D> x) {
  if constexpr (in_f32<D>) {
    const auto inside = clamp(d, x, -104, 89), n = whole(d, inside, 1.442695022);
    // 1 + (a + (q r^2 - b)), r = a - b: the sum of a and b is exact, which that of 2^r is not.
    const auto a = hn::NegMulAdd(n, constant(d, 0.6931471825), inside);
    const auto b = hn::Mul(n, constant(d, -1.904654212e-9)), r = hn::Sub(a, b);
    const auto q =
        polynomial(d, r, 0.49999994, 0.166665152, 0.0416681059, 0.00836919062, 0.0013832621);
    const auto p = hn::Add(constant(d, 1), hn::Add(a, hn::MulSub(hn::Mul(r, r), q, b)));
    return keep_nan(x, times_power_of_two(d, p, n));
  } else {
    return in_f64(
        d, [](auto wide, auto v) HWY_ATTR { return exp_f64(wide, v); }, x);
  }
}

/// 1 ulp; exact for whole x.
template <class D>
HWY_INLINE hn::Vec<D> exp2(D d, hn::Vec<D> x) {
  if constexpr (in_f32<D>) {
    const auto inside = clamp(d, x, -151, 129), n = whole(d, inside, 1);
    const auto p = exp2_of_fraction(d, hn::Sub(inside, n));
    return keep_nan(x, times_power_of_two(d, p, n));
  } else {
    return in_f64(
        d, [](auto wide, auto v) HWY_ATTR { return exp2_f64(wide, v); }, x);
  }
}

/// 1 ulp; f64 2.
template <class D>
HWY_INLINE hn::Vec<D> expm1(D d, hn::Vec<D> x) {
  return in_f64(
      d, [](auto wide, auto v) HWY_ATTR { return expm1_f64(wide, v); }, x);
}

}  // namespace weft::HWY_NAMESPACE::math
HWY_AFTER_NAMESPACE();

#endif

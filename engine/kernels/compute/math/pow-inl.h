// SPDX-License-Identifier: Apache-2.0
// pow: exp(y * log(|x|)) in two parts, and the special values of C.
#if defined(WEFT_MATH_POW_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef WEFT_MATH_POW_INL_H_
#undef WEFT_MATH_POW_INL_H_
#else
#define WEFT_MATH_POW_INL_H_
#endif

#include <hwy/highway.h>

#include <weft/engine/kernels/compute/math/exp-inl.h>
#include <weft/engine/kernels/compute/math/log-inl.h>

HWY_BEFORE_NAMESPACE();
namespace weft::HWY_NAMESPACE::math {

/// |x|^y of f64 where nothing is zero, infinite or NaN.
template <class D>
HWY_NOINLINE hn::Vec<D> power_f64(D d, hn::Vec<D> a, hn::Vec<D> y) {
  auto low = a, product_low = a, p_low = a, n = a;
  const auto logarithm = log_in_parts(d, a, low);
  const auto product = product_in_parts(d, logarithm, low, y, hn::Zero(d), product_low);
  const auto inside = clamp(d, product, -800, 800);
  const auto inside_low = hn::IfThenElseZero(hn::Eq(inside, product), product_low);
  const auto p = exp_in_parts(d, inside, inside_low, p_low, n);
  return times_power_of_two(d, hn::Add(p, p_low), n);
}

/// The same where a and y are floats and the result will be.
template <class D>
HWY_NOINLINE hn::Vec<D> power_of_floats(D d, hn::Vec<D> a, hn::Vec<D> y) {
  auto m = a, p_low = a, n = a;
  const auto e = split_exponent(d, a, m), one = constant(d, 1);
  const auto s = hn::Div(hn::Sub(m, one), hn::Add(m, one)), z = hn::Mul(s, s);
  const auto q = polynomial(d, z, 2, 0.6666666666666666, 0.3999999999999998, 0.2857142857144522,
                            0.22222222217510573, 0.1818181887349384, 0.1538455665387015,
                            0.1333632578333321, 0.11674648476455791, 0.11990431332513309);
  const auto logarithm = hn::MulAdd(e, constant(d, 0.6931471805599453), hn::Mul(s, q));
  const auto inside = clamp(d, hn::Mul(logarithm, y), -200, 200);
  const auto p = exp_in_parts(d, inside, hn::Zero(d), p_low, n);
  return hn::Mul(p, power_of_two(d, n));
}

/// The power of |x| with the sign and the special values that x and y make.
template <class D>
HWY_INLINE hn::Vec<D> with_special_powers(D d, hn::Vec<D> x, hn::Vec<D> y, hn::Vec<D> power) {
  const auto one = constant(d, 1), zero = hn::Zero(d), inf = infinity(d), a = hn::Abs(x);
  const auto half = hn::Mul(y, constant(d, 0.5));
  const auto is_whole = hn::Eq(hn::Floor(y), y);
  const auto is_odd_power = hn::AndNot(hn::Eq(hn::Floor(half), half), is_whole);
  // Of 0, of infinity, and to the power of infinity: infinity or 0.
  const auto is_extreme = hn::Or(hn::Or(hn::Eq(a, zero), hn::Eq(a, inf)), hn::Eq(hn::Abs(y), inf));
  const auto grows = hn::Not(hn::Xor(hn::Gt(a, one), hn::Gt(y, zero)));
  auto r = hn::IfThenElse(is_extreme, hn::IfThenElseZero(grows, inf), power);
  r = hn::IfThenElse(hn::Eq(a, one), one, r);
  r = hn::IfThenElse(is_odd_power, hn::CopySign(r, x), r);
  const auto is_negative = hn::And(hn::Lt(x, zero), hn::Gt(x, hn::Neg(inf)));
  r = hn::IfThenElse(hn::AndNot(is_whole, is_negative), not_a_number(d), r);
  r = keep_nan(x, keep_nan(y, r));
  return hn::IfThenElse(hn::Or(hn::Eq(x, one), hn::Eq(y, zero)), one, r);
}

/// 1 ulp, and the values of C for zeros, infinities and NaN.
template <class D>
HWY_INLINE hn::Vec<D> pow(D d, hn::Vec<D> x, hn::Vec<D> y) {
  const auto a = hn::Abs(x);
  if constexpr (is_f32<D>) {
    const auto power = through_f64(
        d, [](auto wide, auto v, auto w) HWY_ATTR { return power_of_floats(wide, v, w); }, a, y);
    return with_special_powers(d, x, y, power);
  } else {
    return with_special_powers(d, x, y, power_f64(d, a, y));
  }
}

}  // namespace weft::HWY_NAMESPACE::math
HWY_AFTER_NAMESPACE();

#endif

// SPDX-License-Identifier: Apache-2.0
// sinh and cosh: half of exp(|x|) and of its inverse.
#if defined(WEFT_MATH_HYPERBOLIC_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef WEFT_MATH_HYPERBOLIC_INL_H_
#undef WEFT_MATH_HYPERBOLIC_INL_H_
#else
#define WEFT_MATH_HYPERBOLIC_INL_H_
#endif

#include <hwy/highway.h>

#include <weft/engine/kernels/compute/math/exp-inl.h>

HWY_BEFORE_NAMESPACE();
namespace weft::HWY_NAMESPACE::math {

/// exp(a) / 16 in two parts, in f64, which does not overflow where half of it does not.
template <class D>
HWY_INLINE hn::Vec<D> part_of_exp(D d, hn::Vec<D> a, hn::Vec<D>& low) {
  auto n = a;
  const auto p = exp_in_parts(d, hn::Min(a, constant(d, 712)), hn::Zero(d), low, n);
  const auto scale = power_of_two(d, n, -4);
  low = hn::Mul(low, scale);
  return hn::Mul(p, scale);
}

template <class D>
HWY_NOINLINE hn::Vec<D> sinh_f64(D d, hn::Vec<D> x) {
  const auto a = hn::Abs(x), z = hn::Mul(x, x);
  const auto p = polynomial(d, z, 0.16666666666666669, 0.008333333333332912, 0.00019841269841594313,
                            2.7557319106315898e-06, 2.5052131094352804e-08, 1.6056649701716351e-10,
                            7.776948733332197e-13);
  const auto small = hn::MulAdd(hn::Mul(a, z), p, a);
  auto low = x;
  const auto e = part_of_exp(d, a, low);
  const auto large = hn::Add(hn::Sub(e, hn::Div(constant(d, 0x1p-8), e)), low);
  const auto y = hn::IfThenElse(hn::Lt(a, constant(d, 1)), small, hn::Mul(large, constant(d, 8)));
  return keep_nan(x, hn::CopySign(y, x));
}

template <class D>
HWY_NOINLINE hn::Vec<D> cosh_f64(D d, hn::Vec<D> x) {
  auto low = x;
  const auto e = part_of_exp(d, hn::Abs(x), low);
  const auto part = hn::Add(e, hn::Add(hn::Div(constant(d, 0x1p-8), e), low));
  return keep_nan(x, hn::Mul(part, constant(d, 8)));
}

/// 1 ulp; f64 2.
template <class D>
HWY_INLINE hn::Vec<D> sinh(D d, hn::Vec<D> x) {
  return in_f64(
      d, [](auto wide, auto v) HWY_ATTR { return sinh_f64(wide, v); }, x);
}

/// 1 ulp; f64 2.
template <class D>
HWY_INLINE hn::Vec<D> cosh(D d, hn::Vec<D> x) {
  return in_f64(
      d, [](auto wide, auto v) HWY_ATTR { return cosh_f64(wide, v); }, x);
}

}  // namespace weft::HWY_NAMESPACE::math
HWY_AFTER_NAMESPACE();

#endif

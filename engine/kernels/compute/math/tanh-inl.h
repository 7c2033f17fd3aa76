// SPDX-License-Identifier: Apache-2.0
// tanh.
#if defined(WEFT_MATH_TANH_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef WEFT_MATH_TANH_INL_H_
#undef WEFT_MATH_TANH_INL_H_
#else
#define WEFT_MATH_TANH_INL_H_
#endif

#include <hwy/highway.h>

#include <weft/engine/kernels/compute/math/exp-inl.h>

HWY_BEFORE_NAMESPACE();
namespace weft::HWY_NAMESPACE::math {

template <class D>
HWY_NOINLINE hn::Vec<D> tanh_f64(D d, hn::Vec<D> x) {
  // (e - 1) / (e + 1) with e = exp(2 |x|), all in two parts.
  const auto a = hn::Min(hn::Abs(x), constant(d, 20)), one = constant(d, 1);
  auto low = x, n = x, past = x;
  auto e = exp_in_parts(d, hn::Add(a, a), hn::Zero(d), low, n);
  const auto scale = power_of_two(d, n);
  e = hn::Mul(e, scale);
  low = hn::Mul(low, scale);
  auto over = two_sum(e, hn::Neg(one), past), over_low = past;
  over = fast_two_sum(over, hn::Add(past, low), over_low);
  const auto under = two_sum(e, one, past);
  auto y_low = x;
  const auto y = quotient_in_parts(d, over, over_low, under, hn::Add(past, low), y_low);
  return keep_nan(x, hn::CopySign(hn::Add(y, y_low), x));
}

/// 2 ulp; f64 1.
template <class D>
HWY_INLINE hn::Vec<D> tanh(D d, hn::Vec<D> x) {
  if constexpr (in_f32<D>) {
    const auto a = hn::Abs(x), z = hn::Mul(x, x), one = constant(d, 1);
    const auto p =
        polynomial(d, z, -0.333332807, 0.133314058, -0.0537365079, 0.0206280965, -0.00569213554);
    const auto small = hn::MulAdd(hn::Mul(p, z), a, a);
    const auto inside = hn::Min(a, constant(d, 10));
    auto n = x;
    const auto e = exp_f32(d, hn::Add(inside, inside), n);
    const auto under = hn::MulAdd(e, power_of_two(d, n), one);
    const auto large = hn::Sub(one, hn::Div(constant(d, 2), under));
    const auto y = hn::IfThenElse(hn::Lt(a, constant(d, 0.625)), small, large);
    return keep_nan(x, hn::CopySign(y, x));
  } else {
    return in_f64(
        d, [](auto wide, auto v) HWY_ATTR { return tanh_f64(wide, v); }, x);
  }
}

}  // namespace weft::HWY_NAMESPACE::math
HWY_AFTER_NAMESPACE();

#endif

// SPDX-License-Identifier: Apache-2.0
// logaddexp: the larger one + log1p(exp(-|x - y|)).
#if defined(WEFT_MATH_LOGADDEXP_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef WEFT_MATH_LOGADDEXP_INL_H_
#undef WEFT_MATH_LOGADDEXP_INL_H_
#else
#define WEFT_MATH_LOGADDEXP_INL_H_
#endif

#include <hwy/highway.h>

#include <weft/engine/kernels/compute/math/exp-inl.h>
#include <weft/engine/kernels/compute/math/log-inl.h>

HWY_BEFORE_NAMESPACE();
namespace weft::HWY_NAMESPACE::math {

/// All in two parts, for the larger one and the logarithm may nearly cancel.
template <class D>
HWY_NOINLINE hn::Vec<D> logaddexp_f64(D d, hn::Vec<D> x, hn::Vec<D> y) {
  const auto high = hn::Max(x, y), least = constant(d, -746), one = constant(d, 1);
  auto apart_low = x, p_low = x, n = x, left_out = x, log_low = x, past = x, more_past = x;
  const auto apart = two_sum(hn::Min(x, y), hn::Neg(high), apart_low);
  apart_low = hn::IfThenElseZero(hn::Gt(apart, least), apart_low);
  const auto p = exp_in_parts(d, hn::Max(apart, least), apart_low, p_low, n);
  const auto e = times_power_of_two(d, p, n), e_low = times_power_of_two(d, p_low, n);
  const auto u = fast_two_sum(one, e, left_out);
  const auto h = log_in_parts(d, u, log_low);
  // log(u + c) = log(u) + c / u, for c is below half an ulp of u: it is all there is of small e.
  const auto sum = two_sum(high, h, past);
  const auto all = two_sum(sum, hn::Div(left_out, u), more_past);
  const auto rest = hn::Add(hn::Add(log_low, hn::Div(e_low, u)), hn::Add(past, more_past));
  const auto r = hn::IfThenElse(hn::Lt(hn::Abs(high), infinity(d)), hn::Add(all, rest), high);
  return keep_nan(x, keep_nan(y, r));
}

/// 1 ulp; where it is next to 0, 1e-17.
template <class D>
HWY_INLINE hn::Vec<D> logaddexp(D d, hn::Vec<D> x, hn::Vec<D> y) {
  return in_f64(
      d, [](auto wide, auto v, auto w) HWY_ATTR { return logaddexp_f64(wide, v, w); }, x, y);
}

}  // namespace weft::HWY_NAMESPACE::math
HWY_AFTER_NAMESPACE();

#endif

// SPDX-License-Identifier: Apache-2.0
// softplus: max(x, 0) + log1p(exp(-|x|)).
#if defined(WEFT_MATH_SOFTPLUS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef WEFT_MATH_SOFTPLUS_INL_H_
#undef WEFT_MATH_SOFTPLUS_INL_H_
#else
#define WEFT_MATH_SOFTPLUS_INL_H_
#endif

#include <hwy/highway.h>

#include <weft/engine/kernels/compute/math/exp-inl.h>
#include <weft/engine/kernels/compute/math/log-inl.h>

HWY_BEFORE_NAMESPACE();
namespace weft::HWY_NAMESPACE::math {

template <class D>
HWY_NOINLINE hn::Vec<D> softplus_f64(D d, hn::Vec<D> x) {
  const auto tail = log1p_f64(d, exp_f64(d, hn::Neg(hn::Abs(x))));
  return keep_nan(x, hn::Add(hn::Max(x, hn::Zero(d)), tail));
}

/// 2 ulp.
template <class D>
HWY_INLINE hn::Vec<D> softplus(D d, hn::Vec<D> x) {
  if constexpr (in_f32<D>) {
    const auto a = hn::Min(hn::Abs(x), constant(d, 110));
    auto n = x;
    // Where e is subnormal it is rounded here and nowhere else: it is the result.
    const auto p = exp_f32(d, hn::Neg(a), n);
    const auto e = hn::Mul(hn::Mul(p, power_of_two(d, n, 64)), constant(d, 0x1p-64));
    // (log1p(e) - e) / e^2 for e in [0, 1]; e itself is added in the end, and rounded once with it.
    const auto g =
        polynomial(d, e, -0.499999881, 0.333327115, -0.249888033, 0.198991224, -0.161329985,
                   0.124740049, -0.0831538439, 0.04203666, -0.0136522995, 0.0020761746);
    const auto tail = hn::MulAdd(hn::Mul(e, e), g, e);
    return keep_nan(x, hn::Add(hn::Max(x, hn::Zero(d)), tail));
  } else {
    return in_f64(
        d, [](auto wide, auto v) HWY_ATTR { return softplus_f64(wide, v); }, x);
  }
}

}  // namespace weft::HWY_NAMESPACE::math
HWY_AFTER_NAMESPACE();

#endif

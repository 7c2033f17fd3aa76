// SPDX-License-Identifier: Apache-2.0
// rsqrt.
#if defined(WEFT_MATH_ROOT_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef WEFT_MATH_ROOT_INL_H_
#undef WEFT_MATH_ROOT_INL_H_
#else
#define WEFT_MATH_ROOT_INL_H_
#endif

#include <hwy/highway.h>

#include <weft/engine/kernels/compute/math/lanes-inl.h>

HWY_BEFORE_NAMESPACE();
namespace weft::HWY_NAMESPACE::math {

/// 1.5 ulp.
template <class D>
HWY_INLINE hn::Vec<D> rsqrt(D d, hn::Vec<D> x) {
  return hn::Div(constant(d, 1), hn::Sqrt(x));
}

}  // namespace weft::HWY_NAMESPACE::math
HWY_AFTER_NAMESPACE();

#endif

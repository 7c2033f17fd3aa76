// SPDX-License-Identifier: Apache-2.0
// The smaller and the larger one of two elements, of which NaN wins. Included once per target.
#if defined(WEFT_ENGINE_KERNELS_COMPUTE_EXTREMES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef WEFT_ENGINE_KERNELS_COMPUTE_EXTREMES_INL_H_
#undef WEFT_ENGINE_KERNELS_COMPUTE_EXTREMES_INL_H_
#else
#define WEFT_ENGINE_KERNELS_COMPUTE_EXTREMES_INL_H_
#endif

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace weft::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// x where `holds`, which is not where it or y is NaN, else y. Min and Max of x86 are just that.
template <class M, class V>
HWY_INLINE V second_unless(M holds, V x, V y, V x86) {
#if HWY_ARCH_X86 && HWY_TARGET != HWY_SCALAR
  (void)holds, (void)x, (void)y;
  return x86;
#else
  (void)x86;
  return hn::IfThenElse(holds, x, y);
#endif
}
/// x where that is NaN.
template <class V>
HWY_INLINE V or_nan(V x, V chosen) {
  return hn::IfThenElse(hn::Eq(x, x), chosen, x);
}

struct Smaller {
  template <class T>
  static T value(T x, T y) {
    return x < y || x != x ? x : y;
  }
  template <class D, class V>
  static HWY_INLINE V vector(D, V x, V y) {
    if constexpr (!hwy::IsFloat<hn::TFromD<D>>()) return hn::Min(x, y);
    else return or_nan(x, second_unless(hn::Lt(x, y), x, y, hn::Min(x, y)));
  }
};

struct Larger {
  template <class T>
  static T value(T x, T y) {
    return x > y || x != x ? x : y;
  }
  template <class D, class V>
  static HWY_INLINE V vector(D, V x, V y) {
    if constexpr (!hwy::IsFloat<hn::TFromD<D>>()) return hn::Max(x, y);
    else return or_nan(x, second_unless(hn::Gt(x, y), x, y, hn::Max(x, y)));
  }
};

}  // namespace weft::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // WEFT_ENGINE_KERNELS_COMPUTE_EXTREMES_INL_H_

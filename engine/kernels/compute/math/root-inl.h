// SPDX-License-Identifier: Apache-2.0
// rsqrt, cbrt and hypot.
#if defined(WEFT_MATH_ROOT_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef WEFT_MATH_ROOT_INL_H_
#undef WEFT_MATH_ROOT_INL_H_
#else
#define WEFT_MATH_ROOT_INL_H_
#endif

#include <hwy/highway.h>

#include <weft/engine/kernels/compute/math/log-inl.h>

HWY_BEFORE_NAMESPACE();
namespace weft::HWY_NAMESPACE::math {

/// 1.5 ulp.
template <class D>
HWY_INLINE hn::Vec<D> rsqrt(D d, hn::Vec<D> x) {
  return hn::Div(constant(d, 1), hn::Sqrt(x));
}

/// One of two numbers where its mask holds, else 1. No lambda captures vectors, which may have no
/// size that is known.
template <class D, class Mask>
HWY_INLINE hn::Vec<D> factor(D d, Mask is_first, Mask is_second, double first, double second) {
  return hn::IfThenElse(is_first, constant(d, first),
                        hn::IfThenElse(is_second, constant(d, second), constant(d, 1)));
}

template <class D>
HWY_NOINLINE hn::Vec<D> cbrt_f64(D d, hn::Vec<D> x) {
  // |x| = m * 2^(3 k + j), j one of -1, 0, 1.
  auto m = x, past = x, cube_low = x;
  const auto e = split_exponent(d, hn::Abs(x), m), k = whole(d, e, 1.0 / 3);
  const auto j = hn::NegMulAdd(k, constant(d, 3), e);
  const auto is_up = hn::Gt(j, hn::Zero(d)), is_down = hn::Lt(j, hn::Zero(d));
  const auto v = hn::Mul(m, factor(d, is_up, is_down, 2, 0.5));
  auto t = hn::Mul(factor(d, is_up, is_down, 1.2599210498948732, 0.7937005259840998),
                   polynomial(d, m, 0.45166748546779195, 0.9048164769808863, -0.5356278035527853,
                              0.2169359230347716, -0.037787837024489804));
  // Halley's step triples the right digits; Newton's, with the cube in two parts, ends it.
  const auto cube = hn::Mul(hn::Mul(t, t), t);
  const auto step = hn::Div(hn::Sub(v, cube), hn::Add(v, hn::Add(cube, cube)));
  t = hn::MulAdd(t, step, t);
  const auto square = two_product(d, t, t, past);
  const auto exact = product_in_parts(d, square, past, t, hn::Zero(d), cube_low);
  const auto left = hn::Sub(hn::Sub(v, exact), cube_low);
  t = hn::Add(t, hn::Div(left, hn::Mul(square, constant(d, 3))));
  const auto y = hn::CopySign(hn::Mul(t, power_of_two(d, k)), x);
  const auto is_ordinary = hn::And(hn::Ne(x, hn::Zero(d)), hn::Lt(hn::Abs(x), infinity(d)));
  return hn::IfThenElse(is_ordinary, y, x);
}

template <class D>
HWY_NOINLINE hn::Vec<D> hypot_f64(D d, hn::Vec<D> x, hn::Vec<D> y) {
  const auto a = hn::Abs(x), b = hn::Abs(y), most = hn::Max(a, b);
  const auto is_huge = hn::Gt(most, constant(d, 0x1p500)),
             is_tiny = hn::Lt(most, constant(d, 0x1p-400));
  const auto scale = factor(d, is_huge, is_tiny, 0x1p-600, 0x1p600);
  const auto large = hn::Mul(most, scale), small = hn::Mul(hn::Min(a, b), scale);
  auto large_low = x, small_low = x, sum_low = x, past = x;
  const auto large_square = two_product(d, large, large, large_low);
  const auto small_square = two_product(d, small, small, small_low);
  const auto sum = fast_two_sum(large_square, small_square, sum_low);
  const auto root = hn::Sqrt(sum), square = two_product(d, root, root, past);
  const auto left =
      hn::Add(hn::Sub(hn::Sub(sum, square), past), hn::Add(sum_low, hn::Add(large_low, small_low)));
  const auto more = hn::Div(left, hn::Max(hn::Add(root, root), constant(d, 1e-300)));
  return hn::Mul(hn::Add(root, more), factor(d, is_huge, is_tiny, 0x1p600, 0x1p-600));
}

/// 1 ulp; exact for cubes.
template <class D>
HWY_INLINE hn::Vec<D> cbrt(D d, hn::Vec<D> x) {
  return in_f64(
      d, [](auto wide, auto v) HWY_ATTR { return cbrt_f64(wide, v); }, x);
}

/// sqrt(x^2 + y^2) without overflow in between, 1 ulp; infinite where one of them is, NaN or not.
template <class D>
HWY_INLINE hn::Vec<D> hypot(D d, hn::Vec<D> x, hn::Vec<D> y) {
  auto r = x;
  if constexpr (is_f32<D>) {
    r = through_f64(
        d, [](auto, auto v, auto w) HWY_ATTR { return hn::Sqrt(hn::MulAdd(v, v, hn::Mul(w, w))); },
        x, y);
  } else {
    r = hypot_f64(d, x, y);
  }
  const auto inf = infinity(d);
  const auto is_infinite = hn::Or(hn::Eq(hn::Abs(x), inf), hn::Eq(hn::Abs(y), inf));
  return hn::IfThenElse(is_infinite, inf, keep_nan(x, keep_nan(y, r)));
}

}  // namespace weft::HWY_NAMESPACE::math
HWY_AFTER_NAMESPACE();

#endif

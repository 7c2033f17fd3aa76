// SPDX-License-Identifier: Apache-2.0
// sigmoid, silu and the tanh form of gelu: 1 / (1 + e) and x / (1 + e). The sum is kept times 2^-40
// or 2^-200, so that it neither overflows nor loses what is subnormal in the end.
#if defined(WEFT_MATH_LOGISTIC_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef WEFT_MATH_LOGISTIC_INL_H_
#undef WEFT_MATH_LOGISTIC_INL_H_
#else
#define WEFT_MATH_LOGISTIC_INL_H_
#endif

#include <hwy/highway.h>

#include <weft/engine/kernels/compute/math/exp-inl.h>

HWY_BEFORE_NAMESPACE();
namespace weft::HWY_NAMESPACE::math {

/// 1 / (1 + exp(x + x_low)) / 2^200 inverted: 2^200 times it, in two parts and f64, for x in [-60,
/// 800].
template <class D>
HWY_INLINE hn::Vec<D> inverse_in_parts(D d, hn::Vec<D> x, hn::Vec<D> x_low, hn::Vec<D>& low) {
  auto e_low = x, n = x, past = x;
  const auto p = exp_in_parts(d, x, x_low, e_low, n), scale = power_of_two(d, n, -200);
  const auto sum = two_sum(constant(d, 0x1p-200), hn::Mul(p, scale), past);
  return quotient_in_parts(d, constant(d, 1), hn::Zero(d), sum, hn::MulAdd(e_low, scale, past),
                           low);
}

template <class D>
HWY_NOINLINE hn::Vec<D> sigmoid_f64(D d, hn::Vec<D> x) {
  auto low = x;
  const auto y = inverse_in_parts(d, hn::Neg(clamp(d, x, -750, 60)), hn::Zero(d), low);
  return keep_nan(x, hn::Mul(hn::Add(y, low), constant(d, 0x1p-200)));
}

/// x / (1 + exp(y + y_low)), where x above `most` is itself; what is below 0 is no less than
/// `least`.
template <class D>
HWY_INLINE hn::Vec<D> times_inverse_f64(D d, hn::Vec<D> x, hn::Vec<D> y, hn::Vec<D> y_low,
                                        double most) {
  auto low = x;
  const auto inverse = inverse_in_parts(d, y, y_low, low);
  const auto z = hn::Mul(hn::MulAdd(x, inverse, hn::Mul(x, low)), constant(d, 0x1p-200));
  return hn::IfThenElse(hn::Le(x, constant(d, most)), z, x);
}

template <class D>
HWY_NOINLINE hn::Vec<D> silu_f64(D d, hn::Vec<D> x) {
  const auto inside = clamp(d, x, -760, 50);
  const auto y =
      times_inverse_f64(d, hn::Max(x, constant(d, -760)), hn::Neg(inside), hn::Zero(d), 45);
  return keep_nan(x, y);
}

template <class D>
HWY_NOINLINE hn::Vec<D> gelu_tanh_f64(D d, hn::Vec<D> x) {
  // 2 u = x * (a + b x^2) in two parts, negated.
  const auto inside = clamp(d, x, -22, 8);
  auto z_low = x, t_low = x, past = x, u_low = x;
  const auto z = two_product(d, inside, inside, z_low);
  const auto t = product_in_parts(d, z, z_low, constant(d, -0.07135481627260025),
                                  constant(d, 6.175149918155315e-19), t_low);
  const auto k = two_sum(constant(d, -1.5957691216057308), t, past);
  const auto k_low = hn::Add(hn::Add(past, t_low), constant(d, 9.96930880911092e-17));
  const auto u = product_in_parts(d, k, k_low, inside, hn::Zero(d), u_low);
  const auto y = times_inverse_f64(d, hn::Max(x, constant(d, -22)), u, u_low, 7.9);
  return keep_nan(x, y);
}

constexpr double logistic_scale = 0x1p-40;  // of f32

/// (1 + e) / 2^40 with e = 2^(r + n), in f32.
template <class D>
HWY_INLINE hn::Vec<D> scaled_sum(D d, hn::Vec<D> r, hn::Vec<D> n) {
  return hn::MulAdd(exp2_of_fraction(d, r), power_of_two(d, n, -40), constant(d, logistic_scale));
}

/// 3 ulp; f64 2.
template <class D>
HWY_INLINE hn::Vec<D> sigmoid(D d, hn::Vec<D> x) {
  if constexpr (in_f32<D>) {
    auto n = x;
    const auto r = exponent_of(d, hn::Neg(clamp(d, x, -105, 30)), n);
    return keep_nan(x, hn::Div(constant(d, logistic_scale), scaled_sum(d, r, n)));
  } else {
    return in_f64(
        d, [](auto wide, auto v) HWY_ATTR { return sigmoid_f64(wide, v); }, x);
  }
}

/// x * sigmoid(x), 3 ulp; f64 2.
template <class D>
HWY_INLINE hn::Vec<D> silu(D d, hn::Vec<D> x) {
  if constexpr (in_f32<D>) {
    auto n = x;
    const auto inside = clamp(d, x, -110, 30), r = exponent_of(d, hn::Neg(inside), n);
    const auto y = hn::Mul(hn::Div(inside, scaled_sum(d, r, n)), constant(d, logistic_scale));
    return hn::IfThenElse(hn::Le(x, constant(d, 25)), y, x);
  } else {
    return in_f64(
        d, [](auto wide, auto v) HWY_ATTR { return silu_f64(wide, v); }, x);
  }
}

/// x * sigmoid(2 u), u = sqrt(2 / pi) * (x + 0.044715 x^3), which is x / 2 * (1 + tanh(u)): 3 ulp;
/// f64 2.
template <class D>
HWY_INLINE hn::Vec<D> gelu_tanh(D d, hn::Vec<D> x) {
  if constexpr (in_f32<D>) {
    // -2 u / log(2) = x * (k + k_low) with k_low what the rounding of k left out; the first part of
    // the constant has 12 bits, so that its difference from k is exact.
    const auto inside = clamp(d, x, -11, 8), a = constant(d, -2.3017578125);
    const auto b = constant(d, -0.1029432416);
    const auto z = hn::Mul(inside, inside), z_low = hn::MulSub(inside, inside, z);
    const auto k = hn::MulAdd(b, z, a);
    auto k_low = hn::MulAdd(constant(d, 2.016198541e-9), z, constant(d, -0.0004503856471));
    k_low = hn::MulAdd(b, z_low, k_low);
    k_low = hn::Add(hn::MulAdd(b, z, hn::Sub(a, k)), k_low);
    const auto n = hn::Sub(hn::MulAdd(inside, k, constant(d, magic<D>)), constant(d, magic<D>));
    const auto r = hn::MulAdd(inside, k_low, hn::MulSub(inside, k, n));
    const auto sum = scaled_sum(d, r, n);
    const auto y = hn::Mul(hn::Div(inside, sum), constant(d, logistic_scale));
    return hn::IfThenElse(hn::Le(x, constant(d, 7.5)), y, x);
  } else {
    return in_f64(
        d, [](auto wide, auto v) HWY_ATTR { return gelu_tanh_f64(wide, v); }, x);
  }
}

}  // namespace weft::HWY_NAMESPACE::math
HWY_AFTER_NAMESPACE();

#endif

// SPDX-License-Identifier: Apache-2.0
// erf and gelu in its own form: near 0 a polynomial, else exp(-x^2) times a slow function.
#if defined(WEFT_MATH_ERF_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef WEFT_MATH_ERF_INL_H_
#undef WEFT_MATH_ERF_INL_H_
#else
#define WEFT_MATH_ERF_INL_H_
#endif

#include <hwy/highway.h>

#include <weft/engine/kernels/compute/math/exp-inl.h>

HWY_BEFORE_NAMESPACE();
namespace weft::HWY_NAMESPACE::math {

/// times * erfc(t + t_low) * exp(t^2 - square) for t >= 0 and exp(-square) = (p + p_low) * 2^n, n
/// left out, in f64: exp(t^2) * erfc(t) is v * G(1 - v), v = 6 / (t + 3).
template <class D>
HWY_INLINE hn::Vec<D> times_erfc(D d, hn::Vec<D> times, hn::Vec<D> t, hn::Vec<D> t_low,
                                 hn::Vec<D> p, hn::Vec<D> p_low) {
  auto below = t, v_low = t, a_low = t, b_low = t, low = t;
  const auto under = two_sum(t, constant(d, 3), below);
  below = hn::Add(below, t_low);
  const auto v = quotient_in_parts(d, constant(d, 6), hn::Zero(d), under, below, v_low);
  const auto g = polynomial(
      d, hn::Sub(constant(d, 1), v), 0.17900115118138996, -0.14723240886164726, 0.09837139285068322,
      -0.051744543650095856, 0.019921293547906893, -0.004471205770711958, -0.00020206943845360175,
      0.0005056769997497133, -9.138494171703971e-05, -4.6129637487367966e-05,
      1.7926867410986487e-05, 5.066340926378198e-06, -2.9115639262481425e-06,
      -7.914590797384977e-07, 4.6037517756339907e-07, 1.662581229816901e-07, -6.71169434588512e-08,
      -3.848274102949019e-08, 6.7881043331394836e-09, 7.88299828524956e-09, 3.091094876357182e-10,
      -9.920432775347885e-10, -2.3075120903611382e-10);
  const auto a = product_in_parts(d, times, hn::Zero(d), v, hn::Zero(d), a_low);
  const auto b = product_in_parts(d, g, hn::Zero(d), p, p_low, b_low);
  // v_low changes the result by about twice as much, for its logarithm has slopes of 1.7 to 5.7.
  const auto y = product_in_parts(d, a, hn::MulAdd(a, hn::Add(v_low, v_low), a_low), b, b_low, low);
  return hn::Add(y, low);
}

/// p, its low part and n of p * 2^n = exp(-t^2 * by) for by 1 or 1/2, in f64.
template <class D>
HWY_INLINE hn::Vec<D> exp_of_square(D d, hn::Vec<D> t, double by, hn::Vec<D>& p_low,
                                    hn::Vec<D>& n) {
  auto low = t;
  const auto square = two_product(d, t, t, low), minus = constant(d, -by);
  return exp_in_parts(d, hn::Mul(square, minus), hn::Mul(low, minus), p_low, n);
}

template <class D>
HWY_NOINLINE hn::Vec<D> erf_f64(D d, hn::Vec<D> x) {
  const auto a = hn::Abs(x), z = hn::Mul(x, x), inside = hn::Min(a, constant(d, 6));
  const auto q = polynomial(d, z, 0.1283791670955126, -0.376126389031841, 0.11283791670971276,
                            -0.026866170648079897, 0.005223977653306904, -0.0008548328578678777,
                            0.00012055388017669666, -1.4926931208692839e-05, 1.6481946424541456e-06,
                            -1.6567437623885444e-07, 1.6088286737639486e-08,
                            -1.6775840599118945e-09, 1.490345059977453e-10);
  auto n = x, low = x;
  const auto p = exp_of_square(d, inside, 1, low, n);
  const auto rest =
      hn::Mul(times_erfc(d, constant(d, 1), inside, hn::Zero(d), p, low), power_of_two(d, n));
  const auto large = hn::CopySign(hn::Sub(constant(d, 1), rest), x);
  return keep_nan(x, hn::IfThenElse(hn::Lt(a, constant(d, 1)), hn::MulAdd(x, q, x), large));
}

template <class D>
HWY_NOINLINE hn::Vec<D> gelu_f64(D d, hn::Vec<D> x) {
  const auto a = hn::Min(hn::Abs(x), constant(d, 39.5));
  auto n = x, low = x, t_low = x;
  const auto p = exp_of_square(d, a, 0.5, low, n);
  const auto t = product_in_parts(d, a, hn::Zero(d), constant(d, 0.7071067811865476),
                                  constant(d, -4.833646656726457e-17), t_low);
  const auto tail = times_erfc(d, a, t, t_low, p, low);
  const auto part = hn::Mul(hn::Mul(tail, power_of_two(d, n, 199)), constant(d, 0x1p-200));
  const auto y = hn::CopySign(hn::Sub(hn::Max(x, hn::Zero(d)), part), x);
  return keep_nan(x, y);
}

/// 2 ulp.
template <class D>
HWY_INLINE hn::Vec<D> erf(D d, hn::Vec<D> x) {
  if constexpr (in_f32<D>) {
    const auto a = hn::Abs(x), z = hn::Mul(x, x), inside = hn::Min(a, constant(d, 4));
    const auto q = polynomial(d, z, 0.128379166, -0.37612626, 0.112835787, -0.0268533472,
                              0.0051871622, -0.000799785543, 7.80693226e-5);
    // log2(erfc(a)) for a in [1, 4].
    const auto w = polynomial(d, inside, -0.000507288089, -1.62598681, -0.920746386, -0.148666933,
                              0.0314654522, -0.00424262276, 0.000267887051);
    const auto n = whole(d, w, 1), p = exp2_of_fraction(d, hn::Sub(w, n));
    const auto large = hn::NegMulAdd(p, power_of_two(d, n), constant(d, 1));
    const auto y =
        hn::IfThenElse(hn::Lt(a, constant(d, 1)), hn::MulAdd(x, q, x), hn::CopySign(large, x));
    return keep_nan(x, y);
  } else {
    return in_f64(
        d, [](auto wide, auto v) HWY_ATTR { return erf_f64(wide, v); }, x);
  }
}

/// 4 ulp, also where it is tiny: x / 2 * (1 + erf(x / sqrt(2))) = max(x, 0) - |x| * erfc(|x| /
/// sqrt(2)) / 2.
template <class D>
HWY_INLINE hn::Vec<D> gelu(D d, hn::Vec<D> x) {
  if constexpr (in_f32<D>) {
    const auto a = hn::Min(hn::Abs(x), constant(d, 14.5)), three = constant(d, 3);
    const auto six = constant(d, 6), slope = constant(d, -0.7213475108);
    // v = 6 / (a + 3), and v * v_low / 6 is what it left out.
    const auto under = hn::Add(a, three), below = hn::Sub(a, hn::Sub(under, three));
    const auto v = hn::Div(six, under);
    const auto v_low = hn::NegMulAdd(v, below, hn::NegMulAdd(v, under, six));
    const auto g =
        polynomial(d, hn::Sub(constant(d, 1), v), 0.121513948, -0.0848886594, 0.0383363143,
                   -0.00787725113, -0.00174406124, 0.00116236194, 0.000171994339, -0.00017382139,
                   -4.28600761e-5, 2.30793958e-5, 1.03756483e-5);
    const auto z = hn::Mul(a, a), z_low = hn::MulSub(a, a, z);
    const auto n = whole(d, z, -0.7213475108);
    // 1.5 is about the slope of the logarithm of v * g.
    auto more = hn::Mul(hn::Mul(v, v_low), constant(d, 1.5 * 1.4427 / 6));
    // What a * v leaves out, over about what it is where the result is smallest.
    const auto w = hn::Mul(a, v), w_low = hn::MulSub(a, v, w);
    more = hn::MulAdd(w_low, constant(d, 1.4427 / 4.4), more);
    more = hn::MulAdd(z, constant(d, -9.629815168e-9), hn::MulAdd(z_low, slope, more));
    const auto r = hn::Add(hn::MulSub(z, slope, n), more);
    const auto p = hn::Mul(exp2_of_fraction(d, r), power_of_two(d, n, 64));
    const auto part = hn::Mul(hn::Mul(hn::Mul(w, g), p), constant(d, 0x1p-64));
    const auto y = hn::CopySign(hn::Sub(hn::Max(x, hn::Zero(d)), part), x);
    return keep_nan(x, y);
  } else {
    return in_f64(
        d, [](auto wide, auto v) HWY_ATTR { return gelu_f64(wide, v); }, x);
  }
}

}  // namespace weft::HWY_NAMESPACE::math
HWY_AFTER_NAMESPACE();

#endif

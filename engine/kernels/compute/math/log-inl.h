// SPDX-License-Identifier: Apache-2.0
// log, log2, log10 and log1p: an exponent and the logarithm of a number in [sqrt(1/2), sqrt(2)).
#if defined(WEFT_MATH_LOG_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef WEFT_MATH_LOG_INL_H_
#undef WEFT_MATH_LOG_INL_H_
#else
#define WEFT_MATH_LOG_INL_H_
#endif

#include <hwy/highway.h>

#include <weft/engine/kernels/compute/math/lanes-inl.h>

HWY_BEFORE_NAMESPACE();
namespace weft::HWY_NAMESPACE::math {

/// The exponent of x and, in m, what it multiplies, between sqrt(1/2) and sqrt(2); x is positive.
template <class D>
HWY_INLINE hn::Vec<D> split_exponent(D d, hn::Vec<D> x, hn::Vec<D>& m) {
  using T = hn::TFromD<D>;
  using U = hn::TFromD<hn::RebindToUnsigned<D>>;
  const hn::RebindToUnsigned<D> du;
  constexpr int bits = mantissa_bits<D>;
  constexpr double lift = is_f32<D> ? 0x1p24 : 0x1p54;
  constexpr U root_half = is_f32<D> ? U{0x3F3504F3} : static_cast<U>(0x3FE6A09E667F3BCD);
  constexpr U one = static_cast<U>(U{exponent_bias<D>} << bits);
  const auto is_small = hn::Lt(x, hn::Set(d, std::numeric_limits<T>::min()));
  const auto lifted = hn::IfThenElse(is_small, hn::Mul(x, constant(d, lift)), x);
  const auto shifted =
      hn::Add(hn::BitCast(du, lifted), hn::Set(du, static_cast<U>(one - root_half)));
  const auto fraction = hn::And(shifted, hn::Set(du, static_cast<U>((U{1} << bits) - 1)));
  m = hn::BitCast(d, hn::Add(fraction, hn::Set(du, root_half)));
  // The exponent in the low bits of 2^bits is that number; then the bias goes.
  constexpr double above = is_f32<D> ? 0x1p23 : 0x1p52;
  const auto field = hn::Or(hn::ShiftRight<bits>(shifted), hn::BitCast(du, constant(d, above)));
  const auto bias =
      hn::IfThenElse(is_small, constant(d, above + exponent_bias<D> + (is_f32<D> ? 24 : 54)),
                     constant(d, above + exponent_bias<D>));
  return hn::Sub(hn::BitCast(d, field), bias);
}

/// y for positive finite x; the logarithm's own values for the others.
template <class D>
HWY_INLINE hn::Vec<D> with_special_logarithms(D d, hn::Vec<D> x, hn::Vec<D> y) {
  const auto zero = hn::Zero(d), inf = infinity(d);
  const auto special = hn::IfThenElse(hn::Eq(x, zero), hn::Neg(inf),
                                      hn::IfThenElse(hn::Eq(x, inf), inf, not_a_number(d)));
  return hn::IfThenElse(hn::And(hn::Gt(x, zero), hn::Lt(x, inf)), y, special);
}

/// log(x) in two parts with an error of 2^-64, in f64; x is positive and finite.
template <class D>
HWY_INLINE hn::Vec<D> log_in_parts(D d, hn::Vec<D> x, hn::Vec<D>& low) {
  auto m = x;
  const auto e = split_exponent(d, x, m);
  // log(m) = 2 atanh(s), s = (m - 1) / (m + 1): 2 s + 2/3 s^3 in two parts, and the rest.
  const auto f = hn::Sub(m, constant(d, 1));
  auto below = x, s_low = x, z_low = x, c_low = x, t_low = x;
  const auto above = two_sum(m, constant(d, 1), below);
  const auto s = quotient_in_parts(d, f, hn::Zero(d), above, below, s_low);
  const auto z = product_in_parts(d, s, s_low, s, s_low, z_low);
  const auto c = product_in_parts(d, s, s_low, z, z_low, c_low);
  const auto t = product_in_parts(d, c, c_low, constant(d, 0.6666666666666666),
                                  constant(d, 3.700743415417188e-17), t_low);
  const auto q = polynomial(d, z, 0.3999999999999998, 0.2857142857144522, 0.22222222217510573,
                            0.1818181887349384, 0.1538455665387015, 0.1333632578333321,
                            0.11674648476455791, 0.11990431332513309);
  auto past = x;
  const auto h = fast_two_sum(hn::Add(s, s), t, past);
  auto rest = hn::MulAdd(hn::Mul(c, z), q, hn::Add(t_low, hn::Add(s_low, s_low)));
  rest = hn::Add(rest, past);
  const auto sum = fast_two_sum(hn::Mul(e, constant(d, 0.6931471805598903)), h, past);
  rest = hn::Add(hn::MulAdd(e, constant(d, 5.497923018708371e-14), rest), past);
  return fast_two_sum(sum, rest, low);
}

/// log(x) / log(base), of which the inverse is given in two parts.
template <class D>
HWY_NOINLINE hn::Vec<D> log_f64(D d, hn::Vec<D> x, double inverse, double inverse_low) {
  auto low = x, past = x;
  const auto h = log_in_parts(d, x, low);
  const auto y = product_in_parts(d, h, low, hn::Set(d, inverse), hn::Set(d, inverse_low), past);
  return with_special_logarithms(d, x, hn::Add(y, past));
}

template <class D>
HWY_NOINLINE hn::Vec<D> log1p_f64(D d, hn::Vec<D> x) {
  const auto one = constant(d, 1);
  auto left_out = x, low = x;
  const auto u = two_sum(one, x, left_out);
  const auto h = log_in_parts(d, u, low);
  // log(u + c) = log(u) + c / u, for c is below half an ulp of u.
  const auto y = hn::Add(h, hn::Add(low, hn::Div(left_out, u)));
  return with_special_logarithms(d, u, hn::CopySign(y, x));
}

/// 1 ulp.
template <class D>
HWY_INLINE hn::Vec<D> log(D d, hn::Vec<D> x) {
  if constexpr (in_f32<D>) {
    auto m = x;
    const auto e = split_exponent(d, x, m), f = hn::Sub(m, constant(d, 1)), z = hn::Mul(f, f);
    const auto p = polynomial(d, f, 0.333333135, -0.250000238, 0.200020418, -0.166673958,
                              0.142207965, -0.12414518, 0.118865199, -0.116303533, 0.0670208707);
    auto y = hn::Mul(hn::Mul(f, z), p);
    y = hn::MulAdd(e, constant(d, 1.428606765e-6), y);
    y = hn::Add(f, hn::NegMulAdd(constant(d, 0.5), z, y));
    return with_special_logarithms(d, x, hn::MulAdd(e, constant(d, 0.693145751953), y));
  } else {
    return in_f64(
        d, [](auto wide, auto v) HWY_ATTR { return log_f64(wide, v, 1, 0); }, x);
  }
}

/// 2 ulp, f64 1; exact for powers of two.
template <class D>
HWY_INLINE hn::Vec<D> log2(D d, hn::Vec<D> x) {
  if constexpr (in_f32<D>) {
    auto m = x;
    const auto e = split_exponent(d, x, m), f = hn::Sub(m, constant(d, 1));
    const auto p = polynomial(d, f, -0.721347332, 0.480898201, -0.360698581, 0.288571566,
                              -0.239572003, 0.204479396, -0.191310793, 0.18715547, -0.110669822);
    const auto low = hn::MulAdd(hn::Mul(f, f), p, hn::Mul(f, constant(d, 1.925963034e-8)));
    const auto y = hn::MulAdd(f, constant(d, 1.442695022), low);
    return with_special_logarithms(d, x, hn::Add(e, y));
  } else {
    return in_f64(
        d,
        [](auto wide, auto v)
            HWY_ATTR { return log_f64(wide, v, 1.4426950408889634, 2.0355273740931033e-17); },
        x);
  }
}

/// 2 ulp; f64 1.
template <class D>
HWY_INLINE hn::Vec<D> log10(D d, hn::Vec<D> x) {
  if constexpr (in_f32<D>) {
    auto m = x;
    const auto e = split_exponent(d, x, m), f = hn::Sub(m, constant(d, 1));
    const auto p =
        polynomial(d, f, -0.217147186, 0.144764781, -0.108580776, 0.0868693739, -0.0721272677,
                   0.0615403876, -0.0575002804, 0.0564103574, -0.0336247534);
    auto low = hn::MulAdd(hn::Mul(f, f), p, hn::Mul(f, constant(d, -1.010305e-8)));
    low = hn::MulAdd(e, constant(d, 4.605039067e-6), low);
    const auto y = hn::MulAdd(f, constant(d, 0.434294492), low);
    return with_special_logarithms(d, x, hn::MulAdd(e, constant(d, 0.301025390625), y));
  } else {
    return in_f64(
        d,
        [](auto wide, auto v)
            HWY_ATTR { return log_f64(wide, v, 0.4342944819032518, 1.098319650216765e-17); },
        x);
  }
}

/// 1 ulp.
template <class D>
HWY_INLINE hn::Vec<D> log1p(D d, hn::Vec<D> x) {
  return in_f64(
      d, [](auto wide, auto v) HWY_ATTR { return log1p_f64(wide, v); }, x);
}

}  // namespace weft::HWY_NAMESPACE::math
HWY_AFTER_NAMESPACE();

#endif

// SPDX-License-Identifier: Apache-2.0
// What the functions of vectors should give, by the C library in a wider type, and the ulps that
// weft promises. For types that std does not know, declare the functions in weft::testing first.
#pragma once

#include <cmath>
#include <string_view>

namespace weft::testing {

struct Range {
  double low, high;
};

/// A function, where to draw arguments that are uniform in value, and what it should give.
template <class Wide>
struct MathReference {
  std::string_view name;
  double promised_f32, promised_f64;  // ulp
  Range f32, f64;
  Wide (*exact)(Wide x, Wide y);
  double near_zero = 0;  // what is promised instead of ulps where that is more: next to 0

  bool is_within_near_zero(Wide off) const {
    return near_zero > 0 && (off < 0 ? -off : off) <= near_zero;
  }
  template <class T>
  double promised() const {
    return sizeof(T) == sizeof(float) ? promised_f32 : promised_f64;
  }
  template <class T>
  Range range() const {
    return sizeof(T) == sizeof(float) ? f32 : f64;
  }
};

using std::acos, std::asin, std::atan, std::atan2, std::cbrt, std::cos, std::cosh, std::erf;
using std::erfc, std::exp, std::exp2, std::expm1, std::fabs, std::fma, std::hypot, std::log;
using std::log10, std::log1p, std::log2, std::pow, std::sin, std::sinh, std::sqrt, std::tan;
using std::tanh;

/// x * sigmoid(y) without infinity times 0.
template <class W>
W times_sigmoid(W x, W y) {
  return y < -11000 ? -W(0) : x / (1 + exp(-y));
}

template <class W>
W exact_gelu(W x) {
  if (x < -110) return -W(0);
  if (x > 110) return x;
  // erfc is steep: what the rounding of its argument left out is put back.
  const W c = sqrt(W(0.5)), c_low = fma(-c, c, W(0.5)) / (2 * c);
  const W t = -x * c, t_low = fma(-x, c, -t) - x * c_low;
  return x * (erfc(t) - 2 / sqrt(acos(W(-1))) * exp(-t * t) * t_low) / 2;
}

template <class W>
W exact_gelu_tanh(W x) {
  if (x != x) return x;
  if (fabs(x) > 1000) return x > 0 ? x : -W(0);
  const W u = sqrt(2 / acos(W(-1))) * (x + W(44715) / 1000000 * x * x * x);
  return times_sigmoid(x, 2 * u);
}

template <class W>
W exact_logaddexp(W x, W y) {
  return (x > y ? x : y) + (x == y ? log(W(2)) : log1p(exp(-fabs(x - y))));
}

template <class W>
inline constexpr MathReference<W> math_references[] = {
    {"exp", 1, 1, {-104, 89}, {-746, 710}, [](W x, W) { return exp(x); }},
    {"exp2", 1, 1, {-150, 129}, {-1076, 1025}, [](W x, W) { return exp2(x); }},
    {"expm1", 1, 2, {-20, 89}, {-40, 710}, [](W x, W) { return expm1(x); }},
    {"log", 1, 1, {0, 4}, {0, 4}, [](W x, W) { return log(x); }},
    {"log2", 2, 1, {0, 4}, {0, 4}, [](W x, W) { return log2(x); }},
    {"log10", 2, 1, {0, 4}, {0, 4}, [](W x, W) { return log10(x); }},
    {"log1p", 1, 1, {-1, 4}, {-1, 4}, [](W x, W) { return log1p(x); }},
    {"sin", 2, 1, {-100, 100}, {-100, 100}, [](W x, W) { return sin(x); }},
    {"cos", 2, 1, {-100, 100}, {-100, 100}, [](W x, W) { return cos(x); }},
    {"tan", 1, 2, {-100, 100}, {-100, 100}, [](W x, W) { return tan(x); }},
    {"asin", 1, 1, {-1, 1}, {-1, 1}, [](W x, W) { return asin(x); }},
    {"acos", 1, 1, {-1, 1}, {-1, 1}, [](W x, W) { return acos(x); }},
    {"atan", 1, 1, {-10, 10}, {-10, 10}, [](W x, W) { return atan(x); }},
    {"atan2", 1, 1, {-10, 10}, {-10, 10}, [](W x, W y) { return atan2(x, y); }},
    {"sinh", 1, 2, {-90, 90}, {-711, 711}, [](W x, W) { return sinh(x); }},
    {"cosh", 1, 2, {-90, 90}, {-711, 711}, [](W x, W) { return cosh(x); }},
    {"tanh", 2, 1, {-10, 10}, {-20, 20}, [](W x, W) { return tanh(x); }},
    {"erf", 2, 2, {-4, 4}, {-6, 6}, [](W x, W) { return erf(x); }},
    {"sigmoid", 3, 2, {-105, 30}, {-750, 50}, [](W x, W) { return 1 / (1 + exp(-x)); }},
    {"silu", 3, 2, {-110, 30}, {-755, 50}, [](W x, W) { return times_sigmoid(x, x); }},
    {"gelu", 4, 4, {-15, 15}, {-39, 39}, [](W x, W) { return exact_gelu(x); }},
    {"gelu_tanh", 3, 2, {-11, 8}, {-22, 8}, [](W x, W) { return exact_gelu_tanh(x); }},
    {"softplus",
     2,
     2,
     {-110, 30},
     {-750, 50},
     [](W x, W) { return (x < 0 ? W(0) : x) + log1p(exp(-fabs(x))); }},
    {"pow", 1, 1, {0, 50}, {0, 50}, [](W x, W y) { return pow(x, y); }},
    {"hypot", 1, 1, {-10, 10}, {-10, 10}, [](W x, W y) { return hypot(x, y); }},
    {"logaddexp",
     1,
     1,
     {-30, 30},
     {-40, 40},
     [](W x, W y) { return exact_logaddexp(x, y); },
     1e-17},
    {"cbrt", 1, 1, {-100, 100}, {-100, 100}, [](W x, W) { return cbrt(x); }},
    {"rsqrt", 1.5, 1.5, {0, 4}, {0, 4}, [](W x, W) { return 1 / sqrt(x); }},
};

}  // namespace weft::testing

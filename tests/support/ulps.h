// SPDX-License-Identifier: Apache-2.0
// How far a result is from what it should be, in units in its last place.
#pragma once

#include <cmath>
#include <limits>

namespace weft::testing {

inline constexpr double wrong = 1e30;

/// |got - exact| in ulps of T at the exact result, which is given in a wider type; `wrong` where
/// one is NaN and the other is not, or a zero has the wrong sign. Infinity is the next number
/// after the largest, so overflow is judged as any other rounding.
template <class T, class Wide>
double ulps(T got, Wide exact) {
  if (exact != exact || got != got) return exact != exact && got != got ? 0 : wrong;
  const auto is_negative = [](auto v) { return v < 0 || (v == 0 && 1 / v < 0); };
  if (got == 0 && is_negative(got) != is_negative(exact)) return wrong;
  using Limits = std::numeric_limits<T>;
  const Wide beyond =
      static_cast<Wide>(Limits::max()) * (1 + static_cast<Wide>(Limits::epsilon()) / 2);
  const auto within = [&](Wide v) { return v > beyond ? beyond : v < -beyond ? -beyond : v; };
  const Wide e = within(exact), g = within(static_cast<Wide>(got));
  const Wide size = e < 0 ? -e : e;
  // The ulp of the binade of the exact result.
  const T rounded = static_cast<T>(size);
  Wide ulp = static_cast<Wide>(Limits::denorm_min());
  if (size >= static_cast<Wide>(Limits::max())) {
    ulp = static_cast<Wide>(Limits::max()) * static_cast<Wide>(Limits::epsilon()) / 2;
  } else if (size >= static_cast<Wide>(Limits::min())) {
    int exponent;
    std::frexp(rounded, &exponent);
    if (static_cast<Wide>(std::ldexp(T{1}, exponent - 1)) > size) --exponent;
    ulp = static_cast<Wide>(std::ldexp(T{1}, exponent - 1)) * static_cast<Wide>(Limits::epsilon());
  }
  const Wide distance = g < e ? e - g : g - e;
  return static_cast<double>(distance / ulp);
}

}  // namespace weft::testing

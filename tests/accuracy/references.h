// SPDX-License-Identifier: Apache-2.0
// What the functions should give: f32 by the C library in double, f64 in quadruple precision.
#pragma once

#include <span>
#include <string_view>

#include <quadmath.h>

namespace weft::testing {

struct Range {
  double low, high;
};

/// A function, where to draw arguments that are uniform in value, and what it should give.
struct Reference {
  std::string_view name;
  double promised_f32, promised_f64;  // ulp
  Range f32, f64;
  double (*in_double)(double x, double y);
  __float128 (*in_quad)(__float128 x, __float128 y);
};

std::span<const Reference> references();

}  // namespace weft::testing

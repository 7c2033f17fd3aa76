// SPDX-License-Identifier: Apache-2.0
// The C library's functions in quadruple precision, by the names that std has for them.
#pragma once

#include <quadmath.h>

namespace weft::testing {

using Quad = __float128;

inline Quad acos(Quad x) { return acosq(x); }
inline Quad asin(Quad x) { return asinq(x); }
inline Quad atan(Quad x) { return atanq(x); }
inline Quad cbrt(Quad x) { return cbrtq(x); }
inline Quad cos(Quad x) { return cosq(x); }
inline Quad cosh(Quad x) { return coshq(x); }
inline Quad erf(Quad x) { return erfq(x); }
inline Quad erfc(Quad x) { return erfcq(x); }
inline Quad exp(Quad x) { return expq(x); }
inline Quad exp2(Quad x) { return exp2q(x); }
inline Quad expm1(Quad x) { return expm1q(x); }
inline Quad fabs(Quad x) { return fabsq(x); }
inline Quad log(Quad x) { return logq(x); }
inline Quad log10(Quad x) { return log10q(x); }
inline Quad log1p(Quad x) { return log1pq(x); }
inline Quad log2(Quad x) { return log2q(x); }
inline Quad sin(Quad x) { return sinq(x); }
inline Quad sinh(Quad x) { return sinhq(x); }
inline Quad sqrt(Quad x) { return sqrtq(x); }
inline Quad tan(Quad x) { return tanq(x); }
inline Quad tanh(Quad x) { return tanhq(x); }
inline Quad atan2(Quad x, Quad y) { return atan2q(x, y); }
inline Quad hypot(Quad x, Quad y) { return hypotq(x, y); }
inline Quad pow(Quad x, Quad y) { return powq(x, y); }
inline Quad fma(Quad x, Quad y, Quad z) { return fmaq(x, y, z); }

}  // namespace weft::testing

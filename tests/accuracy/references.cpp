// SPDX-License-Identifier: Apache-2.0
// Each function by the C library and by libquadmath, and the ulps that weft promises.
#include "references.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace weft::testing {
namespace {

using Quad = __float128;

constexpr double tanh_form = 0.044715;
const Quad quad_tanh_form = strtoflt128("0.044715", nullptr);

double gelu_tanh(double x) {
  const double u = std::sqrt(2 / std::numbers::pi) * (x + tanh_form * x * x * x);
  return x < -30 ? -0.0 : x / (1 + std::exp(-2 * u));
}

Quad gelu_tanh(Quad x) {
  const Quad u = sqrtq(2 / M_PIq) * (x + quad_tanh_form * x * x * x);
  return x < -30 ? -Quad{0} : x / (1 + expq(-2 * u));
}

constexpr Reference all[] = {
    {"exp",
     1,
     1,
     {-104, 89},
     {-746, 710},
     [](double x, double) { return std::exp(x); },
     [](Quad x, Quad) { return expq(x); }},
    {"exp2",
     1,
     1,
     {-150, 129},
     {-1076, 1025},
     [](double x, double) { return std::exp2(x); },
     [](Quad x, Quad) { return exp2q(x); }},
    {"expm1",
     1,
     1,
     {-20, 89},
     {-40, 710},
     [](double x, double) { return std::expm1(x); },
     [](Quad x, Quad) { return expm1q(x); }},
    {"log",
     1,
     1,
     {0, 4},
     {0, 4},
     [](double x, double) { return std::log(x); },
     [](Quad x, Quad) { return logq(x); }},
    {"log2",
     2,
     1,
     {0, 4},
     {0, 4},
     [](double x, double) { return std::log2(x); },
     [](Quad x, Quad) { return log2q(x); }},
    {"log10",
     2,
     1,
     {0, 4},
     {0, 4},
     [](double x, double) { return std::log10(x); },
     [](Quad x, Quad) { return log10q(x); }},
    {"log1p",
     1,
     1,
     {-1, 4},
     {-1, 4},
     [](double x, double) { return std::log1p(x); },
     [](Quad x, Quad) { return log1pq(x); }},
    {"tanh",
     2,
     1,
     {-10, 10},
     {-20, 20},
     [](double x, double) { return std::tanh(x); },
     [](Quad x, Quad) { return tanhq(x); }},
    {"sigmoid",
     2,
     2,
     {-105, 30},
     {-750, 50},
     [](double x, double) { return 1 / (1 + std::exp(-x)); },
     [](Quad x, Quad) { return 1 / (1 + expq(-x)); }},
    {"silu",
     3,
     2,
     {-110, 30},
     {-755, 50},
     [](double x, double) { return x < -1000 ? -0.0 : x / (1 + std::exp(-x)); },
     [](Quad x, Quad) { return x < -11000 ? -Quad{0} : x / (1 + expq(-x)); }},
    {"gelu",
     4,
     4,
     {-15, 15},
     {-39, 39},
     [](double x, double) {
       return x < -40 ? -0.0 : x * std::erfc(-x * std::numbers::sqrt2 / 2) / 2;
     },
     [](Quad x, Quad) { return x < -100 ? -Quad{0} : x * erfcq(-x * M_SQRT1_2q) / 2; }},
    {"gelu_tanh",
     3,
     2,
     {-11, 8},
     {-22, 8},
     [](double x, double) { return gelu_tanh(x); },
     [](Quad x, Quad) { return gelu_tanh(x); }},
    {"erf",
     2,
     2,
     {-4, 4},
     {-6, 6},
     [](double x, double) { return std::erf(x); },
     [](Quad x, Quad) { return erfq(x); }},
    {"softplus",
     2,
     2,
     {-110, 30},
     {-750, 50},
     [](double x, double) { return std::fmax(x, 0) + std::log1p(std::exp(-std::fabs(x))); },
     [](Quad x, Quad) { return (x > 0 ? x : 0) + log1pq(expq(-fabsq(x))); }},
    {"rsqrt",
     1.5,
     1.5,
     {0, 4},
     {0, 4},
     [](double x, double) { return 1 / std::sqrt(x); },
     [](Quad x, Quad) { return 1 / sqrtq(x); }},
    {"sin", 2, 2, {-100, 100}, {-100, 100},
     [](double x, double) { return std::sin(x); }, [](Quad x, Quad) { return sinq(x); }},
    {"cos", 2, 2, {-100, 100}, {-100, 100},
     [](double x, double) { return std::cos(x); }, [](Quad x, Quad) { return cosq(x); }},
    {"tan", 1, 2, {-100, 100}, {-100, 100},
     [](double x, double) { return std::tan(x); }, [](Quad x, Quad) { return tanq(x); }},
    {"asin", 1, 2, {-1, 1}, {-1, 1},
     [](double x, double) { return std::asin(x); }, [](Quad x, Quad) { return asinq(x); }},
    {"acos", 1, 2, {-1, 1}, {-1, 1},
     [](double x, double) { return std::acos(x); }, [](Quad x, Quad) { return acosq(x); }},
    {"atan", 1, 2, {-10, 10}, {-10, 10},
     [](double x, double) { return std::atan(x); }, [](Quad x, Quad) { return atanq(x); }},
    {"sinh", 1, 2, {-90, 90}, {-711, 711},
     [](double x, double) { return std::sinh(x); }, [](Quad x, Quad) { return sinhq(x); }},
    {"cosh", 1, 2, {-90, 90}, {-711, 711},
     [](double x, double) { return std::cosh(x); }, [](Quad x, Quad) { return coshq(x); }},
    {"cbrt", 1, 1, {-100, 100}, {-100, 100},
     [](double x, double) { return std::cbrt(x); }, [](Quad x, Quad) { return cbrtq(x); }},
    {"atan2", 1, 2, {-10, 10}, {-10, 10},
     [](double x, double y) { return std::atan2(x, y); }, [](Quad x, Quad y) { return atan2q(x, y); }},
    {"pow", 1, 2, {0, 50}, {0, 50},
     [](double x, double y) { return std::pow(x, y); }, [](Quad x, Quad y) { return powq(x, y); }},
    {"hypot", 1, 2, {-10, 10}, {-10, 10},
     [](double x, double y) { return std::hypot(x, y); }, [](Quad x, Quad y) { return hypotq(x, y); }},
};

}  // namespace

std::span<const Reference> references() { return all; }

}  // namespace weft::testing

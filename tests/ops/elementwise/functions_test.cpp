// SPDX-License-Identifier: Apache-2.0
// Functions of floating-point numbers beside the C library's in long double, within what they
// promise.
#include <algorithm>
#include <fmt/format.h>

#include "ops/elementwise/values.h"
#include "support/ulps.h"

using namespace weft;
using namespace weft::testing;

namespace {

using Exact = long double;

Exact logistic(Exact x) { return 1 / (1 + std::exp(-x)); }
/// x times a share that goes to 0 faster than x grows.
Exact weighed(Exact x, Exact share) { return std::isinf(x) && x < 0 ? -0.0L : x * share; }

struct OfOne {
  const char* name;
  Tensor (*op)(const Tensor&);
  Exact (*exact)(Exact);
  double ulps = 2;
};
const OfOne of_one[] = {
    {"exp", exp, [](Exact x) { return std::exp(x); }},
    {"exp2", exp2, [](Exact x) { return std::exp2(x); }},
    {"expm1", expm1, [](Exact x) { return std::expm1(x); }},
    {"log", log, [](Exact x) { return std::log(x); }},
    {"log2", log2, [](Exact x) { return std::log2(x); }},
    {"log10", log10, [](Exact x) { return std::log10(x); }},
    {"log1p", log1p, [](Exact x) { return std::log1p(x); }},
    {"sin", sin, [](Exact x) { return std::sin(x); }},
    {"cos", cos, [](Exact x) { return std::cos(x); }},
    {"tan", tan, [](Exact x) { return std::tan(x); }},
    {"asin", asin, [](Exact x) { return std::asin(x); }},
    {"acos", acos, [](Exact x) { return std::acos(x); }},
    {"atan", atan, [](Exact x) { return std::atan(x); }},
    {"sinh", sinh, [](Exact x) { return std::sinh(x); }},
    {"cosh", cosh, [](Exact x) { return std::cosh(x); }},
    {"tanh", tanh, [](Exact x) { return std::tanh(x); }},
    {"erf", erf, [](Exact x) { return std::erf(x); }},
    {"sigmoid", sigmoid, logistic},
    {"silu", silu, [](Exact x) { return weighed(x, logistic(x)); }, 3},
    {"gelu", gelu, [](Exact x) { return weighed(x, std::erfc(-x * std::sqrt(0.5L)) / 2); }, 4},
    {"gelu_tanh", gelu_tanh,
     [](Exact x) {
       const Exact u = std::sqrt(2 / 3.14159265358979323846L) * (x + 0.044715L * x * x * x);
       return weighed(x, logistic(2 * u));
     },
     3},
    {"softplus", softplus,
     [](Exact x) { return std::max(x, 0.0L) + std::log1p(std::exp(-std::fabs(x))); }},
    {"rsqrt", rsqrt, [](Exact x) { return 1 / std::sqrt(x); }},
    {"cbrt", cbrt, [](Exact x) { return std::cbrt(x); }},
};

Exact logarithm_of_sum(Exact x, Exact y) {
  return std::max(x, y) + (x == y ? std::log(2.0L) : std::log1p(std::exp(-std::fabs(x - y))));
}

struct OfTwo {
  const char* name;
  Tensor (*op)(const Tensor&, const Tensor&);
  Exact (*exact)(Exact, Exact);
  Exact near_zero = 0;  // what is promised instead of ulps where that is more
};
const OfTwo of_two[] = {
    {"pow", pow, [](Exact x, Exact y) { return std::pow(x, y); }},
    {"atan2", atan2, [](Exact x, Exact y) { return std::atan2(x, y); }},
    {"hypot", hypot, [](Exact x, Exact y) { return std::hypot(x, y); }},
    {"logaddexp", logaddexp, logarithm_of_sum, 1e-17L},
};

/// Those that tell, and many of all sizes.
template <class T>
std::vector<T> arguments(int more) {
  std::vector<T> values = telling_values<T>();
  Random random(7);
  using C = Computed<T>;
  for (int k = 0; k < more; ++k) {
    const double sign = random.one_in(2) ? 1 : -1,
                 part = static_cast<double>(random.in(1, 1 << 30));
    values.push_back(
        T(static_cast<C>(std::ldexp(sign * part, static_cast<int>(random.in(-50, -22))))));
  }
  return values;
}

/// Within `most` ulps of the number that the computed type holds, and of f16 and bf16 within one
/// more rounding, of their own.
template <class T>
bool is_near(T got, Exact exact, double most) {
  using C = Computed<T>;
  if constexpr (is_half<T>) {
    const auto near = static_cast<float>(exact);
    const float step = std::fabs(near) * 1e-6f;
    for (const float each : {near, near - step, near + step})
      if (is_same(got, T(each))) return true;
    return false;
  } else {
    return ulps<C>(got, exact) <= most;
  }
}

template <class T>
std::string told(const char* name, T x, T y, T got, Exact exact) {
  using C = Computed<T>;
  return fmt::format("{}({}, {}) of {} is {}, expected {}", name, static_cast<C>(x),
                     static_cast<C>(y), dtype_of<T>.name(), static_cast<C>(got),
                     static_cast<double>(exact));
}

}  // namespace

TEST_CASE("functions: within their ulps, of every type and on every instruction set") {
  for_each_type<FloatTypes>([]<class T>(T) {
    using C = Computed<T>;
    const std::vector<T> values = arguments<T>(2000);
    for (const OfOne& each : of_one) {
      std::vector<Exact> exact;
      for (const T x : values) exact.push_back(each.exact(static_cast<C>(x)));
      on_every_target([&] {
        const Tensor made = each.op(from_vector(values)).eval();
        REQUIRE(made.dtype() == dtype_of<T>);
        for (std::size_t k = 0; k < values.size(); ++k)
          if (const T got = made.data<T>()[k]; !is_near(got, exact[k], each.ulps))
            FAIL_CHECK(told(each.name, values[k], values[k], got, exact[k]));
      });
    }
  });
}

TEST_CASE("functions of two: the same of all pairs") {
  for_each_type<FloatTypes>([]<class T>(T) {
    using C = Computed<T>;
    const std::vector<T> values = arguments<T>(30);
    const std::int64_t n = std::ssize(values);
    for (const OfTwo& each : of_two)
      on_every_target([&] {
        const Tensor made = each.op(from_vector(values, {n, 1}), from_vector(values)).eval();
        REQUIRE(made.has_shape({n, n}));
        for (std::size_t k = 0; k < static_cast<std::size_t>(n * n); ++k) {
          const T x = values[k / values.size()], y = values[k % values.size()];
          const Exact exact = each.exact(static_cast<C>(x), static_cast<C>(y));
          const T got = made.data<T>()[k];
          if (!is_near(got, exact, 2) &&
              !(std::fabs(Exact{static_cast<C>(got)} - exact) < each.near_zero))
            FAIL_CHECK(told(each.name, x, y, got, exact));
        }
      });
  });
}

TEST_CASE("functions: one element has the value that it has among many") {
  const std::vector<float> values = arguments<float>(300);
  for (const OfOne& each : of_one) {
    INFO(each.name);
    const std::vector<float> many = each.op(from_vector(values)).to_vector<float>();
    bool all_same = true;
    for (std::size_t k = 0; k < values.size(); ++k)
      all_same = all_same && is_same(each.op(scalar(values[k])).item<float>(), many[k]);
    CHECK(all_same);
  }
}

TEST_CASE("functions: expressions of them are fused with what moves, bit for bit") {
  const Tensor x = from_vector(arguments<float>(447)).reshape({-1, 5}), y = iota<float>(5);
  for (const OfOne& each : of_one) {
    INFO(each.name);
    const Tensor whole = each.op(x.flip(0) * y).roll(2, 1).transpose() + 1;
    const Tensor parts =
        (each.op((x.flip(0).eval() * y).eval()).eval().roll(2, 1).transpose().eval() + 1);
    check_made<float>(whole, parts.to_vector<float>());
  }
}

TEST_CASE("relu: 0 below 0, NaN stays") {
  for_each_type<RealTypes>([]<class T>(T) {
    using C = Computed<T>;
    check_of_one<T>([](const Tensor& x) { return relu(x); },
                    [](T x) { return static_cast<C>(x) <= 0 ? T(static_cast<C>(0)) : x; },
                    telling_values<T>());
  });
}

namespace weft::testing {

void draw_relu(Drawing& drawing) {
  if (is_real(drawing.dtype_of(drawing.x()))) drawing.add("relu", {drawing.x()}, {});
}

}  // namespace weft::testing

TEST_CASE("logaddexp: infinities as NumPy has them, and what nearly cancels") {
  const float inf = std::numeric_limits<float>::infinity(),
              nan = std::numeric_limits<float>::quiet_NaN();
  for_each_type<FloatTypes>([&]<class T>(T) {
    on_every_target([&] {
      const auto of = [](float x, float y) {
        return static_cast<float>(logaddexp(scalar(T(x)), scalar(T(y))).template item<T>());
      };
      CHECK(of(-inf, -inf) == -inf);
      CHECK(of(inf, inf) == inf);
      CHECK(of(-inf, inf) == inf);
      CHECK(of(-inf, 1.5f) == 1.5f);
      CHECK(of(nan, inf) != of(nan, inf));
      CHECK(of(-inf, nan) != of(-inf, nan));
      CHECK(of(1000, 1000) == static_cast<float>(T(static_cast<Computed<T>>(1000.69314718056))));
      CHECK(of(0, -1000) == 0);
    });
  });
  // log(2) and what of it f64 leaves out.
  const double near = -0.6931471805599453;
  on_every_target([&] {
    CHECK(std::abs(logaddexp(scalar(near), near).item<double>() - 2.3190468138462996e-17) < 1e-17);
  });
}

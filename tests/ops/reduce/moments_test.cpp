// SPDX-License-Identifier: Apache-2.0
// mean, var and std.
#include "ops/reduce/cells.h"

using namespace weft;
using namespace weft::testing;

namespace {

template <class T>
long double mean_of(const std::vector<T>& cell) {
  long double all = 0;
  for (const T x : cell) all += static_cast<long double>(static_cast<Computed<T>>(x));
  return all / static_cast<long double>(cell.size());
}
template <class T>
long double var_of(const std::vector<T>& cell, double correction) {
  const long double mean = mean_of(cell);
  long double all = 0;
  for (const T x : cell) {
    const long double off = static_cast<long double>(static_cast<Computed<T>>(x)) - mean;
    all += off * off;
  }
  return all / static_cast<long double>(static_cast<double>(cell.size()) - correction);
}
/// Numbers here are below 4, so that this covers additions and the roundings behind them.
template <class T>
long double bound_of(std::size_t count) {
  const auto own = static_cast<long double>(std::numeric_limits<Computed<T>>::epsilon());
  const long double half = std::is_same_v<T, float16_t> ? 0x1p-10L : is_half<T> ? 0x1p-7L : 0;
  return 64 * own * static_cast<long double>(16 + count / 64) + 16 * half;
}

TEST_CASE("mean, var, std: of floating-point numbers") {
  for_each_type<FloatTypes>([]<class T>(T) {
    const auto near = [](T made, long double expected, std::size_t count) {
      CHECK(std::abs(static_cast<long double>(static_cast<Computed<T>>(made)) - expected) <=
            bound_of<T>(count));
    };
    check_reduction<T, T>(
        800,
        [](const Tensor& x, const Ints& axes, bool keepdims) { return mean(x, axes, keepdims); },
        [&](T made, const std::vector<T>& cell) { near(made, mean_of(cell), cell.size()); }, 30);
    check_reduction<T, T>(
        830,
        [](const Tensor& x, const Ints& axes, bool keepdims) { return var(x, axes, 0, keepdims); },
        [&](T made, const std::vector<T>& cell) { near(made, var_of(cell, 0), cell.size()); }, 30);
    check_reduction<T, T>(
        860,
        [](const Tensor& x, const Ints& axes, bool keepdims) {
          return weft::std(x, axes, 0.5, keepdims);
        },
        [&](T made, const std::vector<T>& cell) {
          if (cell.size() > 1) near(made, std::sqrt(var_of(cell, 0.5)), cell.size());
        },
        30);
  });
}

TEST_CASE("var: far from zero, where a sum of squares would be lost") {
  const Tensor x = array({10000.0f, 10001.0f, 10002.0f});
  CHECK(var(x).item<float>() == doctest::Approx(2.0 / 3).epsilon(1e-6));
  CHECK(var(x, none, 1).item<float>() == doctest::Approx(1.0).epsilon(1e-6));
  CHECK(x.std(none, 1).item<float>() == doctest::Approx(1.0).epsilon(1e-6));
}

TEST_CASE("mean, var, std: what they refuse, and of one element") {
  CHECK_THROWS_AS(mean(zeros({0})), ShapeError);
  CHECK_THROWS_AS(mean(iota<int>({3})), DtypeError);
  CHECK_THROWS_AS(var(zeros({3}, bool_)), DtypeError);
  CHECK(std::isnan(var(array({5.0f}), none, 1).item<float>()));
  CHECK(var(array({5.0f})).item<float>() == 0.0f);
  CHECK(mean(zeros({0, 3}), 1).shape() == Shape{0});
}

}  // namespace

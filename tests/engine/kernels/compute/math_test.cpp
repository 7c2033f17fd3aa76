// SPDX-License-Identifier: Apache-2.0
// The functions of vectors against the C library: sampled ulps, special values, lanes that know
// nothing of their neighbours, on every instruction set.
#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "support/math_references.h"
#include "support/math_table.h"
#include "support/ulps.h"

using namespace weft::testing;

namespace {

template <class T>
using WideOf = std::conditional_t<std::is_same_v<T, float>, double, long double>;
template <class T>
using BitsOf = std::conditional_t<std::is_same_v<T, float>, std::uint32_t, std::uint64_t>;

constexpr std::uint64_t seed = 5;

template <class T>
const MathReference<WideOf<T>>& reference_of(const MathFunction& f) {
  const auto& all = math_references<WideOf<T>>;
  const auto found = std::ranges::find(all, f.name, &MathReference<WideOf<T>>::name);
  REQUIRE(found != std::end(all));
  return *found;
}

template <class T>
std::vector<T> results(const MathFunction& f, const std::vector<T>& x, const std::vector<T>& y) {
  std::vector<T> out(x.size());
  f.of<T>()(x.data(), y.data(), out.data(), x.size());
  return out;
}

template <class T>
std::vector<T> result_of(const MathFunction& f, T x, T y = 0) {
  return results<T>(f, {x}, {y});
}

/// Half uniform in their bits, half in their value.
template <class T>
std::vector<T> drawn(const Range& range, std::size_t count, std::mt19937_64& random) {
  std::vector<T> all;
  std::uniform_real_distribution<double> by_value(range.low, range.high);
  while (all.size() < count)
    all.push_back(random() % 2 == 0 ? static_cast<T>(by_value(random))
                                    : std::bit_cast<T>(static_cast<BitsOf<T>>(random())));
  return all;
}

template <class T>
constexpr T largest = std::numeric_limits<T>::max();
template <class T>
constexpr T infinite = std::numeric_limits<T>::infinity();
template <class T>
constexpr T least = std::numeric_limits<T>::denorm_min();

/// Zeros, infinities, NaN, the ends of the normal and the subnormal numbers, whole numbers, halves.
template <class T>
std::vector<T> special_values() {
  std::vector<T> all;
  for (const T v : {T(0), T(0.5), T(1), T(1.5), T(2), T(3), T(10), T(89), T(711), T(1e6), least<T>,
                    infinite<T>, std::numeric_limits<T>::min(), std::numeric_limits<T>::epsilon(),
                    largest<T>, std::nextafter(T(1), T(0)), std::numeric_limits<T>::quiet_NaN()}) {
    all.push_back(v);
    all.push_back(-v);
  }
  return all;
}

/// The largest error of the function for these arguments.
template <class T>
double worst(const MathFunction& f, const std::vector<T>& x, const std::vector<T>& y) {
  const auto& reference = reference_of<T>(f);
  const std::vector<T> got = results(f, x, y);
  double most = 0;
  for (std::size_t i = 0; i < x.size(); ++i)
    if (const auto exact = reference.exact(x[i], y[i]);
        !reference.is_within_near_zero(got[i] - exact))
      most = std::max(most, ulps(got[i], exact));
  return most;
}

template <class Body>
void for_each_function(const Body& body) {
  for (const MathTarget& target : math_targets())
    for (const MathFunction& f : target.functions) {
      CAPTURE(std::string(target.name));
      CAPTURE(std::string(f.name));
      body.template operator()<float>(f);
      body.template operator()<double>(f);
    }
}

const MathFunction& named(const MathTarget& target, std::string_view name) {
  const auto found = std::ranges::find(target.functions, name, &MathFunction::name);
  REQUIRE(found != target.functions.end());
  return *found;
}

}  // namespace

TEST_CASE("functions of vectors are as near as is promised, for values and bits of all kinds") {
  for_each_function([]<class T>(const MathFunction& f) {
    CAPTURE(sizeof(T));
    CAPTURE(seed);
    std::mt19937_64 random(seed);
    const auto& reference = reference_of<T>(f);
    const auto x = drawn<T>(reference.template range<T>(), 4000, random);
    const auto y = drawn<T>(reference.template range<T>(), 4000, random);
    CHECK(worst(f, x, y) <= reference.template promised<T>());
  });
}

TEST_CASE("functions of vectors: special values, and every pair of them") {
  for_each_function([]<class T>(const MathFunction& f) {
    CAPTURE(sizeof(T));
    std::vector<T> x, y;
    for (const T a : special_values<T>())
      for (const T b : special_values<T>()) {
        x.push_back(a);
        y.push_back(b);
      }
    CHECK(worst(f, x, y) <= reference_of<T>(f).template promised<T>());
  });
}

TEST_CASE("a lane's result is that of its argument alone, whatever lies beside it") {
  for_each_function([]<class T>(const MathFunction& f) {
    CAPTURE(sizeof(T));
    std::mt19937_64 random(seed);
    const Range range = reference_of<T>(f).template range<T>();
    auto x = drawn<T>(range, 200, random), y = drawn<T>(range, 200, random);
    const std::vector<T> together = results(f, x, y);
    bool is_same = true;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const T alone = result_of(f, x[i], y[i])[0];
      is_same &= std::bit_cast<BitsOf<T>>(alone) == std::bit_cast<BitsOf<T>>(together[i]) ||
                 (alone != alone && together[i] != together[i]);
    }
    CHECK(is_same);
  });
}

TEST_CASE("instruction sets with products of one rounding give the same bits") {
  const auto targets = math_targets();
  const auto find = [&](std::string_view name) {
    return std::ranges::find(targets, name, &MathTarget::name);
  };
  const auto narrow = find("AVX2"), wide = find("AVX3");
  if (narrow == targets.end() || wide == targets.end()) return;
  for (const MathFunction& f : wide->functions) {
    CAPTURE(std::string(f.name));
    std::mt19937_64 random(seed);
    const Range range = reference_of<float>(f).f32;
    const auto x = drawn<float>(range, 4096, random), y = drawn<float>(range, 4096, random);
    const auto first = results(f, x, y), second = results(named(*narrow, f.name), x, y);
    bool is_same = true;
    for (std::size_t i = 0; i < x.size(); ++i)
      is_same &=
          std::bit_cast<std::uint32_t>(first[i]) == std::bit_cast<std::uint32_t>(second[i]) ||
          (first[i] != first[i] && second[i] != second[i]);
    CHECK(is_same);
  }
}

TEST_CASE("what is whole stays whole: powers of two, cubes") {
  for (const MathTarget& target : math_targets()) {
    CAPTURE(std::string(target.name));
    const auto check = [&]<class T>(T) {
      for (int n = std::numeric_limits<T>::min_exponent; n < std::numeric_limits<T>::max_exponent;
           ++n) {
        const T power = std::ldexp(T(1), n);
        CHECK(result_of<T>(named(target, "exp2"), T(n))[0] == power);
        CHECK(result_of<T>(named(target, "log2"), power)[0] == T(n));
        CHECK(result_of<T>(named(target, "pow"), 2, T(n))[0] == power);
      }
      for (int n = -200; n <= 200; ++n)
        CHECK(result_of<T>(named(target, "cbrt"), T(n * n * n))[0] == T(n));
    };
    check(float{});
    check(double{});
  }
}

TEST_CASE("sines of huge arguments beside small ones") {
  for (const MathTarget& target : math_targets()) {
    CAPTURE(std::string(target.name));
    for (const std::string_view name : {"sin", "cos", "tan"}) {
      CAPTURE(std::string(name));
      const auto check = [&]<class T>(T) {
        // A double near a multiple of pi / 2, and numbers at both sides of where the ways change.
        const std::vector<T> x = {T(1),       T(6381956970095103.0 * 0x1p797),
                                  T(99999),   T(100001),
                                  T(-999999), T(1000001),
                                  T(-1e22),   largest<T>,
                                  T(3e8),     T(-0.0),
                                  T(22),      T(355)};
        CHECK(worst(named(target, name), x, x) <=
              reference_of<T>(named(target, name)).template promised<T>());
      };
      check(float{});
      check(double{});
    }
  }
}

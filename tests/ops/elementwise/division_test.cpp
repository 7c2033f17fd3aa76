// SPDX-License-Identifier: Apache-2.0
// divide, floor_divide, remainder and reciprocal.
#include "ops/elementwise/values.h"

using namespace weft;
using namespace weft::testing;

namespace {

__extension__ using Wide = __int128;

/// Of integers, towards minus infinity; 0 by 0.
template <class T>
Wide whole_quotient(T x, T y) {
  if (y == 0) return 0;
  const Wide a = x, b = y, cut = a / b;
  return cut * b == a || (a < 0) == (b < 0) ? cut : cut - 1;
}

const auto floor_divided = [](const Tensor& x, const Tensor& y) { return floor_divide(x, y); };
const auto left = [](const Tensor& x, const Tensor& y) { return remainder(x, y); };
constexpr double inf = std::numeric_limits<double>::infinity();
constexpr double no_number = std::numeric_limits<double>::quiet_NaN();

}  // namespace

TEST_CASE("divide, reciprocal: rounded once") {
  for_each_type<FloatTypes>([]<class T>(T) {
    using C = Computed<T>;
    check_of_two<T>([](const Tensor& x, const Tensor& y) { return divide(x, y); },
                    [](T x, T y) { return T(static_cast<C>(x) / static_cast<C>(y)); },
                    telling_values<T>());
    check_of_one<T>([](const Tensor& x) { return reciprocal(x); },
                    [](T x) { return T(1 / static_cast<C>(x)); }, telling_values<T>());
  });
}

TEST_CASE("floor_divide, remainder: of integers towards minus infinity, 0 by 0") {
  for_each_type<IntegerTypes>([]<class T>(T) {
    check_of_two<T>(
        floor_divided, [](T x, T y) { return static_cast<T>(whole_quotient(x, y)); },
        telling_values<T>());
    check_of_two<T>(
        left,
        [](T x, T y) { return static_cast<T>(y == 0 ? Wide{0} : x - whole_quotient(x, y) * y); },
        telling_values<T>());
  });
  expect<int>(floor_divide(array({7, -7, 7, -7, 5}), array({2, 2, -2, -2, 0})), {5},
              {3, -4, -4, 3, 0});
  expect<int>(array({7, -7, 7, -7, 5}) % array({2, 2, -2, -2, 0}), {5}, {1, 1, -1, -1, 0});
  expect<int>(floor_divide(std::numeric_limits<int>::min(), array({-1})), {1},
              {std::numeric_limits<int>::min()});
}

TEST_CASE("floor_divide, remainder: of floating-point numbers as NumPy's") {
  // What numpy.floor_divide and numpy.remainder make of these.
  struct Row {
    double x, y, quotient, rest;
  };
  const std::vector<Row> rows = {{7, 2, 3, 1},
                                 {-7, 2, -4, 1},
                                 {7, -2, -4, -1},
                                 {-7, -2, 3, -1},
                                 {1, 0.1, 9, 0.09999999999999995},
                                 {6, 0.5, 12, 0},
                                 {-6, 0.5, -12, 0},
                                 {6, -0.5, -12, -0.0},
                                 {0, 3, 0, 0},
                                 {-0.0, 3, -0.0, 0},
                                 {0, -3, -0.0, -0.0},
                                 {1, 0, inf, no_number},
                                 {-1, 0, -inf, no_number},
                                 {0, 0, no_number, no_number},
                                 {inf, 2, no_number, no_number},
                                 {1, inf, 0, 1},
                                 {-1, inf, -1, inf},
                                 {1, -inf, -1, -inf},
                                 {no_number, 1, no_number, no_number},
                                 {1, no_number, no_number, no_number},
                                 {inf, inf, no_number, no_number}};
  std::vector<double> xs, ys, quotients, rests;
  for (const Row& row : rows) {
    xs.push_back(row.x), ys.push_back(row.y);
    quotients.push_back(row.quotient), rests.push_back(row.rest);
  }
  on_every_target([&] {
    check_made(floor_divide(from_vector(xs), from_vector(ys)), quotients);
    check_made(remainder(from_vector(xs), from_vector(ys)), rests);
  });
  for_each_type<FloatTypes>([]<class T>(T) {
    using C = Computed<T>;
    // Where quotients are small they are exact in long double.
    std::vector<T> few;
    for (const T v : telling_values<T>())
      if (const C c = static_cast<C>(v); std::fabs(c) >= C(0.01) && std::fabs(c) < C(400))
        few.push_back(v);
    REQUIRE(few.size() > 20);
    const auto exact = [](T x, T y) {
      const long double a = static_cast<C>(x), b = static_cast<C>(y);
      const long double rest = std::fmod(a, b);
      return (a - rest) / b - (rest != 0 && (rest < 0) != (b < 0) ? 1 : 0);
    };
    check_of_two<T>(
        floor_divided, [&](T x, T y) { return T(static_cast<C>(exact(x, y))); }, few,
        is_same_number<T>);
    check_of_two<T>(
        left,
        [&](T x, T y) {
          const C b = static_cast<C>(y), rest = std::fmod(static_cast<C>(x), b);
          return T(rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest);
        },
        few, is_same_number<T>);
  });
}

TEST_CASE("floor_divide, remainder: have the bits of fmod, however near a multiple") {
  const auto check = []<class T>(T) {
    Random random(11);
    constexpr int digits = std::numeric_limits<T>::digits;
    std::vector<T> xs, ys, rests, quotients;
    const auto add = [&](T x, T y) {
      xs.push_back(x), ys.push_back(y);
      const T cut = std::fmod(x, y);
      const bool is_below = cut != 0 && (cut < 0) != (y < 0);
      rests.push_back(cut == 0 ? std::copysign(T{0}, y) : is_below ? cut + y : cut);
      // The whole number next to a quotient that is rounded.
      const T steps = (x - cut) / y - (is_below ? 1 : 0);
      quotients.push_back(steps == 0 ? std::copysign(T{0}, x / y) : std::nearbyint(steps));
    };
    for (int k = 0; k < 20000; ++k) {
      const int exponent = static_cast<int>(random.in(-40, 40));
      const T part = 1 + std::ldexp(static_cast<T>(random.bits() >> 11), -53);
      const T y = std::ldexp(random.one_in(2) ? part : -part, exponent);
      const auto bound = std::int64_t{1} << random.in(1, digits - 2);
      const T x = static_cast<T>(random.in(-bound, bound)) * y;
      for (const T near : {x, std::nextafter(x, T{0}), std::nextafter(x, 2 * x), x + y / 3})
        add(near, y);
      if (k % 100 == 99) add(x * std::ldexp(T{1}, digits), y);
      if (k % 1000 == 999) add(y, std::numeric_limits<T>::denorm_min()), add(T(-0.0), y);
    }
    on_every_target([&] {
      check_made(remainder(from_vector(xs), from_vector(ys)), rests);
      check_made(floor_divide(from_vector(xs), from_vector(ys)), quotients);
    });
  };
  check(float{});
  check(double{});
}

TEST_CASE("divide: integers are told what to write") {
  refuses<DtypeError>(
      "dtype_mismatch",
      "divide: i32, expected a floating-point or a complex type: floor_divide, or cast it "
      "(x.astype(f32))",
      [] { divide(array({1}), array({2})); });
}

namespace weft::testing {

void draw_division(Drawing& drawing) {
  const DType type = drawing.dtype_of(drawing.x());
  if (is_floating(type)) draw_of_two(drawing, "divide");
  else if (type.is_integer())
    draw_of_two(drawing, any_of(drawing.random(), {"floor_divide", "remainder"}));
}

}  // namespace weft::testing

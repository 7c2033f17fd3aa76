// SPDX-License-Identifier: Apache-2.0
// sum and prod.
#include <cstdint>
#include <type_traits>

#include "ops/reduce/cells.h"
#include "support/values.h"

using namespace weft;
using namespace weft::testing;

namespace {

TEST_CASE("sum, prod: of integers in 64 bits, which wrap") {
  for_each_type<IntegerTypes>([]<class T>(T) {
    check_reduction<T, Summed<T>>(
        100,
        [](const Tensor& x, const Ints& axes, bool keepdims) { return sum(x, axes, keepdims); },
        [](Summed<T> made, const std::vector<T>& cell) {
          std::uint64_t all = 0;
          for (const T x : cell) all += static_cast<std::uint64_t>(x);
          CHECK(made == static_cast<Summed<T>>(all));
        });
    check_reduction<T, Summed<T>>(
        200,
        [](const Tensor& x, const Ints& axes, bool keepdims) { return prod(x, axes, keepdims); },
        [](Summed<T> made, const std::vector<T>& cell) {
          std::uint64_t all = 1;
          for (const T x : cell) all *= static_cast<std::uint64_t>(x);
          CHECK(made == static_cast<Summed<T>>(all));
        });
  });
}

TEST_CASE("sum: of floating-point numbers in their own type, as f32 at least") {
  for_each_type<FloatTypes>([]<class T>(T) {
    check_reduction<T, T>(
        300,
        [](const Tensor& x, const Ints& axes, bool keepdims) { return sum(x, axes, keepdims); },
        [](T made, const std::vector<T>& cell) {
          long double all = 0;
          std::vector<double> doubles;
          for (const T x : cell) {
            doubles.push_back(static_cast<double>(static_cast<Computed<T>>(x)));
            all += doubles.back();
          }
          const double bound = sum_bound<Computed<T>>(doubles);
          const auto own = static_cast<double>(static_cast<Computed<T>>(made));
          if constexpr (is_half<T>) {
            // Rounded once, of what is within the bound.
            const auto low = static_cast<double>(
                static_cast<Computed<T>>(T(static_cast<float>(static_cast<double>(all) - bound))));
            const auto high = static_cast<double>(
                static_cast<Computed<T>>(T(static_cast<float>(static_cast<double>(all) + bound))));
            CHECK(own >= low);
            CHECK(own <= high);
          } else {
            CHECK(std::abs(own - static_cast<double>(all)) <= bound + 1e-300);
          }
        });
  });
}

TEST_CASE("prod: of floating-point numbers, a rounding for each of them at most") {
  for_each_type<std::tuple<float, double>>([]<class T>(T) {
    check_reduction<T, T>(
        400,
        [](const Tensor& x, const Ints& axes, bool keepdims) {
          return prod(x / T(2.5), axes, keepdims);
        },
        [](T made, const std::vector<T>& cell) {
          long double all = 1;
          for (const T x : cell) all *= static_cast<long double>(x / T(2.5));
          const long double bound =
              std::abs(all) * static_cast<long double>(cell.size()) *
                  static_cast<long double>(std::numeric_limits<T>::epsilon()) +
              1e-30L;
          if (std::abs(all) < 1e30L) CHECK(std::abs(static_cast<long double>(made) - all) <= bound);
        });
  });
}

TEST_CASE("sum, prod: of bool, how many and whether all; another type if that is asked for") {
  const Tensor x = array({true, true, false, true}).reshape({2, 2});
  expect<std::int64_t>(x.sum(), {}, {3});
  expect<std::int64_t>(x.sum(0), {2}, {1, 2});
  expect<std::int64_t>(x.prod(-1), {2}, {1, 0});
  const Tensor bytes = array({std::uint8_t{200}, std::uint8_t{100}});
  expect<std::uint64_t>(sum(bytes), {}, {300});
  expect<std::int32_t>(sum(bytes, none, false, i32), {}, {300});
  expect<std::uint8_t>(sum(bytes, none, false, u8), {}, {44});
  expect<double>(sum(bytes, {}, false, f64), {2}, {200, 100});
}

TEST_CASE("sum, prod: no axes, all axes, kept ones, and of nothing") {
  const Tensor x = iota<float>({2, 3});
  expect<float>(sum(x), {}, {15});
  expect<float>(sum(x, {}), {2, 3}, {0, 1, 2, 3, 4, 5});
  expect<float>(sum(x, {0, 1}, true), {1, 1}, {15});
  expect<float>(x.sum({-1, 0}), {}, {15});
  expect<float>(sum(scalar(3.0f)), {}, {3});
  expect<float>(zeros({0, 3}).sum(0), {3}, {0, 0, 0});
  expect<float>(zeros({0, 3}).prod(0), {3}, {1, 1, 1});
  CHECK(zeros({0, 3}).sum(1).shape() == Shape{0});
  expect<std::int64_t>(zeros({3, 0}, i8).sum(), {}, {0});
}

TEST_CASE("sum: what it refuses") {
  const Tensor x = iota<float>({4, 5});
  refuses<AxisError>("bad_axis", "sum: axis 3 is out of range for rank 2 (shape [4, 5])",
                     [&] { return sum(x, 3); });
  CHECK_THROWS_AS(sum(x, {0, 0}), AxisError);
  CHECK_THROWS_AS(sum(x, {0, -2}), AxisError);
  CHECK_THROWS_AS(sum(zeros({2}, opaque(3))), DtypeError);
  CHECK_THROWS_AS(sum(x, from_vector(std::vector<float>{0}, {1})), DtypeError);
}

TEST_CASE("sum: infinities and NaN go on") {
  const float inf = std::numeric_limits<float>::infinity();
  const Tensor x = array({1.0f, inf, 2.0f, -inf}).reshape({2, 2});
  const Tensor rows = x.sum(-1).eval();
  CHECK(rows.data<float>()[0] == inf);
  CHECK(std::isnan(x.sum().item<float>()));
}

TEST_CASE(
    "sum, prod, min, max, mean: the same bits whatever the threads, instruction set or layout") {
  Random random(5);
  for (const Shape& shape : {Shape{300, 1000}, Shape{7, 90001}, Shape{40000, 9}, Shape{700000}}) {
    CAPTURE(to_string(shape));
    std::vector<float> values(static_cast<std::size_t>(element_count(shape)));
    for (float& value : values) value = static_cast<float>(random.in(-100000, 100000)) * 1e-3f;
    const Tensor x = from_vector(values, shape).eval(), turned = x.transpose().stored().eval();
    const auto last = static_cast<std::int64_t>(shape.size()) - 1;
    for (const Ints& axes : {Ints(0), Ints(last), Ints(none)}) {
      const auto all = [&](const Tensor& y, const Ints& own) {
        return std::vector<Tensor>{sum(y, own), prod(y, own), min(y, own), max(y, own),
                                   mean(y, own)};
      };
      std::vector<std::vector<float>> expected;
      for (const Tensor& each : all(x, axes)) expected.push_back(values_with<float>(each, 1));
      on_every_target([&] {
        for (const int threads : {1, 2, 3, 8, 16}) {
          const std::vector<Tensor> made = all(x, axes);
          for (std::size_t k = 0; k < made.size(); ++k) {
            const std::vector<float> own = values_with<float>(made[k], threads);
            CHECK(std::memcmp(own.data(), expected[k].data(), own.size() * sizeof(float)) == 0);
          }
        }
      });
      const std::vector<Tensor> moved = all(turned.transpose(), axes);
      for (std::size_t k = 0; k < moved.size(); ++k) {
        const std::vector<float> own = values_with<float>(moved[k], 0);
        CHECK(std::memcmp(own.data(), expected[k].data(), own.size() * sizeof(float)) == 0);
      }
    }
  }
}

TEST_CASE("sum: of 10,000,000 floats within what is promised") {
  std::vector<float> values(10'000'000);
  Random random(6);
  long double all = 0, magnitudes = 0;
  for (float& value : values) {
    value = static_cast<float>(random.in(-(1 << 20), 1 << 20)) / 1024.0f;
    all += value;
    magnitudes += std::abs(value);
  }
  const float made = from_vector(values, {10'000'000}).sum().item<float>();
  // 512 additions in a chunk, 6 of partial results, 9 of chunks.
  CHECK(std::abs(static_cast<long double>(made) - all) <= magnitudes * 527 * 0x1p-24L);
  // A hundredth of the bound, as errors go both ways.
  CHECK(std::abs(static_cast<long double>(made) - all) <= magnitudes * 5 * 0x1p-24L);
}

}  // namespace

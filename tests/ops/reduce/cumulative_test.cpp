// SPDX-License-Identifier: Apache-2.0
// cumulative_sum and cumulative_prod.
#include <cstdint>
#include <type_traits>

#include <weft/testing/check.h>

#include "ops/reduce/cells.h"
#include "support/values.h"

using namespace weft;
using namespace weft::testing;

namespace {

/// Calls check(the element that was made, those up to it) for tensors that lie somehow.
template <class T, class Call, class Check>
void check_cumulative(std::uint64_t first_seed, const Call& call, const Check& check) {
  for (std::uint64_t seed = first_seed; seed < first_seed + 40; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    const Tensor x = somehow_placed<T>(random);
    if (x.rank() == 0) continue;
    const auto rank = static_cast<std::int64_t>(x.rank());
    const std::int64_t axis = random.in(0, rank - 1);
    const Tensor made = call(x, random.one_in(2) ? axis : axis - rank);
    CHECK(made.dtype() == dtype_of<Summed<T>>);
    CHECK(made.shape() == x.shape());
    const auto cells = cells_of<T>(x, {axis});
    const Tensor lines = made.moveaxis(axis, -1).eval();
    const Summed<T>* at = lines.data<Summed<T>>();
    for (const std::vector<T>& cell : cells) {
      std::vector<T> up_to;
      for (const T element : cell) {
        up_to.push_back(element);
        check(*at++, up_to);
      }
    }
  }
}

TEST_CASE("cumulative_sum, cumulative_prod: of integers in 64 bits, which wrap") {
  for_each_type<IntegerTypes>([]<class T>(T) {
    check_cumulative<T>(
        100, [](const Tensor& x, const Ints& axis) { return cumulative_sum(x, axis); },
        [](Summed<T> made, const std::vector<T>& cell) {
          std::uint64_t all = 0;
          for (const T x : cell) all += static_cast<std::uint64_t>(x);
          CHECK(made == static_cast<Summed<T>>(all));
        });
    check_cumulative<T>(
        200, [](const Tensor& x, const Ints& axis) { return x.cumulative_prod(axis); },
        [](Summed<T> made, const std::vector<T>& cell) {
          std::uint64_t all = 1;
          for (const T x : cell) all *= static_cast<std::uint64_t>(x);
          CHECK(made == static_cast<Summed<T>>(all));
        });
  });
}

TEST_CASE("cumulative_sum, cumulative_prod: of floating-point numbers, a rounding for each") {
  for_each_type<FloatTypes>([]<class T>(T) {
    const auto wide = [](T x) { return static_cast<long double>(static_cast<Computed<T>>(x)); };
    const auto check = [&](T made, long double all, long double bound) {
      if (std::abs(all) > 1e4L) return;
      if constexpr (is_half<T>) bound += std::abs(all) * 0x1p-8L + 1e-7L;
      CHECK(std::abs(wide(made) - all) <= bound + 1e-30L);
    };
    const auto epsilon = static_cast<long double>(std::numeric_limits<Computed<T>>::epsilon());
    check_cumulative<T>(
        300, [](const Tensor& x, const Ints& axis) { return cumulative_sum(x, axis); },
        [&](T made, const std::vector<T>& cell) {
          long double all = 0, magnitudes = 0;
          for (const T x : cell) all += wide(x), magnitudes += std::abs(wide(x));
          check(made, all, magnitudes * epsilon / 2 * static_cast<long double>(cell.size()));
        });
    check_cumulative<T>(
        400, [](const Tensor& x, const Ints& axis) { return cumulative_prod(x, axis); },
        [&](T made, const std::vector<T>& cell) {
          long double all = 1;
          for (const T x : cell) all *= wide(x);
          check(made, all, std::abs(all) * epsilon * static_cast<long double>(cell.size()));
        });
  });
}

TEST_CASE("cumulative_sum: along axes of several chunks, in the same order everywhere") {
  for (const Shape& shape : {Shape{100'000}, Shape{3, 70'000}, Shape{40'000, 5}, Shape{65'536, 2},
                             Shape{2, 33'000, 3}, Shape{11, 32'768}, Shape{20, 700}}) {
    CAPTURE(to_string(shape));
    Random random(7);
    std::vector<float> values(static_cast<std::size_t>(element_count(shape)));
    for (float& value : values) value = static_cast<float>(random.in(-100000, 100000)) * 1e-3f;
    const Tensor x = from_vector(values, shape).eval();
    const std::size_t axis = shape.size() == 3 ? 1 : shape.back() > 600 ? shape.size() - 1 : 0;
    const Tensor made = cumulative_sum(x, axis);
    const std::vector<float> one = values_with<float>(made, 1);
    // As the page says: within a chunk one after the other, then what was before it.
    std::int64_t inner = 1;
    for (std::size_t k = axis + 1; k < shape.size(); ++k) inner *= shape[k];
    for (std::int64_t line = 0; line < x.size() / shape[axis]; ++line) {
      const std::int64_t begin = line / inner * shape[axis] * inner + line % inner;
      float before = 0, own = 0;
      for (std::int64_t i = 0; i < shape[axis]; ++i) {
        const auto at = static_cast<std::size_t>(begin + i * inner);
        if (i % 32768 == 0 && i > 0) before = before + own;
        own = i % 32768 == 0 ? values[at] : own + values[at];
        const float expected = i < 32768 ? own : before + own;
        REQUIRE(one[at] == expected);
      }
    }
    for (const int threads : {2, 3, 8})
      CHECK(values_with<float>(cumulative_sum(x, axis), threads) == one);
    const Tensor turned = x.transpose().stored().transpose();
    CHECK(values_with<float>(cumulative_sum(turned, axis), 0) == one);
  }
}

TEST_CASE("cumulative_sum, cumulative_prod: what nothing makes, small types, and of nothing") {
  const Tensor x = iota<float>({2, 3}, 1);
  expect<float>(cumulative_sum(x, 1), {2, 3}, {1, 3, 6, 4, 9, 15});
  expect<float>(cumulative_sum(x, 0), {2, 3}, {1, 2, 3, 5, 7, 9});
  expect<float>(cumulative_prod(x, -1), {2, 3}, {1, 2, 6, 4, 20, 120});
  expect<float>(cumulative_sum(x, 1, true), {2, 4}, {0, 1, 3, 6, 0, 4, 9, 15});
  expect<float>(cumulative_prod(x, 0, true), {3, 3}, {1, 1, 1, 1, 2, 3, 4, 10, 18});
  expect<std::int64_t>(cumulative_sum(array({true, false, true})), {3}, {1, 1, 2});
  expect<std::uint64_t>(array({std::uint8_t{200}, std::uint8_t{100}}).cumulative_sum(), {2},
                        {200, 300});
  CHECK(cumulative_sum(zeros({0, 3}), 0).shape() == Shape{0, 3});
  CHECK(cumulative_sum(zeros({2, 0}, i8), 1).dtype() == i64);
  expect<float>(cumulative_sum(zeros({0}), 0, true), {1}, {0});
  expect<float>(cumulative_prod(zeros({2, 0}), 1, true), {2, 1}, {1, 1});
}

TEST_CASE("cumulative_sum, cumulative_prod: over and under other ops, against their meaning") {
  for (const auto& call : {&cumulative_sum, &cumulative_prod})
    for (const std::int64_t axis : {0, 1})
      for (const bool include_initial : {false, true})
        CHECK(disagreement(
                  [&] {
                    return call(iota<int>({5, 7}).roll(2, 1).transpose(), axis, include_initial)
                        .flip(1)
                        .pad({1, 0}, {0, 2});
                  },
                  call(iota<int>({5, 7}).roll(2, 1).transpose(), axis, include_initial)
                      .flip(1)
                      .pad({1, 0}, {0, 2})) == "");
}

TEST_CASE("cumulative_sum: what it refuses") {
  const Tensor x = iota<float>({4, 5});
  refuses<AxisError>("bad_axis", "cumulative_sum: axis 2 is out of range for rank 2 (shape [4, 5])",
                     [&] { return cumulative_sum(x, 2); });
  refuses<ParameterError>(
      "bad_rank", "cumulative_sum: x has rank 2 (shape [4, 5]), expected 1 where no axis is given",
      [&] { return cumulative_sum(x); });
  CHECK_THROWS_AS(cumulative_prod(x, {0, 1}), ParameterError);
  CHECK_THROWS_AS(cumulative_sum(scalar(1.0f), 0), AxisError);
  CHECK_THROWS_AS(cumulative_sum(zeros({2}, opaque(3))), DtypeError);
  CHECK_THROWS_AS(cumulative_sum(zeros({2}, c64)), DtypeError);
}

}  // namespace

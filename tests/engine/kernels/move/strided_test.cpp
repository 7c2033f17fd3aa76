// SPDX-License-Identifier: Apache-2.0
// The strided kernel: units one by one.
#include <doctest/doctest.h>

#include "support/nests.h"

using namespace weft;
using weft::testing::check_kernel;
using weft::testing::nest_of_loops;
using weft::testing::units_of_all_kinds;

TEST_CASE("strided copies of every unit, forwards, backwards and spread out") {
  for (const std::int64_t unit : units_of_all_kinds)
    for (std::int64_t count = 1; count <= 40; count += 3) {
      check_kernel("strided",
                   nest_of_loops(unit, {{3, 120 * unit, 50 * unit}, {count, 2 * unit, unit}}), 1);
      check_kernel("strided", nest_of_loops(unit, {{count, unit, -3 * unit}}));
      check_kernel("strided", nest_of_loops(unit, {{2, 90 * unit, 5}, {count, unit, 0}}), 3);
    }
}

TEST_CASE("units of every size to 140 are moved whole, and nothing beside them") {
  for (std::int64_t unit = 1; unit <= 140; ++unit)
    check_kernel("strided", nest_of_loops(unit, {{3, 400, 300}, {2, unit + 3, unit + 1}}), 1);
}

TEST_CASE("rows of units of every size, from sources that overlap, touch, lie apart, and go down") {
  for (std::int64_t unit = 1; unit <= 34; ++unit)
    for (const std::int64_t count : {1, 2, 3, 4, 11})
      for (const std::int64_t step : {std::int64_t{1}, unit - 1, unit, unit + 1, 5 * unit})
        for (const std::int64_t sign : {1, -1})
          check_kernel("strided",
                       nest_of_loops(unit, {{2, count * unit + 1, 7}, {count, unit, sign * step}}));
}

TEST_CASE("strided copies in every order of loops, short and long, near and far in the source") {
  for (const std::int64_t unit : {1, 2, 3, 4, 8, 12})
    for (const std::int64_t rows : {3, 16, 70, 200})
      for (const std::int64_t columns : {2, 7, 9, 300})
        for (const std::int64_t step : {1, 2, -3}) {
          const std::int64_t row = columns * unit, far = rows * 3 * unit + 4;
          check_kernel("strided",
                       nest_of_loops(unit, {{rows, row, step * unit}, {columns, unit, far}}), 1);
          check_kernel("strided", nest_of_loops(unit, {{2, 5 * rows * row, 0},
                                                       {rows, 5 * row, step * unit},
                                                       {5, row, columns * far},
                                                       {columns, unit, far}}));
        }
}

TEST_CASE("strided columns that share places in the cache go in blocks") {
  for (const std::int64_t apart : {512, 4096})
    for (const std::int64_t columns : {15, 17, 100})
      check_kernel("strided", nest_of_loops(1, {{30, columns, -2}, {columns, 1, apart}}));
}

TEST_CASE("strided copies of large outputs, which ask for lines ahead") {
  for (const std::int64_t step : {2, -2}) {
    const Nest nest = nest_of_loops(4, {{100, 1200, 4 * step}, {300, 4, 900}});
    const weft::testing::Moved moved(nest);
    Nest left = moved.nest();
    Bound bound;
    REQUIRE(bind(weft::testing::kernel_named("strided"), left, {.is_large = true}, bound));
    CHECK(moved.is_made_by(bound));
  }
}

TEST_CASE("more loops than the strided kernel keeps lie around it") {
  check_kernel(
      "strided",
      nest_of_loops(
          1,
          {{2, 729, 64}, {3, 243, 32}, {3, 81, 16}, {3, 27, 8}, {3, 9, 4}, {3, 3, 2}, {3, 1, 1}}));
}

TEST_CASE("loops beyond two lie around a kernel, those that read the same again innermost") {
  const auto taken = [] {
    return nest_of_loops(4, {{2, 4000, 1000}, {3, 1200, 0}, {5, 200, 160}, {20, 4, 8}});
  };
  check_kernel("take", taken());
  Nest nest = taken();
  Bound bound;
  REQUIRE(bind(weft::testing::kernel_named("take"), nest, {}, bound));
  REQUIRE(bound.around.size() == 2);
  CHECK(bound.around[0].extent == 2);
  CHECK(bound.around[1].dst == 200);
}

TEST_CASE("a kernel takes a loop that goes on rather than one that is soon over") {
  Nest nest = nest_of_loops(4, {{90, 40, 160}, {2, 20, 0}, {5, 4, 8}});
  check_kernel("take", nest);
  Bound bound;
  REQUIRE(bind(weft::testing::kernel_named("take"), nest, {}, bound));
  CHECK(bound.runs() == 2);
}

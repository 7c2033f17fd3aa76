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

TEST_CASE("loops beyond two lie around a kernel, those that read the same again innermost") {
  check_kernel("strided", nest_of_loops(3, {{2, 500, 91}, {3, 120, 0}, {2, 50, 40}, {4, 7, 9}}));
  Nest nest = nest_of_loops(3, {{2, 500, 91}, {3, 120, 0}, {2, 50, 40}, {4, 7, 9}});
  Bound bound;
  REQUIRE(bind(weft::testing::kernel_named("strided"), nest, {}, bound));
  REQUIRE(bound.around.size() == 2);
  CHECK(bound.around[0].extent == 2);
  CHECK(bound.around[1].dst == 50);
}

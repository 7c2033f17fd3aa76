// SPDX-License-Identifier: Apache-2.0
// The put kernel: every second unit of the output.
#include <doctest/doctest.h>

#include "support/nests.h"

using namespace weft;
using weft::testing::check_kernel;
using weft::testing::chosen;
using weft::testing::nest_of_loops;

TEST_CASE("every second unit is put, up to the last and not past it") {
  for (const std::int64_t unit : {1, 2, 4, 8})
    for (const std::int64_t step : {1, -1, 2})
      for (std::int64_t count = 1; count <= 140; ++count)
        check_kernel("put",
                     nest_of_loops(unit, {{2, (2 * count - 1) * unit, count * unit},
                                          {count, 2 * unit, step * unit}}),
                     count % 3);
}

TEST_CASE("rows of units are put in three loops") {
  for (const std::int64_t unit : {1, 2, 4, 8})
    for (const std::int64_t step : {1, -1, 2})
      for (const std::int64_t count : {2, 9, 12, 40})
        check_kernel("put",
                     nest_of_loops(unit, {{2, 40 * count * unit, 7},
                                          {3, 12 * count * unit, 9 * count * unit},
                                          {5, 2 * count * unit, count * unit},
                                          {count, 2 * unit, step * unit}}),
                     3);
}

TEST_CASE("units are put where nobody else writes between them") {
  const Nest nest = nest_of_loops(4, {{100, 8, 4}});
  CHECK(chosen(nest, {.owns_gaps = true}) == "put");
  CHECK(chosen(nest) == "strided");
  for (const std::int64_t step : {-4, 8})
    CHECK(chosen(nest_of_loops(4, {{100, 8, step}}), {.owns_gaps = true}) == "put");
  for (const std::int64_t step : {-8, 0, 12})
    CHECK(chosen(nest_of_loops(4, {{100, 8, step}}), {.owns_gaps = true}) == "strided");
}

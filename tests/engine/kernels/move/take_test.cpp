// SPDX-License-Identifier: Apache-2.0
// The take kernel: every second unit of the source.
#include <doctest/doctest.h>

#include "support/nests.h"

using namespace weft;
using weft::testing::check_kernel;
using weft::testing::chosen;
using weft::testing::nest_of_loops;

TEST_CASE("every second unit is taken, up to the last and not past it") {
  for (const std::int64_t unit : {1, 2, 4, 8})
    for (std::int64_t count = 1; count <= 140; ++count)
      check_kernel(
          "take",
          nest_of_loops(unit, {{2, count * unit, (2 * count - 1) * unit}, {count, unit, 2 * unit}}),
          count % 3);
}

TEST_CASE("long rows of every second unit are taken") {
  CHECK(chosen(nest_of_loops(4, {{100, 4, 8}})) == "take");
  CHECK(chosen(nest_of_loops(3, {{100, 3, 6}})) == "shuffle");
  CHECK(chosen(nest_of_loops(4, {{100, 4, 40}})) == "strided");
}

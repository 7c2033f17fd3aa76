// SPDX-License-Identifier: Apache-2.0
// The take kernel: every second, third or fourth unit of the source.
#include <doctest/doctest.h>

#include "support/nests.h"

using namespace weft;
using weft::testing::check_kernel;
using weft::testing::chosen;
using weft::testing::nest_of_loops;

TEST_CASE("every second to fourth unit is taken, up to the last and not past it") {
  for (const std::int64_t unit : {1, 2, 4, 8})
    for (const std::int64_t step : {2, 3, 4})
      for (std::int64_t count = 1; count <= 140; ++count)
        if (step * unit <= 16)
          check_kernel("take",
                       nest_of_loops(unit, {{2, count * unit, (step * count - step + 1) * unit},
                                            {count, unit, step * unit}}),
                       count % 3);
}

TEST_CASE("long rows of every second to fourth unit are taken") {
  CHECK(chosen(nest_of_loops(1, {{100, 1, 3}})) == "take");
  CHECK(chosen(nest_of_loops(4, {{100, 4, 16}})) == "take");
  CHECK(chosen(nest_of_loops(8, {{100, 8, 24}})) == "strided");
  CHECK(chosen(nest_of_loops(4, {{100, 4, 8}})) == "take");
  CHECK(chosen(nest_of_loops(3, {{100, 3, 6}})) == "shuffle");
  CHECK(chosen(nest_of_loops(4, {{100, 4, 40}})) == "strided");
}

// SPDX-License-Identifier: Apache-2.0
// The reverse kernel: units from the last to the first.
#include <doctest/doctest.h>

#include "support/nests.h"

using namespace weft;
using weft::testing::check_kernel;
using weft::testing::chosen;
using weft::testing::nest_of_loops;
using weft::testing::units_of_all_kinds;

TEST_CASE("reversals of every unit and count") {
  for (const std::int64_t unit : units_of_all_kinds)
    for (std::int64_t count = 1; count <= (unit < 12 ? 130 : 70); ++count)
      check_kernel("reverse",
                   nest_of_loops(unit, {{2, count * unit, count * unit}, {count, unit, -unit}}),
                   count % 3);
}

TEST_CASE("reversals that start anywhere in a line") {
  for (const std::int64_t unit : {1, 2, 4, 8})
    for (std::int64_t shift = 0; shift < 64; ++shift)
      check_kernel("reverse", nest_of_loops(unit, {{100, unit, -unit}}), shift);
}

TEST_CASE("long rows that are read backwards are reversed") {
  CHECK(chosen(nest_of_loops(4, {{100, 4, -4}})) == "reverse");
  CHECK(chosen(nest_of_loops(24, {{100, 24, -24}})) == "reverse");
  CHECK(chosen(nest_of_loops(3, {{100, 3, -3}})) == "shuffle");
  CHECK(chosen(nest_of_loops(128, {{100, 128, -128}})) == "run");
  CHECK(chosen(nest_of_loops(4, {{100, 4, -40}})) == "strided");
}

// SPDX-License-Identifier: Apache-2.0
// The deinterleave kernel: two to four channels taken apart.
#include <doctest/doctest.h>

#include "support/nests.h"

using namespace weft;
using weft::testing::check_kernel;
using weft::testing::chosen;
using weft::testing::nest_of_loops;

TEST_CASE("channels taken apart, two to four of every vector unit") {
  for (const std::int64_t unit : {1, 2, 4, 8})
    for (const std::int64_t channels : {2, 3, 4})
      for (std::int64_t count = 1; count <= 1025; count += count < 132 ? 1 : 297)
        for (const std::int64_t shift : {0, 1, 64}) {
          const std::int64_t plane = count * unit + 24;
          check_kernel(
              "deinterleave",
              nest_of_loops(unit, {{channels, plane, unit}, {count, unit, channels * unit}}),
              shift);
        }
}

TEST_CASE("channels that lie the other way round are taken apart in one go") {
  for (const std::int64_t count : {1, 40, 200})
    check_kernel("deinterleave", nest_of_loops(2, {{3, count * 2, -2}, {count, 2, 6}}));
  CHECK(chosen(nest_of_loops(2, {{3, 200, -2}, {100, 2, 6}})) == "deinterleave");
  CHECK(chosen(nest_of_loops(4, {{5, 4000, 4}, {1000, 4, 20}})) == "transpose");
  CHECK(chosen(nest_of_loops(8, {{3, 8000, 8}, {1000, 8, 32}})) == "transpose");
  // Batches of few pixels, and planes of few bytes from near one another, are shuffled.
  CHECK(chosen(nest_of_loops(1, {{50, 9, 9}, {3, 3, 1}, {3, 1, 3}})) == "shuffle");
  CHECK(chosen(nest_of_loops(1, {{5, 100, 1}, {100, 1, 5}})) == "shuffle");
}

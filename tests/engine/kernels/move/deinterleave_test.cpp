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
  CHECK(chosen(nest_of_loops(2, {{5, 200, 2}, {100, 2, 10}})) == "transpose");
  CHECK(chosen(nest_of_loops(2, {{3, 200, 2}, {100, 2, 8}})) == "transpose");
}

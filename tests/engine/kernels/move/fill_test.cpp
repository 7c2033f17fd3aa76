// SPDX-License-Identifier: Apache-2.0
// The fill kernel: one unit repeated.
#include <doctest/doctest.h>

#include "support/nests.h"

using namespace weft;
using weft::testing::check_kernel;
using weft::testing::chosen;
using weft::testing::nest_of_loops;
using weft::testing::units_of_all_kinds;

TEST_CASE("fills of every unit and count") {
  for (const std::int64_t unit : units_of_all_kinds)
    for (std::int64_t count = 1; count <= 140; ++count) {
      check_kernel("fill", nest_of_loops(unit, {{2, count * unit + 3, unit}, {count, unit, 0}}),
                   count % 5);
      if (count % 10 == 1)
        for (const std::int64_t rows : {3, 5})
          check_kernel("fill", nest_of_loops(unit, {{rows, count * unit + 3, 0}, {count, unit, 0}}),
                       count % 5);
    }
}

TEST_CASE("long fills keep their pattern past the doubling") {
  for (const std::int64_t unit : {1, 3, 12, 4096, 5000, 20000})
    for (const std::int64_t row : {0, 1, 20001})
      check_kernel("fill", nest_of_loops(unit, {{2, 200003, row}, {200000 / unit, unit, 0}}), 1);
}

TEST_CASE("repeated units are filled, of any size") {
  CHECK(chosen(nest_of_loops(4, {{100, 4, 0}})) == "fill");
  CHECK(chosen(nest_of_loops(4, {{100, 8, 0}})) == "strided");
  CHECK(chosen(nest_of_loops(500, {{100, 500, 0}})) == "fill");
}

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

TEST_CASE("a few long units are read again each time") {
  for (const std::int64_t unit : {48, 64, 102, 144, 10000})
    for (std::int64_t count = 2; count <= 5; ++count)
      for (const std::int64_t row : {std::int64_t{0}, unit})
        check_kernel("fill", nest_of_loops(unit, {{7, count * unit + 5, row}, {count, unit, 0}}));
}

TEST_CASE("rows of one unit are filled along the longer of two loops") {
  for (const std::int64_t unit : {4, 12, 64}) {
    const auto nest = [&](std::int64_t many, std::int64_t src) {
      return nest_of_loops(unit, {{many, 40 * unit, src}, {2, 15 * unit, 0}, {5, unit, 0}});
    };
    for (const std::int64_t many : {3, 9, 30}) {
      check_kernel("fill", nest(many, 0));
      check_kernel("fill", nest(many, unit));
    }
  }
}

TEST_CASE("repeated units are filled, of any size") {
  CHECK(chosen(nest_of_loops(4, {{100, 4, 0}})) == "fill");
  CHECK(chosen(nest_of_loops(4, {{100, 8, 0}})) == "strided");
  CHECK(chosen(nest_of_loops(500, {{100, 500, 0}})) == "fill");
}

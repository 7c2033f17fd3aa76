// SPDX-License-Identifier: Apache-2.0
// The few-columns kernel: every count of columns, rows one behind another and apart.
#include <doctest/doctest.h>

#include <vector>

#include "support/nests.h"

using namespace weft;
using weft::testing::check_kernel;
using weft::testing::chosen;
using weft::testing::nest_of_loops;

namespace {
constexpr std::int64_t units[] = {1, 2, 3, 4, 6, 8, 16};
}

TEST_CASE("few columns of every unit, rows that follow one another and rows apart, up and down") {
  for (const std::int64_t unit : units)
    for (std::int64_t columns = 3; columns * std::min<std::int64_t>(unit, 8) < 64; ++columns)
      for (const std::int64_t rows : {2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 22, 64, 65, 67, 130, 700})
        for (const std::int64_t gap : {0, 1})
          for (const std::int64_t sign : {1, -1}) {
            if (rows * unit < (unit == 16 ? 64 : unit == 3 || unit >= 6 ? 16 : 8)) continue;
            const std::int64_t tile = rows * (columns * unit + 1);
            check_kernel("few_columns",
                         nest_of_loops(unit, {{2, tile, tile},
                                              {rows, columns * unit + gap, sign * unit},
                                              {columns, unit, sign * (rows * unit + gap)}}),
                         columns % 5);
          }
}

TEST_CASE("more columns, whether or not the first cache has places for lines of all") {
  for (const std::int64_t unit : units)
    for (const std::int64_t columns : {65, 128, 255, 256})
      for (const std::int64_t rows : {64, 200})
        for (const std::int64_t apart : {200 * unit, std::int64_t{2048}})
          for (const std::int64_t gap : {0, 5})
            check_kernel("few_columns", nest_of_loops(unit, {{rows, columns * unit + gap, unit},
                                                             {columns, unit, apart}}));
}

TEST_CASE("columns of what is streamed are read in turn") {
  const Writing streamed{.streams_turned = true};
  for (const std::int64_t unit : units) {
    const auto turned = [&](std::int64_t rows, std::int64_t columns, std::int64_t row_bytes) {
      return chosen(nest_of_loops(unit, {{rows, row_bytes, unit}, {columns, unit, 40003 * unit}}),
                    streamed);
    };
    CHECK(turned(40000, 101, 101 * unit) == "few_columns");
    CHECK(turned(40000, 29, 29 * unit) == "few_columns");
    CHECK(turned(40000, 256, 256 * unit) == "transpose");
    CHECK(turned(40000, 257, 257 * unit) == "transpose");
    CHECK(turned(40000, 101, 202 * unit) == "transpose");
  }
}

TEST_CASE("rows and columns that go on over several loops") {
  for (const std::int64_t unit : units)
    for (const std::int64_t times : {0, 1}) {
      // src [2, 3, 4, 16, n] to dst [n, 16, 4 or 4 and 3, 3, 2]: columns over two loops.
      const std::int64_t plane = 16 * 20 * unit;
      check_kernel("few_columns", nest_of_loops(unit, {{20, 16 * 6 * unit, unit},
                                                       {16, 6 * unit, 20 * unit},
                                                       {3, 2 * unit, 4 * plane},
                                                       {2, unit, times * 12 * plane}}));
    }
}

TEST_CASE("a few rows that follow one another, and others further apart") {
  for (const std::int64_t unit : units)
    for (const std::int64_t together : {2, 3, 4, 7, 17})
      for (const std::int64_t far : {5, 37, 130})
        for (const std::int64_t columns : {4, 5, 10}) {
          const std::int64_t row = columns * unit, plane = far * together * unit;
          if (plane < 64) continue;
          check_kernel("few_columns",
                       nest_of_loops(unit, {{far, 3 * together * row, together * unit},
                                            {together, row, unit},
                                            {columns, unit, plane}}));
        }
}

TEST_CASE("units that are repeated side by side are columns") {
  for (const std::int64_t unit : units)
    for (const std::int64_t times : {2, 3})
      for (const std::int64_t rows : {16, 70})
        for (const std::int64_t sign : {1, -1})
          check_kernel("few_columns", nest_of_loops(unit, {{rows, 5 * times * unit, sign * unit},
                                                           {5, times * unit, 100 * unit},
                                                           {times, unit, 0}}));
  CHECK(chosen(nest_of_loops(1, {{4000, 50, 1}, {25, 2, -4000}, {2, 1, 0}})) == "few_columns");
  CHECK(chosen(nest_of_loops(1, {{4000, 2, 1}, {2, 1, 0}})) == "shuffle");
}

TEST_CASE("columns that are anywhere, by a table") {
  for (const std::int64_t unit : units)
    for (const std::int64_t columns : {3, 5, 16, 75})
      for (const std::int64_t rows : {16, 70})
        for (const std::int64_t sign : {1, -1}) {
          std::vector<std::int64_t> table;
          for (std::int64_t k = 0; k < columns; ++k) table.push_back(k * k % 11 * 90 - 7 * k);
          const std::int64_t tile = rows * columns * unit;
          Nest nest = nest_of_loops(
              unit,
              {{2, tile, 40 * unit}, {rows, columns * unit, sign * unit}, {columns, unit, 0}});
          nest.element = unit;
          nest.loops.back().src_table = table.data();
          check_kernel("few_columns", nest, columns % 5);
        }
}

TEST_CASE("a few columns of rows that are rolled") {
  for (const std::int64_t unit : units)
    for (const std::int64_t columns : {3, 5, 16, 60})
      for (const std::int64_t rows : {16, 21, 150})
        for (const std::int64_t first : {std::int64_t{1}, rows / 3, rows - 1})
          for (const bool is_forwards : {true, false}) {
            const weft::testing::RolledRows rolled(rows, first, is_forwards);
            const std::int64_t row = columns * unit + (first % 2 ? 0 : 5);
            Nest nest = nest_of_loops(
                unit, {{2, rows * row, rows * unit}, {columns, unit, 2 * rows * unit + 3}});
            nest.element = unit;
            nest.loops.insert(nest.loops.begin() + 1, rolled.loop(row));
            check_kernel("few_columns", nest, columns % 5);
          }
}

TEST_CASE("short rows of turned nests are those of few columns") {
  CHECK(chosen(nest_of_loops(1, {{5000, 25, 1}, {25, 1, 5000}})) == "few_columns");
  CHECK(chosen(nest_of_loops(2, {{5000, 10, -2}, {5, 2, 10000}})) == "few_columns");
  CHECK(chosen(nest_of_loops(3, {{5000, 9, 3}, {3, 3, 15000}})) == "few_columns");
  CHECK(chosen(nest_of_loops(1, {{5000, 65, 1}, {65, 1, 5000}})) == "transpose");
  CHECK(chosen(nest_of_loops(1, {{4096, 65, 1}, {65, 1, 4096}})) == "few_columns");
  CHECK(chosen(nest_of_loops(4, {{5000, 256, 4}, {64, 4, 20000}})) == "transpose");
}

TEST_CASE("columns of a source each") {
  for (const std::int64_t unit : {1, 2, 3, 4, 6, 8, 16})
    for (std::size_t columns = 3; columns <= most_stacked; ++columns)
      for (const std::int64_t count : {std::int64_t{16}, std::int64_t{21}, std::int64_t{700}}) {
        const auto row = static_cast<std::int64_t>(columns) * unit;
        Nest nest =
            nest_of_loops(unit, {{2, count * row + 5, count * unit + 3}, {count, row, unit}});
        nest.sources = columns;
        check_kernel("few_columns", nest, count % 3);
        CHECK((columns < 5 || chosen(nest) == "few_columns"));
        // What is not read unit by unit is for other kernels.
        nest.loops.back().src[0] = 2 * unit;
        CHECK(chosen(nest) == "none");
      }
}

// SPDX-License-Identifier: Apache-2.0
// The transpose kernel: every shape, alignment and direction, rows and columns of several loops.
#include <doctest/doctest.h>

#include <utility>

#include "support/nests.h"

using namespace weft;
using weft::testing::check_kernel;
using weft::testing::chosen;
using weft::testing::nest_of_loops;
using weft::testing::units_of_all_kinds;

TEST_CASE("transposes of every small shape and unit") {
  for (const std::int64_t unit : units_of_all_kinds)
    for (std::int64_t rows : {1, 2, 3, 7, 8, 9, 16, 31, 32, 33, 65})
      for (std::int64_t columns : {1, 2, 5, 8, 15, 16, 17, 33, 70}) {
        const std::int64_t dst_stride = columns * unit + 8, src_stride = rows * unit + 3;
        check_kernel("transpose",
                     nest_of_loops(unit, {{rows, dst_stride, unit}, {columns, unit, src_stride}}),
                     rows % 3);
      }
}

TEST_CASE("transposes of lines, whole and ragged, aligned and not") {
  for (const std::int64_t unit : {1, 2, 3, 4, 8, 16, 64})
    for (const std::int64_t rows_bytes : {64, 128, 192, 256, 576})
      for (const std::int64_t columns_bytes : {128, 192, 640, 1088})
        for (const std::int64_t start : {0, 16, 64}) {
          const std::int64_t rows = rows_bytes / unit, columns = columns_bytes / unit;
          const std::int64_t dst_stride = (columns_bytes + 63) / 64 * 64 + start % 64;
          const std::int64_t src_stride = rows * unit + start;
          if (rows < 1 || columns < 1) continue;
          check_kernel("transpose",
                       nest_of_loops(unit, {{rows, dst_stride, unit}, {columns, unit, src_stride}}),
                       start);
        }
}

TEST_CASE("transposes whose rows or columns run backwards") {
  for (const std::int64_t unit : {1, 2, 3, 4, 8, 16, 64})
    for (const std::int64_t rows : {3, 16, 33, 100})
      for (const std::int64_t columns : {5, 32, 129}) {
        const std::int64_t dst_stride = columns * unit, src_stride = rows * unit;
        for (const std::int64_t down : {1, -1})
          for (const std::int64_t back : {1, -1})
            check_kernel("transpose", nest_of_loops(unit, {{rows, dst_stride, down * unit},
                                                           {columns, unit, back * src_stride}}));
      }
}

TEST_CASE("transposes whose rows or columns share places of a cache") {
  const std::pair<std::int64_t, std::int64_t> strides[] = {
      {4096, 1155}, {2064, 4096}, {2048, 2048}, {2065, 2048}};
  for (const std::int64_t unit : {1, 2, 3, 4, 8, 16})
    for (const std::int64_t rows : {5, 33, 70})
      for (const std::int64_t columns : {70, 127})
        for (const auto& [dst_stride, src_stride] : strides)
          for (const std::int64_t down : {1, -1})
            check_kernel(
                "transpose",
                nest_of_loops(unit, {{rows, dst_stride, down * unit}, {columns, unit, src_stride}}),
                rows % 3);
}

TEST_CASE("transposes that start just before a line ends") {
  for (const std::int64_t unit : {1, 2, 3, 6, 12, 24})
    for (const std::int64_t start : {120, 126, 127})
      check_kernel("transpose", nest_of_loops(unit, {{40, 70 * unit, unit}, {70, unit, 40 * unit}}),
                   start);
}

TEST_CASE("transposes whose columns are anywhere, by a table") {
  for (const std::int64_t unit : {1, 2, 3, 4, 6, 8, 16})
    for (const std::int64_t rows : {64, 65, 99, 700})
      for (const std::int64_t columns : {9, 64, 300, 1100})
        for (const std::int64_t down : {1, -1}) {
          if (rows * columns > 100000 || (unit >= 8 && columns == 9)) continue;
          std::vector<std::int64_t> table;  // of every second row two, and some the same
          for (std::int64_t k = 0; k < columns; ++k)
            table.push_back((k % 2 ? k : k / 2) * rows - (k % 7 == 0 ? 3 : 0));
          const std::int64_t dst_stride = columns * unit + (rows % 3 ? 0 : 64);
          Nest nest = nest_of_loops(unit, {{rows, dst_stride, down * unit}, {columns, unit, 0}});
          nest.element = unit;
          nest.loops.back().src_table = table.data();
          check_kernel("transpose", nest, rows % 64);
          if (columns == 1100) CHECK(chosen(nest) == "transpose");
        }
}

TEST_CASE("transposes of rows that are rolled, alone, beside others and around them") {
  for (const std::int64_t unit : {1, 2, 3, 4, 6, 8, 12, 16})
    for (const std::int64_t rows : {3, 5, 16, 17, 57})
      for (const std::int64_t columns : {8, 33, 130})
        for (const std::int64_t first : {std::int64_t{0}, std::int64_t{1}, rows / 2, rows - 1})
          for (const bool is_forwards : {true, false}) {
            const weft::testing::RolledRows rolled(rows, first, is_forwards);
            const std::int64_t row = columns * unit, group = rows * unit;
            const auto nest = [&](std::int64_t apart, std::int64_t others, std::int64_t dst) {
              Nest made =
                  nest_of_loops(unit, {{others, dst, group}, {columns, unit, others * group}});
              made.element = unit;
              made.loops.insert(made.loops.begin() + (dst > apart ? 1 : 0), rolled.loop(apart));
              return made;
            };
            check_kernel("transpose", nest(row, 4, rows * row), first % 3);   // one behind another
            check_kernel("transpose", nest(4 * row + 8, 4, row), first % 3);  // apart
            check_kernel("transpose", nest(row + 64, 4, rows * (row + 64)), 0);  // in gaps
          }
}

TEST_CASE("rows by a table that are not rolled are not turned") {
  std::vector<std::int64_t> table = weft::testing::RolledRows(16, 5, true).table;
  const auto kernel = [&] {
    Nest nest = nest_of_loops(4, {{16, 4000, 0}, {1000, 4, 64}});
    nest.element = 4;
    nest.loops[0].src_table = table.data();
    return chosen(nest);
  };
  CHECK(kernel() == "transpose");
  std::swap(table[3], table[4]);
  CHECK(kernel() != "transpose");
  std::swap(table[3], table[4]);
  table[10] = table[9];
  CHECK(kernel() != "transpose");
  table[10] = 16;
  CHECK(kernel() != "transpose");
}

TEST_CASE("transposes whose rows and columns go on over several loops") {
  for (const std::int64_t unit : {1, 2, 4, 8, 12, 16})
    for (const std::int64_t a : {1, 3, 5})
      for (const std::int64_t b : {2, 7})
        for (const std::int64_t c : {1, 4})
          for (const std::int64_t d : {3, 9}) {
            // src [b, a, d, c] to dst [d, c, b, a] with gaps: columns over a and b, rows over c and
            // d.
            const std::int64_t row = c * unit, plane = d * row + 8, line = a * b * unit + 5;
            check_kernel("transpose",
                         nest_of_loops(unit, {{d, c * line + 3, row},
                                              {c, line, unit},
                                              {b, a * unit, a * plane + 11},
                                              {a, unit, plane}}),
                         3);
          }
}

TEST_CASE("rows that go on backwards in another loop are rows together") {
  for (const std::int64_t unit : {1, 2, 3, 4, 8})
    for (const std::int64_t a : {2, 5, 17})
      for (const std::int64_t b : {3, 8})
        for (const std::int64_t columns : {9, 70})
          for (const std::int64_t near : {1, -1})
            for (const std::int64_t far : {1, -1}) {
              const std::int64_t row = columns * unit + 5;
              const Nest nest = nest_of_loops(unit, {{a, b * row, far * b * unit},
                                                     {b, row, near * unit},
                                                     {columns, unit, a * b * unit}});
              check_kernel("transpose", nest, a);
              if (columns == 9 && a == 17) check_kernel("few_columns", nest, b);
            }
}

TEST_CASE("pixels of three channels are turned as words are: few rows, many, up, down and ragged") {
  for (const std::int64_t unit : {3, 6})
    for (std::int64_t rows : {1, 2, 3, 4, 5, 6, 7, 8, 21, 22, 43, 64, 65, 200})
      for (std::int64_t columns : {1, 3, 4, 7, 8, 15, 16, 17, 31, 64, 170})
        for (const std::int64_t down : {1, -1})
          for (const std::int64_t gap : {0, 1})
            check_kernel("transpose",
                         nest_of_loops(unit, {{rows, columns * unit + gap, down * unit},
                                              {columns, unit, rows * unit + 1 + gap}}),
                         rows % 5);
}

TEST_CASE("few rows of many columns, and few columns of many rows") {
  for (const std::int64_t unit : {1, 2, 4, 8})
    for (const std::int64_t few : {2, 3, 5, 7, 8, 9, 15, 16, 17})
      for (const std::int64_t many : {63, 65, 1100})
        for (const std::int64_t beside : {0, 1, 7})
          for (const std::int64_t sign : {1, -1}) {
            const std::int64_t apart = (few + beside) * unit * sign;
            check_kernel("transpose", nest_of_loops(unit, {{few, (many + beside) * unit, unit},
                                                           {many, unit, apart}}));
            check_kernel("transpose",
                         nest_of_loops(unit, {{many, few * unit, sign * unit},
                                              {few, unit, (many + beside) * unit}}),
                         beside);
          }
}

TEST_CASE("large transposes take blocks, small and narrow ones and those of odd units none") {
  CHECK(chosen(nest_of_loops(4, {{32, 256, 4}, {64, 4, 128}})) == "transpose");
  CHECK(chosen(nest_of_loops(4, {{32, 256, -4}, {64, 4, 128}})) == "transpose");
  CHECK(chosen(nest_of_loops(4, {{32, 64, 4}, {16, 4, 128}})) == "few_columns");
  CHECK(chosen(nest_of_loops(4, {{3, 4000, 4}, {1000, 4, 72}})) == "transpose");
  CHECK(chosen(nest_of_loops(4, {{2, 4000, 4}, {1000, 4, 72}})) == "strided");
  CHECK(chosen(nest_of_loops(3, {{30, 90, -3}, {30, 3, 90}})) == "transpose");
  CHECK(chosen(nest_of_loops(6, {{30, 180, 6}, {30, 6, 180}})) == "transpose");
  CHECK(chosen(nest_of_loops(5, {{30, 150, 5}, {30, 5, 150}})) == "strided");
  CHECK(chosen(nest_of_loops(12, {{30, 360, -12}, {30, 12, 360}})) == "strided");
}

TEST_CASE("a transpose wants few rows at once, and its rows cut late") {
  const auto cutting = [](const Nest& nest) { return *cutting_of(nest); };
  const Cutting tall = cutting(nest_of_loops(4, {{9, 90, 1}, {5000, 4000, 4}, {1000, 4, 20000}}));
  CHECK(tall.first == 1);
  CHECK(tall.steps == 1024);
  CHECK(tall.late == 2);
  CHECK(cutting(nest_of_loops(4, {{500, 4000, 4}, {1000, 4, 20000}})).first == Cutting::none);
}

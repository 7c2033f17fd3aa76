// SPDX-License-Identifier: Apache-2.0
// The interleave kernel: two to four channels put together, of one source or of one each.
#include <doctest/doctest.h>

#include "support/nests.h"

using namespace weft;
using weft::testing::check_kernel;
using weft::testing::chosen;
using weft::testing::nest_of_loops;
using weft::testing::on_every_target;

TEST_CASE("channels put together, two to four of every vector unit") {
  for (const std::int64_t unit : {1, 2, 4, 8})
    for (const std::int64_t channels : {2, 3, 4})
      for (std::int64_t count = 1; count <= 1025; count += count < 132 ? 1 : 297)
        for (const std::int64_t shift : {0, 1, 64}) {
          const std::int64_t plane = count * unit + 24;
          for (const std::int64_t step : {unit, -unit})
            check_kernel(
                "interleave",
                nest_of_loops(unit, {{count, channels * unit, step}, {channels, unit, plane}}),
                shift);
        }
}

TEST_CASE("units that are repeated are channels of one plane") {
  for (const std::int64_t unit : {1, 2, 4, 8})
    for (const std::int64_t times : {2, 3, 4})
      for (const std::int64_t count : {1, 2, 15, 64, 131, 700})
        for (const std::int64_t step : {unit, -unit})
          check_kernel("interleave",
                       nest_of_loops(unit, {{count, times * unit, step}, {times, unit, 0}}), 1);
  // Where lines are permuted, they make units like these sooner.
  on_every_target([] {
    CHECK((permutes_lines() ||
           chosen(nest_of_loops(1, {{25, 62, -31}, {25, 2, 1}, {2, 1, 0}})) == "interleave"));
  });
  CHECK(chosen(nest_of_loops(4, {{9, 200, 40}, {10, 20, 4}, {5, 4, 0}})) != "interleave");
}

TEST_CASE("pixels that follow one another are put together") {
  CHECK(chosen(nest_of_loops(2, {{100, 6, 2}, {3, 2, 200}})) == "interleave");
  CHECK(chosen(nest_of_loops(2, {{100, 6, -2}, {3, 2, 200}})) == "interleave");
  CHECK(chosen(nest_of_loops(2, {{100, 10, 2}, {5, 2, 200}})) == "few_columns");
  CHECK(chosen(nest_of_loops(2, {{100, 8, 2}, {3, 2, 200}})) == "few_columns");
}

TEST_CASE("channels of a source each put together") {
  for (const std::int64_t unit : {1, 2, 4, 8})
    for (const std::size_t channels : {3, 4})
      for (std::int64_t count = 1; count <= 1025; count += count < 132 ? 1 : 297) {
        const auto row = static_cast<std::int64_t>(channels) * unit;
        Nest nest =
            nest_of_loops(unit, {{2, count * row + 5, -count * unit - 3}, {count, row, unit}});
        nest.sources = channels;
        check_kernel("interleave", nest, count % 3);
        if (count >= 16) CHECK(chosen(nest) == "interleave");
      }
}

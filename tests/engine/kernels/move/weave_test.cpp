// SPDX-License-Identifier: Apache-2.0
// The weave kernel: the units of two sources in turn.
#include <doctest/doctest.h>

#include "support/nests.h"

using namespace weft;
using weft::testing::check_kernel;
using weft::testing::chosen;
using weft::testing::without_lines;

namespace {

/// Rows of `count` pairs, strides of the sources in units.
Nest pairs(std::int64_t unit, std::int64_t rows, std::int64_t count, std::int64_t a, std::int64_t b,
           std::int64_t gap = 1) {
  const std::int64_t row = 2 * count * unit;
  Nest nest;
  nest.unit = unit;
  nest.sources = 2;
  if (rows > 1)
    nest.loops.push_back({rows, row + gap * unit, {a * count * unit, b * count * unit}});
  nest.loops.push_back({count, 2 * unit, {a * unit, b * unit}});
  nest.of[1].memory = 1;
  nest.of[1].dst = unit;
  return nest;
}

}  // namespace

TEST_CASE("weaves of every count and source stride") {
  for (const std::int64_t unit : {1, 2, 3, 4, 8, 12, 16})
    for (const std::int64_t a : {1, 2, 3})
      for (const std::int64_t b : {1, 2, 4})
        for (std::int64_t count = 1; count <= 132; count += count < 70 ? 1 : 7)
          check_kernel("weave", pairs(unit, 2, count, a, b));
}

TEST_CASE("weaves of units of sizes that no word has, from sources that go up, down and nowhere") {
  for (const std::int64_t unit : {3, 5, 6, 7, 9, 12, 20})
    for (const std::int64_t a : {-2, -1, 0, 1})
      for (const std::int64_t b : {-1, 0, 3})
        for (const std::int64_t count : {1, 2, 3, 40})
          check_kernel("weave", pairs(unit, 2, count, a, b));
}

TEST_CASE("weaves that start anywhere in a line") {
  for (const std::int64_t unit : {1, 2, 4, 8, 6})
    for (const std::int64_t a : {1, 2})
      for (const std::int64_t b : {1, 2})
        for (std::int64_t shift = 0; shift < 64; ++shift)
          for (const std::int64_t count : {1, 63, 130})
            check_kernel("weave", pairs(unit, 1, count, a, b), shift);
}

TEST_CASE("weaves longer than what is put together at once") {
  for (const std::int64_t unit : {3, 12, 100})
    check_kernel("weave", pairs(unit, 2, 9000 / unit, 3, 1), 8);
}

TEST_CASE("weaves within further loops") {
  for (const std::int64_t unit : {2, 3}) {
    Nest nest = pairs(unit, 3, 20, 1, 2);
    nest.loops.insert(nest.loops.begin(), {2, 130 * unit, {90 * unit, 0}});
    check_kernel("weave", nest);
  }
}

TEST_CASE("units of two sources side by side are woven") {
  without_lines([] {
    CHECK(chosen(pairs(4, 2, 50, 1, 2)) == "weave");
    CHECK(chosen(pairs(4, 2, 50, 3, 2)) == "weave");
  });
  CHECK(chosen(pairs(128, 2, 50, 1, 2)) == "none");
  Nest apart = pairs(4, 2, 50, 1, 2);
  apart.of[1].dst = 8;
  CHECK(chosen(apart) == "none");
}

// SPDX-License-Identifier: Apache-2.0
// The run kernel: copies of runs.
#include <algorithm>
#include <doctest/doctest.h>
#include <vector>

#include <weft/engine/kernels/kernel.h>

#include "support/nests.h"

using namespace weft;
using weft::testing::check_kernel;
using weft::testing::chosen;
using weft::testing::nest_of_loops;

TEST_CASE("runs of every length and misalignment") {
  for (std::int64_t unit = 1; unit <= 140; ++unit)
    for (std::int64_t shift = 0; shift < 4; ++shift)
      check_kernel(
          "run",
          nest_of_loops(unit, {{2, 9 * unit + 5, 7 * unit + 3}, {3, 2 * unit + 11, 2 * unit + 7}}),
          shift);
  for (const std::int64_t unit : {255, 256, 700, 1023, 1024, 1500})
    check_kernel(
        "run",
        nest_of_loops(unit, {{2, 9 * unit + 5, 7 * unit + 3}, {3, 2 * unit + 11, 2 * unit + 7}}),
        1);
}

TEST_CASE("a single run of every length, and of several pages") {
  for (std::int64_t unit = 1; unit <= 300; ++unit)
    for (const std::int64_t shift : {0, 1, 63}) check_kernel("run", nest_of_loops(unit, {}), shift);
  for (const std::int64_t unit : {16384, 16385, 40000})
    check_kernel("run", nest_of_loops(unit, {}), 5);
}

TEST_CASE("a long run, its output up to a line behind its source and before it") {
  for (const std::int64_t bytes : {1024, 1087, 2500, 70000}) {
    std::vector<std::byte> from(static_cast<std::size_t>(bytes) + 4096 + 128);
    for (std::size_t k = 0; k < from.size(); ++k) from[k] = static_cast<std::byte>(k * 167 % 253);
    std::vector<std::byte> to(from.size());
    for (std::size_t src = 64; src < 128; src += 21)
      for (std::size_t dst = 0; dst < 4096 + 128; dst += dst == 128 ? 4096 - 128 : 1) {
        std::fill(to.begin(), to.end(), std::byte{});
        copy_run(to.data() + dst, from.data() + src, bytes, false);
        const auto at = to.begin() + static_cast<std::ptrdiff_t>(dst);
        REQUIRE(std::equal(at, at + bytes, from.begin() + static_cast<std::ptrdiff_t>(src)));
        REQUIRE(std::count(to.begin(), at, std::byte{}) == at - to.begin());
        REQUIRE(std::count(at + bytes, to.end(), std::byte{}) == to.end() - at - bytes);
      }
  }
}

TEST_CASE("runs that follow one another in the output, with and without gaps in the source") {
  for (const std::int64_t unit : {1, 3, 64, 100, 128, 200, 1000, 1024, 1100})
    for (const std::int64_t count : {1, 2, 9, 90})
      for (const std::int64_t src : {unit + 7, -unit, unit})
        check_kernel("run", nest_of_loops(unit, {{2, count * unit + 3, 5}, {count, unit, src}}), 2);
}

TEST_CASE("what is one run, and units of many bytes, are runs") {
  CHECK(chosen(nest_of_loops(5, {})) == "run");
  CHECK(chosen(nest_of_loops(128, {{9, 128, 200}})) == "run");
  CHECK(chosen(nest_of_loops(128, {{9, 200, 128}})) == "run");
  CHECK(chosen(nest_of_loops(127, {{9, 200, 127}})) == "strided");
}

TEST_CASE("runs whose ends share lines are not streamed, unless they are long") {
  const auto streams = [](std::int64_t bytes, std::int64_t apart) {
    Nest nest = nest_of_loops(bytes, {{1000, apart, bytes}});
    Bound bound;
    REQUIRE(weft::testing::bind_named("run", nest, {.streams = true}, bound));
    return bound.streams();
  };
  CHECK(streams(448, 448));
  CHECK_FALSE(streams(448, 548));
  CHECK(streams(448, 752));
  CHECK(streams(448, 512));
  CHECK(streams(520, 620));
  CHECK_FALSE(streams(144, 152));
  CHECK(streams(256, 512));
}

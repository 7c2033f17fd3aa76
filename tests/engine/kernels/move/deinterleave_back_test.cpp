// SPDX-License-Identifier: Apache-2.0
// The deinterleave_back kernel: two to four channels taken apart, from the last pixel to the first.
#include <doctest/doctest.h>

#include <weft/testing/check.h>
#include <weft/weft.h>

#include "support/nests.h"

using namespace weft;
using weft::testing::check_kernel;
using weft::testing::chosen;
using weft::testing::nest_of_loops;

TEST_CASE("channels taken apart backwards, two to four of every vector unit") {
  for (const std::int64_t unit : {1, 2, 4, 8})
    for (const std::int64_t channels : {2, 3, 4})
      for (std::int64_t count = 1; count <= 1025; count += count < 132 ? 1 : 297)
        for (const std::int64_t shift : {0, 1, 64}) {
          const std::int64_t plane = count * unit + 24;
          check_kernel(
              "deinterleave_back",
              nest_of_loops(unit, {{channels, plane, unit}, {count, unit, -channels * unit}}),
              shift);
        }
}

TEST_CASE("pixels that are turned round are taken apart in one go, their channels either way") {
  for (const std::int64_t back : {2, -2}) {
    const Nest nest = nest_of_loops(2, {{3, 200, back}, {100, 2, -6}});
    check_kernel("deinterleave_back", nest);
    CHECK(chosen(nest) == "deinterleave_back");
  }
  CHECK(chosen(nest_of_loops(4, {{5, 800, 4}, {200, 4, -20}})) == "transpose");
}

TEST_CASE("flipped images, channels first, have the elements they must") {
  for (const std::int64_t rows : {7, 300, 1200})
    for (const DType dtype : {u8, f32}) {
      const Tensor x = weft::testing::leaf(dtype, {rows, 1501, 3});
      CHECK(weft::testing::disagreement(x.flip(1).transpose({2, 0, 1})) == "");
    }
}

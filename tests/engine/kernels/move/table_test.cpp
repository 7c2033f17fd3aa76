// SPDX-License-Identifier: Apache-2.0
// The table kernel: steps from arrays.
#include <doctest/doctest.h>

#include "support/nests.h"

using namespace weft;
using weft::testing::check_kernel;
using weft::testing::chosen;
using weft::testing::nest_of_loops;
using weft::testing::units_of_all_kinds;

TEST_CASE("tables on either side, or on both") {
  const std::vector<std::int64_t> in{7, 0, 3, 3, 12, 1}, out{0, 2, 3, 7, 8, 15};
  for (const std::int64_t elements : {1, 2, 5})
    for (const std::int64_t element : units_of_all_kinds)
      for (const bool has_in : {false, true})
        for (const bool has_out : {false, true}) {
          if (!has_in && !has_out) continue;
          const std::int64_t unit = elements * element;
          Nest nest = nest_of_loops(unit, {{2, 90 * unit, 40 * unit}, {6, unit, unit}});
          nest.element = element;
          if (has_in) nest.loops[1].src_table = in.data();
          // Units of several elements would lie over one another.
          const std::vector<std::int64_t> apart{0, 5, 10, 20, 30, 45};
          if (has_out) nest.loops[1].dst_table = elements == 1 ? out.data() : apart.data();
          check_kernel("table", nest, 1);
          CHECK(chosen(nest) == "table");
        }
}

TEST_CASE("tables lie around other kernels too") {
  const std::vector<std::int64_t> in{7, 0, 3, 3, 12, 1};
  Nest nest = nest_of_loops(4, {{6, 400, 0}, {40, 4, -4}});
  nest.element = 4;
  nest.loops[0].src_table = in.data();
  check_kernel("reverse", nest);
  CHECK(chosen(nest) == "reverse");
}

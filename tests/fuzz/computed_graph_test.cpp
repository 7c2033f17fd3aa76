// SPDX-License-Identifier: Apache-2.0
// Random graphs of computing and moving have the same bits however they are evaluated.
#include <doctest/doctest.h>

#include "support/computed_graph.h"

namespace weft::testing {

TEST_CASE("random graphs of mixed types are the same fused, op by op and with stores") {
  for (std::uint64_t seed = 1; seed <= 10000; ++seed) {
    const std::string why = disagreement_of_computed(seed);
    INFO("seed ", seed, "\n", why.empty() ? why : computed_graph_text(seed));
    REQUIRE(why == "");
  }
}

}  // namespace weft::testing

// SPDX-License-Identifier: Apache-2.0
// Rolls.
#include "tasks.h"

namespace weft::bench {

std::vector<Workload> roll_workloads() {
  const auto square = [] { return Inputs{iota<float>({4096, 4096})}; };
  return {
      {"W1", "roll [4096, 4096] by [1000, -700]", square,
       [](Inputs& in) {
         return in[0].roll({1000, -700}, {0, 1});
       }},
      {"W11", "roll 7 and back on [4096, 4096], transposed twice", square,
       [](Inputs& in) { return in[0].roll(7, 1).roll(-7, 1).transpose().transpose(); },
       Manner::returned},
  };
}

}  // namespace weft::bench

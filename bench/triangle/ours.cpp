// SPDX-License-Identifier: Apache-2.0
// G7: the lower triangle.
#include "tasks.h"

namespace weft::bench {

std::vector<Workload> triangle_workloads() {
  return {{"G7", "tril of [4096, 4096]",
           [] {
             return Inputs{iota<float>({4096, 4096})};
           },
           [](Inputs& in) { return in[0].tril(); }}};
}

}  // namespace weft::bench

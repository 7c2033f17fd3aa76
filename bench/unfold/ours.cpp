// SPDX-License-Identifier: Apache-2.0
// G6: windows that overlap.
#include "tasks.h"

namespace weft::bench {

std::vector<Workload> unfold_workloads() {
  return {{"G6", "unfold of [4096, 4096], windows of 16, step 4",
           [] {
             return Inputs{iota<float>({4096, 4096})};
           },
           [](Inputs& in) { return in[0].unfold(1, 16, 4); }}};
}

}  // namespace weft::bench

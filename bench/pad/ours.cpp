// SPDX-License-Identifier: Apache-2.0
// A frame round a picture, rolled and transposed.
#include "tasks.h"

namespace weft::bench {

std::vector<Workload> pad_workloads() {
  return {{"W14", "[3968, 3968] padded by 64 with 1.5, rolled by [1000, -700], transposed",
           [] {
             return Inputs{iota<float>({3968, 3968})};
           },
           [](Inputs& in) {
             return in[0].pad(64, 64, 1.5).roll({1000, -700}, {0, 1}).transpose();
           }}};
}

}  // namespace weft::bench

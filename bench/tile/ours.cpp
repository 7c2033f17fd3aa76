// SPDX-License-Identifier: Apache-2.0
// Tiles: of a square, of short rows, of three elements.
#include "tasks.h"

namespace weft::bench {

std::vector<Workload> tile_workloads() {
  return {
      {"W5", "tile [1024, 1024] by [4, 4]",
       [] {
         return Inputs{iota<float>({1024, 1024})};
       },
       [](Inputs& in) {
         return in[0].tile({4, 4});
       }},
      {"W5b", "tile [64, 3] by [4096, 1]",
       [] {
         return Inputs{iota<float>({64, 3})};
       },
       [](Inputs& in) {
         return in[0].tile({4096, 1});
       }},
      {"W5c", "tile [3] by [2^24]", [] { return Inputs{iota<float>({3})}; },
       [](Inputs& in) { return in[0].tile({1 << 24}); }},
  };
}

}  // namespace weft::bench

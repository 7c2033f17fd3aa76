// Depth to space: blocks of 4 x 4 channels become pixels.
#include "tasks.h"

namespace weft::bench {

std::vector<Workload> depth_to_space_workloads() {
  return {{"W12", "depth to space by 4 of [8, 256, 64, 64]",
           [] {
             return Inputs{iota<float>({8, 256, 64, 64})};
           },
           [](Inputs& in) {
             return in[0]
                 .reshape({8, 16, 4, 4, 64, 64})
                 .transpose({0, 1, 4, 2, 5, 3})
                 .reshape({8, 16, 256, 256});
           }}};
}

}  // namespace weft::bench

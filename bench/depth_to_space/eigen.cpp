// SPDX-License-Identifier: Apache-2.0
// Depth to space by Eigen: a shuffle between reshapes.
#include "eigen_rival.h"
#include "tasks.h"

namespace weft::bench {

std::vector<Rival> depth_to_space_eigen() {
  return {by_eigen("W12", [](const Inputs& in, std::byte* out) {
    const EigenIn<float, 6> x(in[0].data<float>(), 8, 16, 4, 4, 64, 64);
    eigen_out<float, 6>(out, {8, 16, 64, 4, 64, 4}).device(two_threads()) =
        x.shuffle(Sizes<6>{0, 1, 4, 2, 5, 3});
  })};
}

}  // namespace weft::bench

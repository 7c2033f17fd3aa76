// SPDX-License-Identifier: Apache-2.0
// Transposed squares one below another by Eigen: a shuffle into a slice, eight times.
#include "eigen_rival.h"
#include "tasks.h"

namespace weft::bench {

std::vector<Rival> concat_eigen() {
  constexpr Index n = 512;
  return {by_eigen("W15", [](const Inputs& in, std::byte* out) {
    auto y = eigen_out<float, 2>(out, {8 * n, n});
    for (Index k = 0; k < 8; ++k)
      y.slice(Sizes<2>{k * n, 0}, Sizes<2>{n, n}).device(two_threads()) =
          eigen_in<float, 2>(in[static_cast<std::size_t>(k)]).shuffle(Sizes<2>{1, 0});
  })};
}

}  // namespace weft::bench

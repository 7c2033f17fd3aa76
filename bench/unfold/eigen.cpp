// SPDX-License-Identifier: Apache-2.0
// Windows that overlap by Eigen: a strided slice for each place in a window.
#include "eigen_rival.h"
#include "tasks.h"

namespace weft::bench {

std::vector<Rival> unfold_eigen() {
  constexpr Index n = 4096, width = 16, step = 4, windows = (n - width) / step + 1;
  return {by_eigen("G6", [](const Inputs& in, std::byte* out) {
    auto y = eigen_out<float, 3>(out, {n, windows, width});
    const EigenIn<float, 2> x = eigen_in<float, 2>(in[0]);
    for (Index k = 0; k < width; ++k)
      y.chip(k, 2).device(two_threads()) = x.stridedSlice(
          Sizes<2>{0, k}, Sizes<2>{n, k + step * (windows - 1) + 1}, Sizes<2>{1, step});
  })};
}

}  // namespace weft::bench

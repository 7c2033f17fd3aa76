// SPDX-License-Identifier: Apache-2.0
// A roll by Eigen: four slices.
#include "eigen_rival.h"
#include "tasks.h"

namespace weft::bench {

std::vector<Rival> roll_eigen() {
  return {by_eigen("W1", [](const Inputs& in, std::byte* out) {
    constexpr Index n = 4096, a = 1000, b = n - 700;
    const auto x = eigen_in<float, 2>(in[0]);
    auto y = eigen_out<float, 2>(out, {n, n});
    using At = Sizes<2>;
    const auto part = [&](At to, At from, At size) {
      y.slice(to, size).device(two_threads()) = x.slice(from, size);
    };
    part({a, b}, {0, 0}, {n - a, n - b});
    part({a, 0}, {0, n - b}, {n - a, b});
    part({0, b}, {n - a, 0}, {a, n - b});
    part({0, 0}, {n - a, n - b}, {a, b});
  })};
}

}  // namespace weft::bench

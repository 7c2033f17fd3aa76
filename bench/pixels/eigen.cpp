// SPDX-License-Identifier: Apache-2.0
// Pixels by Eigen: reversals and broadcasts.
#include "eigen_rival.h"
#include "tasks.h"

namespace weft::bench {
namespace {

Rival reversed(const char* workload, int axis) {
  return by_eigen(workload, [axis](const Inputs& in, std::byte* out) {
    auto y = eigen_out<std::uint8_t, 3>(out, {2160, 3840, 3});
    Eigen::array<bool, 3> axes{};
    axes[static_cast<std::size_t>(axis)] = true;
    y.device(two_threads()) = eigen_in<std::uint8_t, 3>(in[0]).reverse(axes);
  });
}

}  // namespace

std::vector<Rival> pixels_eigen() {
  return {reversed("G8", 2), reversed("G8.rows", 1),
          by_eigen("G9", [](const Inputs& in, std::byte* out) {
            constexpr Index n = 4096;
            auto y = eigen_out<float, 3>(out, {n, n, 2});
            y.device(two_threads()) =
                eigen_in<float, 2>(in[0]).reshape(Sizes<3>{n, n, 1}).broadcast(Sizes<3>{1, 1, 2});
          })};
}

}  // namespace weft::bench

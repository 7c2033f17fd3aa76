// SPDX-License-Identifier: Apache-2.0
// A roll by xtensor, an axis after the other.
#include "tasks.h"
#include "xtensor_rival.h"

namespace weft::bench {

std::vector<Rival> roll_xtensor() {
  return {by_xtensor("W1", [](const Inputs& in, std::byte* out) {
    auto y = xtensor_over(reinterpret_cast<float*>(out), {4096, 4096});
    xt::noalias(y) = xt::roll(xt::roll(xtensor_in<float>(in[0]), 1000, 0), -700, 1);
  })};
}

}  // namespace weft::bench

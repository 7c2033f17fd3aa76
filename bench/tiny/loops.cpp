// SPDX-License-Identifier: Apache-2.0
// Four ops by hand: what is left when nobody plans.
#include "loops.h"
#include "tasks.h"

namespace weft::bench {
namespace {

/// x [2, 3, 4] rolled by 1 on the last axis, which comes first then, twice; every second plane is
/// an update.
void four_ops(const float* x, const float* updates, float* out) {
  for (int i = 0; i < 8; i += 2)
    for (int j = 0; j < 6; ++j) {
      out[i * 6 + j] = updates[i / 2 * 6 + j];
      out[(i + 1) * 6 + j] = x[j * 4 + i % 4];
    }
}

}  // namespace

std::vector<Rival> tiny_loops() {
  return {by_hand2<float>("W13", tuned, four_ops), by_hand2<float>("W13.p", tuned, four_ops)};
}

}  // namespace weft::bench

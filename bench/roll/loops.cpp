// SPDX-License-Identifier: Apache-2.0
// A roll by hand.
#include "loops.h"
#include "tasks.h"

namespace weft::bench {

std::vector<Rival> roll_loops() {
  constexpr std::int64_t n = 4096;
  return {
      by_hand<float>("W1", plain,
                     [](const float* in, float* out) {
                       for (std::int64_t i = 0; i < n; ++i)
                         for (std::int64_t j = 0; j < n; ++j)
                           out[i * n + j] = in[(i - 1000 + n) % n * n + (j + 700) % n];
                     }),
      by_hand<float>("W1", tuned,
                     [](const float* in, float* out) {
                       in_parallel(n, [=](std::int64_t begin, std::int64_t end) {
                         for (std::int64_t i = begin; i < end; ++i)
                           roll_row(out + i * n, in + (i - 1000 + n) % n * n, n, -700);
                       });
                     }),
  };
}

}  // namespace weft::bench

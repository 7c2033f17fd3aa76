// SPDX-License-Identifier: Apache-2.0
// The lower triangle by hand: a copy and a fill a row.
#include "loops.h"
#include "tasks.h"

namespace weft::bench {
namespace {

constexpr std::int64_t n = 4096;

void lower_rows(const float* in, float* out, std::int64_t begin, std::int64_t end) {
  for (std::int64_t i = begin; i < end; ++i) {
    copy_run(out + i * n, in + i * n, i + 1);
    std::fill(out + i * n + i + 1, out + (i + 1) * n, 0.0f);
  }
}

}  // namespace

std::vector<Rival> triangle_loops() {
  return {by_hand<float>("G7", plain,
                         [](const float* in, float* out) {
                           for (std::int64_t i = 0; i < n; ++i)
                             for (std::int64_t j = 0; j < n; ++j)
                               out[i * n + j] = j <= i ? in[i * n + j] : 0.0f;
                         }),
          by_hand<float>("G7", tuned, [](const float* in, float* out) {
            in_parallel(
                n, [=](std::int64_t begin, std::int64_t end) { lower_rows(in, out, begin, end); });
          })};
}

}  // namespace weft::bench

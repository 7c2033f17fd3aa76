// SPDX-License-Identifier: Apache-2.0
// Windows that overlap, by hand: a cache line each.
#include "loops.h"
#include "tasks.h"

namespace weft::bench {
namespace {

constexpr std::int64_t n = 4096, width = 16, step = 4, windows = (n - width) / step + 1;

void unfold_rows(const float* in, float* out, std::int64_t begin, std::int64_t end) {
  for (std::int64_t i = begin; i < end; ++i)
    for (std::int64_t w = 0; w < windows; ++w)
      copy_run(out + (i * windows + w) * width, in + i * n + w * step, width);
}

}  // namespace

std::vector<Rival> unfold_loops() {
  return {
      by_hand<float>("G6", plain, [](const float* in, float* out) { unfold_rows(in, out, 0, n); }),
      by_hand<float>("G6", tuned, [](const float* in, float* out) {
        in_parallel(
            n, [=](std::int64_t begin, std::int64_t end) { unfold_rows(in, out, begin, end); });
      })};
}

}  // namespace weft::bench

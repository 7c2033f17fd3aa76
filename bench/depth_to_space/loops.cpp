// SPDX-License-Identifier: Apache-2.0
// Depth to space by hand: four rows of the input, zipped.
#include "loops.h"
#include "tasks.h"

namespace weft::bench {
namespace {

constexpr std::int64_t n = 64, block = 4;

/// Row `row` of [8 x 16, 64, 4] rows of 256.
void zip_rows(const float* in, float* out, std::int64_t begin, std::int64_t end) {
  for (std::int64_t row = begin; row < end; ++row) {
    const std::int64_t map = row / (n * block), h = row / block % n, i = row % block;
    const float* const from = in + ((map * block + i) * block * n + h) * n;
    float* const to = out + row * n * block;
    for (std::int64_t w = 0; w < n; ++w)
      for (std::int64_t j = 0; j < block; ++j) to[w * block + j] = from[j * n * n + w];
  }
}

}  // namespace

std::vector<Rival> depth_to_space_loops() {
  constexpr std::int64_t rows = 8 * 16 * n * block;
  return {by_hand<float>(
              "W12", plain,
              [](const float* in, float* out) {
                for (std::int64_t map = 0; map < 8 * 16; ++map)
                  for (std::int64_t y = 0; y < n * block; ++y)
                    for (std::int64_t x = 0; x < n * block; ++x)
                      *out++ =
                          in[(((map * block + y % block) * block + x % block) * n + y / block) * n +
                             x / block];
              }),
          by_hand<float>("W12", tuned, [](const float* in, float* out) {
            in_parallel(
                rows, [=](std::int64_t begin, std::int64_t end) { zip_rows(in, out, begin, end); });
          })};
}

}  // namespace weft::bench

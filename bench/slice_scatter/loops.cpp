// SPDX-License-Identifier: Apache-2.0
// Slices replaced by hand.
#include "loops.h"
#include "tasks.h"

namespace weft::bench {
namespace {

constexpr std::int64_t n = 4096;

/// Every second element of an even row from the updates.
void blend_rows(const float* data, const float* updates, float* out, std::int64_t begin,
                std::int64_t end) {
  for (std::int64_t i = begin; i < end; ++i) {
    if (i % 2 == 1) {
      copy_run(out + i * n, data + i * n, n);
      continue;
    }
    for (std::int64_t j = 0; j < n; j += 2) {
      out[i * n + j] = updates[i / 2 * (n / 2) + j / 2];
      out[i * n + j + 1] = data[i * n + j + 1];
    }
  }
}

void reverse_rows(const float* updates, float* out, std::int64_t begin, std::int64_t end) {
  for (std::int64_t i = begin; i < end; ++i)
    std::reverse_copy(updates + (n - 1 - i) * n, updates + (n - i) * n, out + i * n);
}

constexpr std::int64_t heads = 8 * 32, steps = 4096, width = 128;

void replace_step(const std::uint16_t* cache, const std::uint16_t* step, std::uint16_t* out,
                  std::int64_t begin, std::int64_t end) {
  const std::int64_t head = steps * width;
  copy_run(out + begin * head, cache + begin * head, (end - begin) * head);
  for (std::int64_t i = begin; i < end; ++i)
    copy_run(out + i * head + 777 * width, step + i * width, width);
}

}  // namespace

std::vector<Rival> slice_scatter_loops() {
  return {
      by_hand2<float>("W6", plain,
                      [](const float* data, const float* updates, float* out) {
                        std::copy(data, data + n * n, out);
                        for (std::int64_t i = 0; i < n; i += 2)
                          for (std::int64_t j = 0; j < n; j += 2)
                            out[i * n + j] = updates[i / 2 * (n / 2) + j / 2];
                      }),
      by_hand2<float>("W6", tuned,
                      [](const float* data, const float* updates, float* out) {
                        in_parallel(n, [=](std::int64_t begin, std::int64_t end) {
                          blend_rows(data, updates, out, begin, end);
                        });
                      }),
      by_hand2<float>("W6b", plain,
                      [](const float*, const float* updates, float* out) {
                        for (std::int64_t i = 0; i < n; ++i)
                          for (std::int64_t j = 0; j < n; ++j)
                            out[i * n + j] = updates[(n - 1 - i) * n + n - 1 - j];
                      }),
      by_hand2<float>("W6b", tuned,
                      [](const float*, const float* updates, float* out) {
                        in_parallel(n, [=](std::int64_t begin, std::int64_t end) {
                          reverse_rows(updates, out, begin, end);
                        });
                      }),
      by_hand2<std::uint16_t>("W7", plain,
                              [](const std::uint16_t* cache, const std::uint16_t* step,
                                 std::uint16_t* out) { replace_step(cache, step, out, 0, heads); }),
      by_hand2<std::uint16_t>(
          "W7", tuned,
          [](const std::uint16_t* cache, const std::uint16_t* step, std::uint16_t* out) {
            // One long copy a thread: long ones stream.
            tbb::parallel_for(0, 2, [=](int side) {
              replace_step(cache, step, out, side * heads / 2, (side + 1) * heads / 2);
            });
          }),
  };
}

}  // namespace weft::bench

// SPDX-License-Identifier: Apache-2.0
// Windows by hand: rows of seven pixels, in one piece or in two.
#include "loops.h"
#include "tasks.h"

namespace weft::bench {
namespace {

constexpr std::int64_t side = 56, window = 7, channels = 96, rows = 8 * side;

/// A row of a picture and of the eight windows that it runs through: where its pixels go.
template <class Move>
void each_pixel_run(std::int64_t row, const Move& move) {
  const std::int64_t picture = row / side, y = row % side;
  const std::int64_t from = (picture * side + (y + 3) % side) * side;
  for (std::int64_t w = 0; w < side / window; ++w) {
    const std::int64_t to =
        ((picture * 8 + y / window) * 8 + w) * window * window + y % window * window;
    const std::int64_t x = (w * window + 3) % side;
    const std::int64_t first = std::min(window, side - x);
    move(to * channels, (from + x) * channels, first * channels);
    if (first < window) move((to + first) * channels, from * channels, (window - first) * channels);
  }
}

void partition(const float* in, float* out, std::int64_t begin, std::int64_t end) {
  for (std::int64_t row = begin; row < end; ++row)
    each_pixel_run(row, [&](std::int64_t to, std::int64_t from, std::int64_t count) {
      copy_run(out + to, in + from, count);
    });
}

void back(const float* in, float* out, std::int64_t begin, std::int64_t end) {
  for (std::int64_t row = begin; row < end; ++row)
    each_pixel_run(row, [&](std::int64_t to, std::int64_t from, std::int64_t count) {
      copy_run(out + from, in + to, count);
    });
}

/// An element at a time, as the index of a pixel of the windows in the picture.
template <class Move>
void each_element(const Move& move) {
  for (std::int64_t w = 0; w < 512; ++w)
    for (std::int64_t p = 0; p < window * window; ++p) {
      const std::int64_t y = (w / 8 % 8 * window + p / window + 3) % side;
      const std::int64_t x = (w % 8 * window + p % window + 3) % side;
      for (std::int64_t c = 0; c < channels; ++c)
        move((w * window * window + p) * channels + c,
             ((w / 64 * side + y) * side + x) * channels + c);
    }
}

}  // namespace

std::vector<Rival> window_partition_loops() {
  return {
      by_hand<float>("W8", plain,
                     [](const float* in, float* out) {
                       each_element([=](std::int64_t a, std::int64_t b) { out[a] = in[b]; });
                     }),
      by_hand<float>("W8", tuned,
                     [](const float* in, float* out) {
                       in_parallel(rows, [=](std::int64_t begin, std::int64_t end) {
                         partition(in, out, begin, end);
                       });
                     }),
      by_hand<float>("W8i", plain,
                     [](const float* in, float* out) {
                       each_element([=](std::int64_t a, std::int64_t b) { out[b] = in[a]; });
                     }),
      by_hand<float>("W8i", tuned,
                     [](const float* in, float* out) {
                       in_parallel(rows, [=](std::int64_t begin, std::int64_t end) {
                         back(in, out, begin, end);
                       });
                     }),
  };
}

}  // namespace weft::bench

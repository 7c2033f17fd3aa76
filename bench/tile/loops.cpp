// SPDX-License-Identifier: Apache-2.0
// Tiles by hand.
#include "loops.h"
#include "tasks.h"

namespace weft::bench {
namespace {

/// out[i] = in[i mod unit], i from begin to end (both multiples of unit), by copies that double.
void repeat(const float* in, std::int64_t unit, float* out, std::int64_t begin, std::int64_t end) {
  constexpr std::int64_t most = 4096;  // what is copied from stays in the first cache
  copy_run(out + begin, in, unit);
  std::int64_t made = unit;
  for (std::int64_t at = begin + unit; at < end;) {
    const std::int64_t step = std::min({made, end - at, most / unit * unit});
    copy_run(out + at, out + begin, step);
    at += step;
    made += step;
  }
}

template <std::int64_t unit, std::int64_t count>
void repeat_on_two(const float* in, float* out) {
  tbb::parallel_for(0, 2, [=](int side) {
    repeat(in, unit, out, side * (count / 2) * unit, (side + 1) * (count / 2) * unit);
  });
}

template <std::int64_t unit, std::int64_t count>
void repeat_plainly(const float* in, float* out) {
  for (std::int64_t i = 0; i < count; ++i)
    for (std::int64_t j = 0; j < unit; ++j) out[i * unit + j] = in[j];
}

}  // namespace

std::vector<Rival> tile_loops() {
  constexpr std::int64_t n = 1024, wide = 4 * n;
  return {
      by_hand<float>("W5", plain,
                     [](const float* in, float* out) {
                       for (std::int64_t i = 0; i < wide; ++i)
                         for (std::int64_t j = 0; j < wide; ++j)
                           out[i * wide + j] = in[i % n * n + j % n];
                     }),
      by_hand<float>("W5", tuned,
                     [](const float* in, float* out) {
                       in_parallel(wide, [=](std::int64_t begin, std::int64_t end) {
                         for (std::int64_t i = begin; i < end; ++i)
                           for (std::int64_t j = 0; j < wide; j += n)
                             copy_run(out + i * wide + j, in + i % n * n, n);
                       });
                     }),
      by_hand<float>("W5b", plain, repeat_plainly<64 * 3, 4096>),
      by_hand<float>("W5b", tuned, repeat_on_two<64 * 3, 4096>),
      by_hand<float>("W5c", plain, repeat_plainly<3, 1 << 24>),
      by_hand<float>("W5c", tuned, repeat_on_two<3, 1 << 24>),
  };
}

}  // namespace weft::bench

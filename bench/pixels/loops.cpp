// SPDX-License-Identifier: Apache-2.0
// Pixels by hand: bytes one by one, which the compiler may turn into vectors where the counts are
// known.
#include "loops.h"
#include "tasks.h"

namespace weft::bench {
namespace {

constexpr std::int64_t height = 2160, width = 3840, channels = 3, n = 4096;

void reverse_channels(const std::uint8_t* in, std::uint8_t* out, std::int64_t begin,
                      std::int64_t end) {
  for (std::int64_t pixel = begin * width; pixel < end * width; ++pixel)
    for (std::int64_t c = 0; c < channels; ++c)
      out[pixel * channels + c] = in[pixel * channels + channels - 1 - c];
}

void mirror(const std::uint8_t* in, std::uint8_t* out, std::int64_t begin, std::int64_t end) {
  for (std::int64_t row = begin; row < end; ++row)
    for (std::int64_t x = 0; x < width; ++x)
      for (std::int64_t c = 0; c < channels; ++c)
        out[(row * width + x) * channels + c] = in[(row * width + width - 1 - x) * channels + c];
}

void repeat_twice(const float* in, float* out, std::int64_t begin, std::int64_t end) {
  for (std::int64_t i = begin * n; i < end * n; ++i) out[2 * i] = out[2 * i + 1] = in[i];
}

template <class T, class Body>
void add(const char* workload, std::int64_t rows, const Body& body, std::vector<Rival>& rivals) {
  rivals.push_back(by_hand<T>(workload, plain,
                              [=](const T* in, T* out) { body(in, out, std::int64_t{0}, rows); }));
  rivals.push_back(by_hand<T>(workload, tuned, [=](const T* in, T* out) {
    in_parallel(rows, [=](std::int64_t begin, std::int64_t end) { body(in, out, begin, end); });
  }));
}

}  // namespace

std::vector<Rival> pixels_loops() {
  std::vector<Rival> rivals;
  add<std::uint8_t>("G8", height, reverse_channels, rivals);
  add<std::uint8_t>("G8.rows", height, mirror, rivals);
  add<float>("G9", n, repeat_twice, rivals);
  return rivals;
}

}  // namespace weft::bench

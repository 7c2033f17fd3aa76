// SPDX-License-Identifier: Apache-2.0
// A ring buffer of samples: each step writes one slot in place and reads the last ones in order.
#include <fmt/format.h>

#include <cstdint>
#include <utility>

#include <weft/weft.h>

using weft::Tensor;

namespace {

constexpr std::int64_t capacity = 8, channels = 2, window = 4;

/// Sample number t takes the place of the oldest. The ring is given up, so nothing is copied.
Tensor write(Tensor ring, const Tensor& sample, std::int64_t t) {
  const std::int64_t slot = t % capacity;
  return std::move(ring).slice_scatter(sample, {slot}, {slot + 1}).eval();
}

/// The last samples, the newest at the end: the whole ring is turned, but only the window is read.
Tensor last(const Tensor& ring, std::int64_t t) {
  const std::int64_t newest = t % capacity;
  return ring.roll(-newest - 1, 0).slice({capacity - window}, {capacity});
}

}  // namespace

int main() {
  Tensor ring = weft::full<int>({capacity, channels}, 0).eval();
  const int* const memory = ring.data<int>();
  for (int t = 1; t <= 10; ++t) {
    ring = write(std::move(ring), weft::array({{t, -t}}), t);
    if (t == 3 || t == 10)
      fmt::print("after step {} the ring is\n{}\nand its last {} samples are\n{}\n", t, ring,
                 window, last(ring, t));
  }
  const bool is_same = ring.data<int>() == memory;
  fmt::print("still in the memory it began in: {}\n", is_same ? "yes" : "no");

  // Two boxes where the window wraps around; the bytes are those of the window.
  fmt::print("{}", weft::explain(last(ring, 10)));
  return is_same ? 0 : 1;
}

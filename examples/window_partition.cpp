// SPDX-License-Identifier: Apache-2.0
// The shifted windows of a Swin transformer, and the way back, which costs nothing.
#include <fmt/format.h>

#include <cstdint>

#include <weft/weft.h>

using weft::Tensor;

namespace {

constexpr std::int64_t window = 7, shift = 3;

/// [n, height, width, channels] to [windows, window * window, channels].
Tensor partition(const Tensor& x) {
  const std::int64_t n = x.shape()[0], rows = x.shape()[1] / window,
                     columns = x.shape()[2] / window;
  const std::int64_t channels = x.shape()[3];
  return x.roll({-shift, -shift}, {1, 2})
      .reshape({n, rows, window, columns, window, channels})
      .transpose({0, 1, 3, 2, 4, 5})
      .reshape({-1, window * window, channels});
}

/// The inverse, for pictures of height x width.
Tensor merge(const Tensor& windows, std::int64_t height, std::int64_t width) {
  const std::int64_t channels = windows.shape()[2];
  return windows.reshape({-1, height / window, width / window, window, window, channels})
      .transpose({0, 1, 3, 2, 4, 5})
      .reshape({-1, height, width, channels})
      .roll({shift, shift}, {1, 2});
}

}  // namespace

int main() {
  const Tensor features = weft::iota<float>({8, 56, 56, 96});
  const Tensor windows = partition(features);
  fmt::print("{}", weft::explain(windows));

  const Tensor back = merge(windows, 56, 56);
  fmt::print("{}", weft::explain(back));
  const bool is_same = back.data<float>() == features.data<float>();
  fmt::print("back in the input's own memory: {}\n", is_same ? "yes" : "no");
  return is_same ? 0 : 1;
}

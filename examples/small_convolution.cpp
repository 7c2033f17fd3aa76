// SPDX-License-Identifier: Apache-2.0
// A small convolution, trained: windows by unfold, filters by matmul, gradients by grad. It tells
// images of lying, standing and slanting lines from one another.
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <weft/weft.h>

using weft::Tensor;

namespace {

constexpr std::int64_t images = 240, side = 8, window = 3, filters = 6, kinds = 3;
constexpr int steps = 150;
constexpr double rate = 1.0;
// Of the last step, as small_convolution.py has it.
constexpr double known_loss = 0.094574;

class Random {
 public:
  /// From -1 to 1.
  float operator()() {
    state_ = state_ * 1664525u + 1013904223u;
    return static_cast<float>(state_ >> 8) * 0x1p-23f - 1;
  }

 private:
  std::uint32_t state_ = 7;
};

Tensor drawn(const weft::Shape& shape, float scale, Random& random) {
  std::vector<float> all(static_cast<std::size_t>(weft::element_count(shape)));
  for (float& each : all) each = random() * scale;
  return weft::from_vector(std::move(all), shape);
}

/// Image i has a line of kind i mod 3, at a place of its own, in noise.
Tensor drawn_images(Random& random) {
  std::vector<float> all;
  for (std::int64_t i = 0; i < images; ++i) {
    const std::int64_t at = i / kinds % side;
    for (std::int64_t row = 0; row < side; ++row)
      for (std::int64_t column = 0; column < side; ++column) {
        const std::array is_on{row == at, column == at, (row + column) % side == at};
        all.push_back((is_on[static_cast<std::size_t>(i % kinds)] ? 1.f : 0.f) + 0.3f * random());
      }
  }
  return weft::from_vector(std::move(all), {images, side, side});
}

Tensor one_hot_kinds() {
  std::vector<float> all(static_cast<std::size_t>(images * kinds));
  for (std::size_t i = 0; i < static_cast<std::size_t>(images); ++i) all[i * kinds + i % kinds] = 1;
  return weft::from_vector(std::move(all), {images, kinds});
}

/// Of images [n, rows, columns]: how likely each is of each kind, as logarithms.
Tensor classified(const Tensor& x, const Tensor& filter, const Tensor& bias, const Tensor& last) {
  const Tensor windows = x.unfold(1, window).unfold(2, window).rearrange(
      "n rows columns i j -> n (rows columns) (i j)");
  const Tensor features = weft::relu(weft::matmul(windows, filter) + bias).mean(1);
  return weft::log_softmax(weft::matmul(features, last));
}

}  // namespace

int main() {
  Random random;
  const Tensor x = drawn_images(random), labels = one_hot_kinds();
  std::vector<Tensor> weights{drawn({window * window, filters}, 0.5f, random),
                              weft::zeros({filters}), drawn({filters, kinds}, 0.5f, random)};

  // One step: the images, their kinds and the weights to the loss, and to what the weights become.
  const Tensor in = weft::placeholder(weft::f32, {"n", side, side}, "images"),
               kind = weft::placeholder(weft::f32, {"n", kinds}, "kinds");
  const std::vector<Tensor> w{weft::placeholder(weft::f32, {window * window, filters}, "filter"),
                              weft::placeholder(weft::f32, {filters}, "bias"),
                              weft::placeholder(weft::f32, {filters, kinds}, "last")};
  const Tensor likely = classified(in, w[0], w[1], w[2]);
  const Tensor loss = (likely * kind).sum(1).mean() * -1;
  const weft::Results slopes = weft::grad(loss, w);
  const weft::Program step(
      {in, kind, w[0], w[1], w[2]},
      {loss, w[0] - slopes[0] * rate, w[1] - slopes[1] * rate, w[2] - slopes[2] * rate});

  float last_loss = 0;
  for (int k = 0; k < steps; ++k) {
    weft::Results made = step.run({x, labels, weights[0], weights[1], weights[2]});
    last_loss = made[0].item<float>();
    for (std::size_t i = 0; i < 3; ++i) weights[i] = made[i + 1];
    if (k % 30 == 0 || k + 1 == steps) fmt::print("step {:3}: loss {:.5f}\n", k, last_loss);
  }
  const Tensor guesses = classified(x, weights[0], weights[1], weights[2]).argmax(1);
  const Tensor is_right = guesses == labels.argmax(1);
  fmt::print("{} of {} images are told\n", is_right.count_nonzero().item<std::int64_t>(), images);
  return std::abs(static_cast<double>(last_loss) - known_loss) < 1e-4 ? 0 : 1;
}

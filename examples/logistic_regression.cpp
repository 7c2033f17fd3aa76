// SPDX-License-Identifier: Apache-2.0
// Logistic regression by gradient descent: a step is a program of weft's, its gradients included.
// Beside it the same steps as plain loops in double, which the loss has to agree with.
#include <fmt/format.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <weft/weft.h>

using weft::Tensor;

namespace {

constexpr std::int64_t points = 600, features = 8;
constexpr int steps = 200;
constexpr double rate = 2.0;

struct Data {
  std::vector<float> x, labels;
};

/// Points in a cube, labelled by which side of a plane they lie on, but for one in twenty.
Data drawn_data() {
  Data data;
  std::uint32_t state = 1;
  const auto next = [&] {
    state = state * 1664525u + 1013904223u;
    return static_cast<float>(state >> 8) * 0x1p-23f - 1;
  };
  for (std::int64_t i = 0; i < points; ++i) {
    float side = 0.1f;
    for (std::int64_t k = 0; k < features; ++k) {
      data.x.push_back(next());
      side += data.x.back() * (k % 2 == 0 ? 1.f : -0.5f);
    }
    data.labels.push_back((side > 0) != (i % 20 == 0) ? 1.f : 0.f);
  }
  return data;
}

/// Weights, bias and rate to the loss, and to what weights and bias become.
weft::Program step_program() {
  const Tensor x = weft::placeholder(weft::f32, {"points", features}, "x"),
               labels = weft::placeholder(weft::f32, {"points"}, "labels"),
               weights = weft::placeholder(weft::f32, {features}, "weights"),
               bias = weft::placeholder(weft::f32, {}, "bias");
  const Tensor z = weft::matmul(x, weights) + bias;
  const Tensor loss = (weft::softplus(z) - labels * z).mean();
  const weft::Results slopes = weft::grad(loss, {weights, bias});
  return weft::Program({x, labels, weights, bias},
                       {loss, weights - slopes[0] * rate, bias - slopes[1] * rate});
}

double loss_of_plain_loops(const Data& data) {
  std::vector<double> weights(features);
  double bias = 0, loss = 0;
  for (int step = 0; step < steps; ++step) {
    std::vector<double> slopes(features);
    double bias_slope = 0;
    loss = 0;
    for (std::size_t i = 0; i < points; ++i) {
      double z = bias;
      for (std::size_t k = 0; k < features; ++k)
        z += static_cast<double>(data.x[i * features + k]) * weights[k];
      const auto label = static_cast<double>(data.labels[i]);
      loss += (std::log1p(std::exp(-std::abs(z))) + std::max(z, 0.0) - label * z) / points;
      const double error = (1 / (1 + std::exp(-z)) - label) / points;
      for (std::size_t k = 0; k < features; ++k)
        slopes[k] += error * static_cast<double>(data.x[i * features + k]);
      bias_slope += error;
    }
    for (std::size_t k = 0; k < features; ++k) weights[k] -= rate * slopes[k];
    bias -= rate * bias_slope;
  }
  return loss;
}

}  // namespace

int main() {
  const Data data = drawn_data();
  const Tensor x = weft::from_vector(data.x, {points, features}),
               labels = weft::from_vector(data.labels, {points});
  const weft::Program step = step_program();
  Tensor weights = weft::zeros({features}), bias = weft::zeros({});
  float loss = 0;
  for (int k = 0; k < steps; ++k) {
    const weft::Results made = step.run({x, labels, weights, bias});
    loss = made[0].item<float>();
    weights = made[1];
    bias = made[2];
    if (k % 40 == 0 || k + 1 == steps) fmt::print("step {:3}: loss {:.5f}\n", k, loss);
  }
  const double expected = loss_of_plain_loops(data);
  fmt::print("plain loops: loss {:.5f}\n", expected);
  return std::abs(static_cast<double>(loss) - expected) < 1e-5 ? 0 : 1;
}

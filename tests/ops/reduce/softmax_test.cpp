// SPDX-License-Identifier: Apache-2.0
// logsumexp, softmax, log_softmax, layer_norm and rms_norm.
#include "ops/reduce/cells.h"

using namespace weft;
using namespace weft::testing;

namespace {

constexpr float inf = std::numeric_limits<float>::infinity();

std::vector<float> random_row(std::uint64_t seed, std::size_t count, double scale) {
  Random random(seed);
  std::vector<float> row(count);
  for (float& x : row)
    x = static_cast<float>(static_cast<double>(random.in(-1000, 1000)) / 1000 * scale);
  return row;
}

TEST_CASE("softmax: 1e-6 relative on rows of 4,096, and what x - max is rounded by") {
  for (const double scale : {1.0, 8.0, 40.0}) {
    std::vector<float> values;
    for (std::uint64_t row = 0; row < 20; ++row)
      for (const float x : random_row(row, 4096, scale)) values.push_back(x);
    const Tensor x = from_vector(values, {20, 4096});
    const Tensor made = softmax(x, -1).eval(), logs = log_softmax(x, -1).eval(),
                 sums = logsumexp(x, -1).eval();
    for (std::size_t row = 0; row < 20; ++row) {
      long double all = 0, largest = values[row * 4096];
      for (std::size_t k = 0; k < 4096; ++k)
        largest = std::max(largest, static_cast<long double>(values[row * 4096 + k]));
      for (std::size_t k = 0; k < 4096; ++k)
        all += std::exp(static_cast<long double>(values[row * 4096 + k]));
      CHECK(std::abs(static_cast<long double>(sums.data<float>()[row]) - std::log(all)) <=
            4e-6L * (1 + std::abs(std::log(all))));
      long double worst = 0, worst_log = 0;
      for (std::size_t k = row * 4096; k < (row + 1) * 4096; ++k) {
        const long double expected = std::exp(static_cast<long double>(values[k])) / all;
        const long double log = static_cast<long double>(values[k]) - std::log(all);
        // 2e-6 for what is within 16 of the largest.
        const long double bound =
            1e-6L + (largest - static_cast<long double>(values[k])) * 0x1p-24L;
        if (expected > 1e-30L)
          worst = std::max(worst, std::abs(made.data<float>()[k] - expected) / expected / bound);
        worst_log =
            std::max(worst_log, std::abs(logs.data<float>()[k] - log) / (1 + std::abs(log)));
      }
      CHECK(worst <= 1);
      CHECK(worst_log <= 2e-6L);
    }
  }
}

TEST_CASE("softmax, logsumexp: infinities and nothing") {
  const Tensor x = array({-inf, -inf, 0.0f, -inf, inf, 0.0f}).reshape({3, 2});
  const Tensor powers = softmax(x).eval(), all = logsumexp(x, -1).eval();
  const float* const made = powers.data<float>();
  CHECK(std::isnan(made[0]));
  CHECK(std::isnan(made[1]));
  CHECK(made[2] == 1.0f);
  CHECK(made[3] == 0.0f);
  CHECK(std::isnan(made[4]));
  const float* const sums = all.data<float>();
  CHECK(sums[0] == -inf);
  CHECK(sums[1] == 0.0f);
  CHECK(sums[2] == inf);
  CHECK(logsumexp(zeros({0})).item<float>() == -inf);
  CHECK(softmax(zeros({3, 0})).shape() == Shape{3, 0});
  CHECK(logsumexp(array({1000.0f, 1000.0f})).item<float>() == doctest::Approx(1000.693147));
  CHECK_THROWS_AS(softmax(iota<int>({3})), DtypeError);
  CHECK_THROWS_AS(softmax(zeros({3}), 1), AxisError);
}

TEST_CASE("layer_norm, rms_norm: against long double") {
  Random random(9);
  for (const Shape& shape : {Shape{5, 7}, Shape{3, 4, 768}, Shape{600, 200}}) {
    const auto count = static_cast<std::size_t>(element_count(shape));
    const auto width = static_cast<std::size_t>(shape.back());
    const std::vector<float> values = random_row(1, count, 3), scale = random_row(2, width, 2),
                             bias = random_row(3, width, 1);
    const Tensor x = from_vector(values, shape), s = from_vector(scale, {shape.back()}),
                 b = from_vector(bias, {shape.back()});
    const Tensor layer = layer_norm(x, s, b).eval(), rms = x.rms_norm(s, -1, 1e-3).eval();
    for (std::size_t row = 0; row < count / width; ++row) {
      long double mean = 0, var = 0, squares = 0;
      const auto at = [&](std::size_t k) {
        return static_cast<long double>(values[row * width + k]);
      };
      for (std::size_t k = 0; k < width; ++k) mean += at(k), squares += at(k) * at(k);
      mean /= static_cast<long double>(width);
      for (std::size_t k = 0; k < width; ++k) var += (at(k) - mean) * (at(k) - mean);
      const long double by = 1 / std::sqrt(var / static_cast<long double>(width) + 1e-5L);
      const long double rms_by = 1 / std::sqrt(squares / static_cast<long double>(width) + 1e-3L);
      for (std::size_t k = 0; k < width; ++k) {
        const long double own = (at(k) - mean) * by * static_cast<long double>(scale[k]) +
                                static_cast<long double>(bias[k]);
        CHECK(std::abs(static_cast<long double>(layer.data<float>()[row * width + k]) - own) <=
              4e-6L);
        const long double other = at(k) * rms_by * static_cast<long double>(scale[k]);
        CHECK(std::abs(static_cast<long double>(rms.data<float>()[row * width + k]) - other) <=
              4e-6L);
      }
    }
  }
}

TEST_CASE("layer_norm: in f16 it is rounded once; what it refuses") {
  const std::vector<float> values = random_row(4, 300, 3);
  const Tensor x = from_vector(values, {3, 100}).astype(f16), one = ones({100}, f16),
               zero = zeros({100}, f16);
  const Tensor expected =
      layer_norm(x.astype(f32), one.astype(f32), zero.astype(f32)).astype(f16).eval();
  const Tensor made = layer_norm(x, one, zero).eval();
  CHECK(std::memcmp(made.data<float16_t>(), expected.data<float16_t>(), 600) == 0);
  refuses<ShapeError>("shape_mismatch", "layer_norm: x of shape [3] would be broadcast to [2, 3]",
                      [] {
                        return layer_norm(zeros({3}), ones({2, 3}), zeros({3}));
                      });
  CHECK_THROWS_AS(rms_norm(iota<int>({3}), iota<int>({3})), DtypeError);
  CHECK_THROWS_AS(rms_norm(zeros({3, 0}), zeros({0})), ShapeError);
}

}  // namespace

// SPDX-License-Identifier: Apache-2.0
// Gradients of random chains of up to eight ops beside quotients of differences.
#include <doctest/doctest.h>

#include <array>

#include "ops/gradient/differences.h"

using namespace weft;
using namespace weft::testing;

namespace {

using Link = Tensor (*)(const Tensor& x, const Tensor& first);

/// Each keeps the rank at two; the second operand is what the chain began with.
constexpr std::array<Link, 26> links = {{
    [](const Tensor& x, const Tensor&) { return x.tanh(); },
    [](const Tensor& x, const Tensor&) { return x.sin().multiply(1.5); },
    [](const Tensor& x, const Tensor&) { return x.sigmoid(); },
    [](const Tensor& x, const Tensor&) { return x.square().add(1).sqrt(); },
    [](const Tensor& x, const Tensor&) { return x.square().add(2).log(); },
    [](const Tensor& x, const Tensor&) { return x.multiply(0.3).exp(); },
    [](const Tensor& x, const Tensor&) { return x.divide(x.square().add(1)); },
    [](const Tensor& x, const Tensor&) { return gelu(x); },
    [](const Tensor& x, const Tensor&) { return x.softmax(); },
    [](const Tensor& x, const Tensor&) { return x.subtract(x.mean(0, true)); },
    [](const Tensor& x, const Tensor&) { return x.multiply(x.sum(1, true)).multiply(0.2); },
    [](const Tensor& x, const Tensor&) { return x.cumulative_sum(1).multiply(0.5); },
    [](const Tensor& x, const Tensor&) { return x.transpose(); },
    [](const Tensor& x, const Tensor&) {
      return x.roll({1, 2}, {0, 1});
    },
    [](const Tensor& x, const Tensor&) { return x.flip({0}); },
    [](const Tensor& x, const Tensor&) {
      return x.reshape({-1, x.shape()[0]});
    },
    [](const Tensor& x, const Tensor&) {
      return x.tile({1, 2}).slice({1}, {-1}, none, {1});
    },
    [](const Tensor& x, const Tensor&) { return x.pad(1, 1, "reflect").slice({0}, {3}); },
    [](const Tensor& x, const Tensor&) { return x.unfold(1, 2).sum(2); },
    [](const Tensor& x, const Tensor&) {
      return concat({x, x.multiply(2)}).slice({1}, {4});
    },
    [](const Tensor& x, const Tensor&) { return x.tril(1).add(x.triu().multiply(0.5)); },
    [](const Tensor& x, const Tensor&) {
      return x.slice_scatter(x.slice({1}, {2}).sin(), {0}, {1});
    },
    [](const Tensor& x, const Tensor&) { return matmul(x, x.transpose()).multiply(0.3); },
    [](const Tensor& x, const Tensor& first) { return matmul(x, x.transpose()).add(first.sum()); },
    [](const Tensor& x, const Tensor& first) { return x.multiply(first.mean().cos()); },
    [](const Tensor& x, const Tensor&) {
      return x.take({1, 0, 1}, 0);
    },
}};

struct Chain {
  std::vector<std::size_t> steps;
  Tensor operator()(const Tensors& xs) const {
    Tensor x = xs[0];
    for (const std::size_t step : steps) {
      const Tensor next = links[step](x, xs[0]);
      x = next.shape()[1] > 12 ? next.slice({0}, {12}, none, {1}) : next;
    }
    return x;
  }
};

}  // namespace

TEST_CASE("gradients: of random chains, as differences say") {
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    Random random(seed);
    Chain chain;
    const std::int64_t length = random.in(1, 8);
    for (std::int64_t k = 0; k < length; ++k) chain.steps.push_back(random.below(links.size()));
    CAPTURE(seed);
    CHECK(flaw_of_gradients(chain, {drawn_numbers({3, 4}, random)}, random, 2e-6) == "");
  }
}

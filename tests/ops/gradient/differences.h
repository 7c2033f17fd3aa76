// SPDX-License-Identifier: Apache-2.0
// Gradients beside quotients of differences, which share no code with adjoints.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include <weft/weft.h>

#include "support/random.h"

namespace weft::testing {

using Function = std::function<Tensor(const Tensors&)>;

/// Numbers from `low` to `high`.
inline Tensor numbers_within(double low, double high, const Shape& shape, Random& random) {
  std::vector<double> numbers(static_cast<std::size_t>(element_count(shape)));
  for (double& number : numbers)
    number = low + (high - low) * static_cast<double>(random.below(1 << 20)) / (1 << 20);
  return from_vector(numbers, shape);
}
/// Of both signs, none of them small.
inline Tensor drawn_numbers(const Shape& shape, Random& random) {
  std::vector<double> numbers = numbers_within(0.2, 1.8, shape, random).to_vector<double>();
  for (double& number : numbers)
    if (random.one_in(2)) number = -number;
  return from_vector(numbers, shape);
}

/// Where the cotangents of `xs` are not what differences say, of a cotangent that is drawn. Each is
/// of f64 and stored.
inline std::string flaw_of_gradients(const Function& function, const Tensors& xs, Random& random,
                                     double tolerance = 1e-6) {
  const Tensor y = function(xs);
  const Tensor cotangent = drawn_numbers(y.shape(), random);
  const Results got = vjp(y, xs, cotangent);
  constexpr double by = 1e-5;
  const auto weighed = [&](const Tensors& at) {
    return function(at).multiply(cotangent).sum().item<double>();
  };
  for (std::size_t k = 0; k < xs.size(); ++k) {
    if (got[k].shape() != xs[k].shape() || got[k].dtype() != xs[k].dtype())
      return fmt::format("x {}: its cotangent is {} {}", k, got[k].dtype().name(),
                         to_string(got[k].shape()));
    const std::vector<double> elements = xs[k].to_vector<double>(),
                              cotangents = got[k].to_vector<double>();
    for (std::size_t i = 0; i < elements.size(); ++i) {
      Tensors moved = xs;
      const auto at = [&](double offset) {
        std::vector<double> changed = elements;
        changed[i] += offset;
        moved[k] = from_vector(changed, xs[k].shape());
        return weighed(moved);
      };
      const double quotient = (at(by) - at(-by)) / (2 * by);
      if (!(std::abs(cotangents[i] - quotient) <= tolerance * (1 + std::abs(quotient))))
        return fmt::format("x {}, element {}: {}, differences say {}", k, i, cotangents[i],
                           quotient);
    }
  }
  return {};
}

}  // namespace weft::testing

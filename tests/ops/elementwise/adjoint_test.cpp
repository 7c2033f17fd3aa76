// SPDX-License-Identifier: Apache-2.0
// Adjoints of elementwise ops, beside quotients of differences.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <weft/graph/elementwise.h>
#include <weft/graph/plan/plan.h>
#include <weft/weft.h>

#include "ops/elementwise/values.h"
#include "support/computed_graph.h"

using namespace weft;
using namespace weft::testing;

namespace {

Adjoint adjoint_of(const Tensor& made) {
  const auto* const computed = made.node().operation().as<Elementwise>();
  return computed ? computed->instruction().adjoint : nullptr;
}

/// From 0.5 to 2.
Tensor positive_numbers(const Shape& shape, std::uint64_t seed) {
  Random random(seed);
  std::vector<double> numbers(static_cast<std::size_t>(element_count(shape)));
  for (double& number : numbers)
    number = 0.5 + 1.5 * static_cast<double>(random.below(1 << 20)) / (1 << 20);
  return from_vector(numbers, shape);
}

/// What an op makes of f64 operands of those shapes; operand k is moved by `by`.
Tensor made_of(const Op& op, const std::vector<Shape>& shapes, std::size_t k = 0, double by = 0) {
  Tensors operands;
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    operands.push_back(positive_numbers(shapes[i], i));
    if (i == k && by != 0) operands.back() = (operands.back() + by).eval();
  }
  return op.build({std::move(operands), {}});
}

/// The adjoints that an op says, or why they are none.
std::string flaw_of_adjoint(const Op& op, const std::vector<Shape>& shapes) {
  const Tensor made = made_of(op, shapes), cotangent = positive_numbers(made.shape(), 9) - 1;
  Tensors operands;
  for (std::size_t k = 0; k < shapes.size(); ++k)
    operands.push_back(positive_numbers(shapes[k], k));
  const Tensors adjoints = adjoint_of(made)(cotangent, made, operands);
  if (adjoints.size() != shapes.size()) return "there is one for each operand";
  constexpr double by = 1e-5;
  for (std::size_t k = 0; k < shapes.size(); ++k) {
    if (adjoints[k].shape() != made.shape()) return "it is of the result's shape";
    if (make_plan(adjoints[k].node_ptr()).passes.size() != 1) return "it is one pass";
    const Tensor quotient =
        (made_of(op, shapes, k, by) - made_of(op, shapes, k, -by)) / (2 * by) * cotangent;
    const std::vector<double> is = adjoints[k].to_vector<double>(),
                              should_be = quotient.to_vector<double>();
    for (std::size_t i = 0; i < is.size(); ++i)
      if (!(std::abs(is[i] - should_be[i]) < 1e-7))
        return fmt::format("operand {}, element {}: {}, and the quotient is {}", k, i, is[i],
                           should_be[i]);
  }
  return {};
}

}  // namespace

TEST_CASE("adjoints: those that ops have are their derivatives, times the cotangent") {
  std::vector<std::string> names;
  for (const ComputingOp& computing : computing_ops()) {
    if (std::find(computing.taken.begin(), computing.taken.end(), f64) == computing.taken.end())
      continue;
    const Op& op = *computing.op;
    const std::vector<Shape> shapes(op.operands.size(), Shape{7, 9});
    if (!adjoint_of(made_of(op, shapes))) continue;
    INFO(op.name);
    CHECK(flaw_of_adjoint(op, shapes) == "");
    if (shapes.size() == 2) {
      CHECK(flaw_of_adjoint(op, {{7, 9}, {9}}) == "");
      CHECK(flaw_of_adjoint(op, {{7, 1}, {7, 9}}) == "");
    }
    names.emplace_back(op.name);
  }
  std::sort(names.begin(), names.end());
  CHECK(names == std::vector<std::string>{"add", "divide", "exp", "log", "multiply", "negative",
                                          "sqrt", "subtract"});
}

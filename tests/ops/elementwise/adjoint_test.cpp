// SPDX-License-Identifier: Apache-2.0
// Adjoints of elementwise ops, beside quotients of differences.
#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <weft/graph/plan/plan.h>
#include <weft/weft.h>

#include "ops/elementwise/values.h"
#include "ops/gradient/differences.h"
#include "support/computed_graph.h"

using namespace weft;
using namespace weft::testing;

namespace {

Tensor made_of(const Op& op, const Tensors& operands) { return op.build({operands, {}}); }

/// Operands of which the op makes numbers: of both signs, or positive ones, or below 1.
Tensors operands_of(const Op& op, const std::vector<Shape>& shapes, Random& random) {
  using Draw = Tensor (*)(const Shape&, Random&);
  constexpr Draw draws[] = {
      drawn_numbers, [](const Shape& s, Random& r) { return numbers_within(0.2, 1.8, s, r); },
      [](const Shape& s, Random& r) { return numbers_within(-0.9, 0.9, s, r); }};
  for (const Draw draw : draws) {
    Tensors operands;
    for (const Shape& shape : shapes) operands.push_back(draw(shape, random));
    if (made_of(op, operands).isfinite().all().item<bool>()) return operands;
  }
  return {};
}

bool makes_floats_of_floats(const ComputingOp& computing) {
  const auto& taken = computing.taken;
  if (std::find(taken.begin(), taken.end(), f64) == taken.end()) return false;
  const Tensors ones_of(computing.op->operands.size(), ones({2}, f64));
  return made_of(*computing.op, ones_of).dtype() == f64;
}

}  // namespace

TEST_CASE("adjoints: every op that makes floats of floats has one, its derivative") {
  Random random(1);
  std::size_t ops = 0;
  for (const ComputingOp& computing : computing_ops()) {
    if (!makes_floats_of_floats(computing)) continue;
    const Op& op = *computing.op;
    CAPTURE(op.name);
    const std::size_t count = op.operands.size();
    std::vector<std::vector<Shape>> all{std::vector<Shape>(count, Shape{3, 4})};
    if (count == 2) all.insert(all.end(), {{{3, 4}, {4}}, {{3, 1}, {3, 4}}});
    for (const std::vector<Shape>& shapes : all) {
      const Tensors operands = operands_of(op, shapes, random);
      REQUIRE(operands.size() == count);
      CHECK(flaw_of_gradients([&](const Tensors& xs) { return made_of(op, xs); }, operands,
                              random) == "");
    }
    const Tensors operands = operands_of(op, all[0], random);
    for (const Tensor& back : vjp(made_of(op, operands), operands, ones({3, 4}, f64)))
      CHECK(make_plan(back.node_ptr()).passes.size() <= 1);
    ++ops;
  }
  CHECK(ops > 50);
}

TEST_CASE("adjoints: no NaN where a function is smooth") {
  const Tensor zero = array({0., 2.});
  CHECK(grad(zero.pow(2).sum(), zero).to_vector<double>() == std::vector<double>{0, 4});
  CHECK(grad(zero.pow(0).sum(), zero).to_vector<double>() == std::vector<double>{0, 0});
  const Tensor two = array({2., 2.});
  CHECK(grad(zero.pow(two).sum(), two).to_vector<double>() ==
        std::vector<double>{0, 4 * std::log(2.)});
  CHECK(grad(gelu(zero).sum(), zero).to_vector<double>()[0] == 0.5);
  const double inf = std::numeric_limits<double>::infinity();
  const Tensor far = array({-inf, 0.});
  CHECK(grad(far.logsumexp(), far).to_vector<double>() == std::vector<double>{0, 1});
}

TEST_CASE("adjoints: where, astype and clip hand on what they took") {
  Random random(2);
  const Tensor condition = iota<int>({3, 4}).remainder(3).equal(0).eval();
  CHECK(flaw_of_gradients(
            [&](const Tensors& xs) { return xs[0].where(condition, xs[1]).multiply(xs[1]); },
            {drawn_numbers({3, 4}, random), drawn_numbers({4}, random)}, random) == "");
  const Tensor x = array({1., 2.});
  const Tensor narrow = x.astype(bf16).multiply(3).astype(f32);
  CHECK(grad(narrow.sum(), x).to_vector<double>() == std::vector<double>{3, 3});
  CHECK(flaw_of_gradients([](const Tensors& xs) { return clip(xs[0], xs[1], xs[2]); },
                          {drawn_numbers({3, 4}, random), numbers_within(-1.5, 0, {4}, random),
                           numbers_within(-0.3, 1.5, {4}, random)},
                          random) == "");
}

// SPDX-License-Identifier: Apache-2.0
// Tensors evaluated together: what they share is moved once.
#include <doctest/doctest.h>

#include <weft/graph/plan/plan.h>
#include <weft/weft.h>

#include "support/random_graph.h"
#include "support/recipe.h"
#include <weft/testing/reference.h>

namespace weft::testing {
namespace {

Plan plan_of(std::vector<Tensor> tensors) {
  std::vector<NodePtr> roots;
  for (const Tensor& tensor : tensors) roots.push_back(tensor.node_ptr());
  return make_plan(Expression(roots));
}

TEST_CASE("tensors evaluated together have the values they have alone") {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    const Recipe recipe = random_recipe(seed);
    std::vector<Tensor> values, alone;
    for (std::size_t k = 0; k < recipe.steps.size(); ++k) {
      values.push_back(build_step(recipe, k, values));
      alone.push_back(build_step(recipe, k, alone));
    }
    eval(values);
    for (std::size_t k = 0; k < values.size(); ++k) {
      INFO("seed ", seed, " step ", k, "\n", to_code(recipe));
      REQUIRE(values[k].is_stored());
      REQUIRE(reference_value(values[k]) == reference_value(alone[k]));
    }
  }
}

TEST_CASE("a tensor that others use is read from where it is made") {
  const Tensor x = iota<int>({40, 50});
  const Tensor middle = x.roll({3, 4}, {0, 1}).transpose();
  const Plan plan = plan_of({middle, middle.tile({2, 1}), middle.reshape({2000})});
  CHECK(plan.passes.size() == 2);
  CHECK(plan.outputs[0].pass == plan.outputs[2].pass);
  CHECK(plan.refusals.empty());
}

TEST_CASE(
    "what several tensors are made of is pulled through each, or stored where that is asked") {
  const Tensor x = iota<int>({40, 50});
  const Tensor middle = x.roll({3, 4}, {0, 1});
  const Plan through = plan_of({middle.flip(0), middle.flip(1)});
  CHECK(through.passes.size() == 2);
  REQUIRE(through.shared.size() == 1);
  CHECK(through.shared[0].op == "roll");
  CHECK(through.shared[0].shape == Shape{40, 50});
  const Tensor kept = middle.stored();
  const Plan once = plan_of({kept.flip(0), kept.flip(1)});
  CHECK(once.passes.size() == 3);
  CHECK(once.refusals ==
        std::vector<std::string>{"stored [40, 50] is stored: stored() was asked for"});
}

TEST_CASE("outputs that lie in memory already need no pass") {
  const Tensor x = iota<int>({40, 50});
  const Tensor same = x.roll(7, 0).roll(-7, 0), other = x.flip();
  eval(same, other, x.reshape({2000}), same);
  CHECK(same.data<int>() == x.data<int>());
  CHECK(reference_value(other) == reference_value(iota<int>({40, 50}).flip()));
}

TEST_CASE("tensors of several types, empty and stored ones are evaluated together") {
  const Tensor a = iota<int>({4, 5}).transpose(), b = iota<double>({4, 5}).flip(0),
               c = iota<int>({0, 5}).transpose(), d = iota<int>({3});
  eval(a, b, c, d);
  CHECK(a.is_stored());
  CHECK(c.is_stored());
  CHECK(b.data<double>()[0] == 15);
  CHECK(a.data<int>()[1] == 5);
}

TEST_CASE("stored() changes no value and is free where there is one") {
  const Tensor x = iota<int>({4, 5});
  CHECK(x.stored().node_ptr().get() == x.node_ptr().get());
  CHECK(make_plan(x.flip().stored().stored().roll(1, 0).node_ptr()).passes.size() == 2);
  const Tensor y = x.flip().stored().roll(1, 0);
  CHECK(disagreement(y) == "");
  CHECK(explain(x.flip().stored().tile({2, 1})).find("stored() was asked for") !=
        std::string::npos);
}

TEST_CASE("several tensors, one of which lies in another, count once for the limit") {
  const Tensor y = iota<int>(1000).tile({1000});
  const auto [whole, rows, part] = weft::eval(y, y.reshape({1000, 1000}), y.slice({0}, {900000}));
  CHECK(rows.data<int>() == whole.data<int>());
  const Tensor z = iota<int>(1000).tile({1000}), same = z.reshape({1000, 1000});
  const std::vector<Tensor> both{z, same};
  eval(both, {.memory_limit = 5000000});
  CHECK(same.data<int>() == z.data<int>());
}

}  // namespace
}  // namespace weft::testing

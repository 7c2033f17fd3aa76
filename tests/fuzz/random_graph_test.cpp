// SPDX-License-Identifier: Apache-2.0
// The fuzzer's own parts: recipes are drawn, built, printed and shrunk as they should be.
#include <doctest/doctest.h>
#include <weft/ops/op_table.h>
#include <weft/weft.h>

#include <algorithm>
#include <set>
#include <string>

#include "support/computed_graph.h"
#include "support/random_graph.h"
#include "support/recipe.h"
#include "support/shrink.h"
#include <weft/testing/reference.h>

namespace weft::testing {
namespace {

bool uses(const Recipe& recipe, const std::string& op) {
  return std::any_of(recipe.steps.begin(), recipe.steps.end(),
                     [&](const Step& step) { return step.op == op; });
}

TEST_CASE("hundreds of random expressions agree with the reference evaluator") {
  for (std::uint64_t seed = 900000; seed < 900400; ++seed) {
    const Recipe recipe = random_recipe(seed);
    INFO("seed ", seed, "\n", to_code(recipe));
    REQUIRE(disagreement(recipe) == "");
  }
}

TEST_CASE("a seed always draws the same recipe, and different seeds different ones") {
  std::set<std::string> all;
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    const std::string code = to_code(random_recipe(seed));
    CHECK(code == to_code(random_recipe(seed)));
    all.insert(code);
  }
  CHECK(all.size() > 45);
}

TEST_CASE("random recipes reach every op, rank and corner") {
  std::set<std::string> ops;
  std::set<std::size_t> ranks;
  std::set<std::int64_t> sizes;
  std::size_t empty = 0, large = 0, shared = 0, stored = 0, most = 0;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    const Recipe recipe = random_recipe(seed);
    const Tensor result = build(recipe, false);
    std::vector<std::size_t> users(recipe.steps.size(), 0);
    for (const Step& step : recipe.steps) {
      ops.insert(step.op);
      stored += step.is_stored;
      for (const std::size_t operand : step.operands) shared += ++users[operand] > 1;
    }
    ranks.insert(result.rank());
    sizes.insert(recipe.dtype.size());
    empty += result.size() == 0;
    large += result.size() > 10000;
    most = std::max(most, recipe.steps.size());
  }
  // Those of types of their own are in random graphs of mixed types.
  for (const std::string& name : computed_graph_ops()) ops.insert(name);
  // Those of whole graphs have tests of their own (tests/ops/gradient).
  for (const char* name : {"grad", "vjp", "stop_gradient"}) ops.insert(name);
  for (const Op* op : op_table()) {
    CAPTURE(op->name);
    CHECK(ops.contains(std::string(op->name)));
  }
  CHECK(ranks == std::set<std::size_t>{0, 1, 2, 3, 4, 5, 6, 7, 8});
  CHECK(sizes == std::set<std::int64_t>{1, 2, 3, 4, 5, 8, 12, 16, 24});
  CHECK(empty > 0);
  CHECK(empty < 100);
  CHECK(large > 0);
  CHECK(shared > 100);
  CHECK(stored > 10);
  CHECK(most > 40);
}

TEST_CASE("the elements of leaves differ as far as their type has room") {
  const std::vector<std::byte> bytes = reference_value(leaf(opaque(3), {70, 80}));
  std::set<std::vector<std::byte>> elements;
  for (std::size_t i = 0; i < bytes.size(); i += 3)
    elements.insert({bytes.begin() + static_cast<std::ptrdiff_t>(i),
                     bytes.begin() + static_cast<std::ptrdiff_t>(i + 3)});
  CHECK(elements.size() == 5600);
  CHECK(reference_value(leaf(i32, {5}, 0)) != reference_value(leaf(i32, {5}, 1)));
}

TEST_CASE("a recipe prints as the C++ that builds it") {
  const Recipe recipe{f32,
                      {{"leaf", {}, {{{2, 6}}}},
                       {"slice", {0}, {{{-1}}, {{INT64_MIN}}, {{-2}}, {{1}}}, true},
                       {"flip", {1}, {Numbers()}},
                       {"slice_scatter", {0, 2}, {{{0}}, {{6}}, {{2}}, {{-1}}}},
                       {"slice_scatter", {3}, {{{0}}, {{1}}, {{1}}, {{0}}}}}};
  CHECK(to_code(recipe) ==
        "const Tensor v0 = leaf(f32, {2, 6}, 0);  // [2, 6]\n"
        "const Tensor v1 = weft::slice(v0, {-1}, {INT64_MIN}, {-2}, {1}).eval();  // [2, 3]\n"
        "const Tensor v2 = weft::flip(v1, none);  // [2, 3]\n"
        "const Tensor v3 = weft::slice_scatter(v0, v2, {0}, {6}, {2}, {-1});  // [2, 6]\n"
        "const Tensor v4 = weft::slice_scatter(v3, leaf(f32, {1, 6}, 4), {0}, {1}, {1}, {0});  "
        "// [2, 6]\n"
        "CHECK(disagreement(v4) == \"\");\n");
  // The same, pasted.
  const Tensor v0 = leaf(f32, {2, 6}, 0);
  const Tensor v1 = weft::slice(v0, {-1}, {INT64_MIN}, {-2}, {1}).eval();
  const Tensor v2 = weft::flip(v1, none);
  const Tensor v3 = weft::slice_scatter(v0, v2, {0}, {6}, {2}, {-1});
  const Tensor v4 = weft::slice_scatter(v3, leaf(f32, {1, 6}, 4), {0}, {1}, {1}, {0});
  CHECK(disagreement(v4) == "");
  CHECK(reference_value(v4) == reference_value(build(recipe)));
}

TEST_CASE("shrinking keeps what fails and drops the rest") {
  // As if every tile of more than 6 elements was wrong, and nothing else.
  const auto fails = [](const Recipe& recipe) {
    build(recipe, false);
    for (std::size_t k = 0; k < recipe.steps.size(); ++k) {
      if (recipe.steps[k].op != "tile") continue;
      Recipe upto = recipe;
      upto.steps.resize(k + 1);
      if (build(upto, false).size() > 6) return true;
    }
    return false;
  };
  int shrunk = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const Recipe recipe = random_recipe(seed);
    if (!fails(recipe)) continue;
    const Recipe small = shrink(recipe, fails);
    INFO("from\n", to_code(recipe), "to\n", to_code(small));
    CHECK(fails(small));
    CHECK(small.steps.size() == 2);
    CHECK(uses(small, "tile"));
    CHECK(build(small).size() <= 12);
    ++shrunk;
  }
  CHECK(shrunk > 5);
}

TEST_CASE("the reference evaluator reads values where they exist and stores none") {
  const Tensor x = iota<int>({6});
  const Tensor middle = x.roll(1, 0).eval();
  const Tensor y = middle.flip();
  CHECK(reference_values<int>(y) == std::vector<int>{4, 3, 2, 1, 0, 5});
  CHECK_FALSE(y.is_stored());
  const std::vector<std::byte> elements = reference_elements(y, std::vector<std::int64_t>{5, 0});
  int pair[2];
  REQUIRE(elements.size() == sizeof(pair));
  std::memcpy(pair, elements.data(), sizeof(pair));
  CHECK(pair[0] == 5);
  CHECK(pair[1] == 4);
  CHECK(reference_value(x.slice({2}, {2})).empty());
}

}  // namespace
}  // namespace weft::testing

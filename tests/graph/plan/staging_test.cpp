// SPDX-License-Identifier: Apache-2.0
// Staging: repeated transposes are put in order once.
#include <doctest/doctest.h>

#include <weft/weft.h>

#include <weft/graph/plan/staging.h>

#include "support/recipe.h"

namespace weft::testing {
namespace {

std::size_t passes_of(const Tensor& tensor) { return make_plan(tensor.node_ptr()).passes.size(); }

TEST_CASE("a transpose that is repeated is staged, where it is large and repeated often") {
  const Tensor x = iota<float>({150, 170});
  CHECK(passes_of(x.transpose().tile({4, 1})) == 2);
  CHECK(passes_of(x.transpose().tile({3, 1})) == 1);
  CHECK(passes_of(x.tile({4, 1})) == 1);
  CHECK(passes_of(x.flip(1).tile({4, 1})) == 1);
  CHECK(passes_of(iota<float>({15, 17}).transpose().tile({4, 1})) == 1);
  const std::string text = explain(x.transpose().tile({4, 1}));
  CHECK(text.find("pass 1: staged [25500]") != std::string::npos);
}

TEST_CASE("staged copies have the values of those that are not") {
  const Tensor x = leaf(f32, {150, 170}), y = leaf(f32, {40, 30, 20}, 1);
  CHECK(disagreement(x.transpose().tile({4, 1})) == "");
  CHECK(disagreement(x.transpose().tile({2, 3})) == "");
  CHECK(disagreement(x.transpose().tile({5, 2}).roll({3, 5}, {0, 1})) == "");
  CHECK(disagreement(y.transpose({2, 1, 0}).tile({1, 4, 1}).flip(0)) == "");
  CHECK(disagreement(y.transpose({2, 1, 0}).expand_dims(0).broadcast_to({6, 20, 30, 40})) == "");
  const Tensor two = x.transpose().tile({4, 1});
  eval(two, x.transpose().tile({1, 4}), two.flip());
  CHECK(disagreement(two) == "");
  CHECK(disagreement(x.slice_scatter(
            x.slice({0}, {4}).transpose().slice({0}, {1}).tile({150, 43}).slice({0, 0}, {150, 170}),
            {0}, {150})) == "");
}

}  // namespace
}  // namespace weft::testing

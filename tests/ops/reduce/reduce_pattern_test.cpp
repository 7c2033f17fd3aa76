// SPDX-License-Identifier: Apache-2.0
// reduce by a pattern.
#include "ops/expect.h"

using namespace weft;
using namespace weft::testing;

namespace {

TEST_CASE("reduce: axes that the right side lacks are gone") {
  const Tensor x = iota<float>({2, 3, 4});
  expect_same(x.reduce("a b c -> a c", "max"), x.max(1));
  expect_same(x.reduce("a b c -> c a", sum), x.sum(1).transpose());
  expect_same(reduce(x, "a b c -> b", mean), x.mean({0, 2}));
  expect_same(x.reduce("a ... -> ...", "min"), x.min(0));
  expect_same(x.reduce("a b c ->", "prod"), x.prod());
  expect_same(x.reduce("a ... -> a", "sum"), x.sum({1, 2}));
  expect_same(x.reduce("... b c -> c", "max"), x.max({0, 1}));
  expect_same(x.reduce("... ->", "mean"), x.mean());
  expect_same(x.reduce("a b c ... -> b", "min"), x.min({0, 2}));
  expect_same(x.reduce("a b c -> (c a) 1", "sum"), x.sum(1).transpose().reshape({8, 1}));
  expect_same(x.reduce("a b c -> a b c", "sum"), x);
  expect_same((x > 3.0f).reduce("a b c -> a", any), (x > 3.0f).any({1, 2}));
  expect_same((x > 3.0f).reduce("a b c -> a", "all"), (x > 3.0f).all({1, 2}));
}

TEST_CASE("reduce: pooling, by numbers and by names with sizes") {
  const Tensor x = iota<float>({2, 3, 4, 6});
  const Tensor split = x.reshape({2, 3, 2, 2, 3, 2});
  expect_same(x.reduce("b c (h 2) (w 2) -> b c h w", max), split.max({3, 5}));
  expect_same(x.reduce("b c (h p) (w q) -> b h w c", "mean", {{"p", 2}, {"q", 2}}),
              split.mean({3, 5}).transpose({0, 2, 3, 1}));
  CHECK(iota<int>({4}).reduce("(a 2) -> a", "sum").dtype() == i64);
}

TEST_CASE("reduce: what it refuses, with a caret under the place") {
  const Tensor x = iota<float>({2, 3});
  refuses<ParameterError>(
      "bad_reduction",
      "reduce: reduction \"median\", expected one of \"sum\", \"prod\", \"min\", "
      "\"max\", \"mean\", \"any\", \"all\"",
      [&] { return x.reduce("a b -> a", "median"); });
  CHECK_THROWS_AS(x.reduce("a b -> a c", "sum"), ParameterError);
  CHECK_THROWS_AS(x.reduce("a b -> a 2", "sum"), ParameterError);
  CHECK_THROWS_AS(x.reduce("a b c -> a", "sum"), ParameterError);
  CHECK_THROWS_AS(x.reduce("a (b 2) -> a b", "sum"), ShapeError);
  CHECK_THROWS_AS(iota<int>({2, 3}).reduce("a b -> a", "mean"), DtypeError);
  CHECK_THROWS_AS(zeros({0, 3}).reduce("a b -> b", "max"), ShapeError);
}

}  // namespace

// SPDX-License-Identifier: Apache-2.0
// What graph_text writes of expressions: order, sharing, values, and what it leaves out.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include <weft/weft.h>

using namespace weft;

TEST_CASE("Inputs come before their users") {
  const Tensor x = iota<float>({2, 3});
  CHECK(graph_text(x) == "%0 = stored  f32 [2, 3]\n");
  CHECK(graph_text(x.roll(1, 0).transpose()) ==
        "%0 = stored  f32 [2, 3]\n"
        "%1 = roll(%0, shift=[1], axes=[0])  f32 [2, 3]\n"
        "%2 = transpose(%1, order=[1, 0])  f32 [3, 2]\n");
}

TEST_CASE("A shared node is written once") {
  const Tensor x = iota<float>({4});
  const Tensor turned = x.roll(1, 0);
  const Tensor painted = turned.slice_scatter(turned.slice({0}, {2}), {2}, {4});
  CHECK(graph_text(painted) ==
        "%0 = stored  f32 [4]\n"
        "%1 = roll(%0, shift=[1], axes=[0])  f32 [4]\n"
        "%2 = slice(%1, 0:2)  f32 [2]\n"
        "%3 = slice_scatter(%1, %2, 2:4)  f32 [4]\n");
}

TEST_CASE("A node with a value is a leaf that names its op") {
  const Tensor turned = iota<float>({4}).roll(1, 0);
  turned.eval();
  CHECK(graph_text(turned.roll(2, 0)) ==
        "%0 = stored roll(shift=[1], axes=[0])  f32 [4]\n"
        "%1 = roll(%0, shift=[2], axes=[0])  f32 [4]\n");
}

TEST_CASE("A long expression shows its ends") {
  Tensor chain = iota<float>({4});
  for (int i = 0; i < 199; ++i) chain = chain.roll(1, 0);
  std::string text = graph_text(chain);
  CHECK(std::count(text.begin(), text.end(), '\n') == 200);
  for (int i = 199; i < 100000; ++i) chain = chain.roll(1, 0);
  text = graph_text(chain);
  CHECK(std::count(text.begin(), text.end(), '\n') == 41);
  CHECK(text.find("\n... 99961 nodes ...\n%99981 = roll(%99980, ") != std::string::npos);
}

// SPDX-License-Identifier: Apache-2.0
// einsum: against a loop over all axes.
#include <map>
#include <sstream>
#include <string>

#include "ops/expect.h"
#include "ops/product/matrices.h"
#include "support/values.h"

using namespace weft;
using namespace weft::testing;

namespace {

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

/// Each axis by its name, each operand by its own; of integers, of which every order makes the
/// same.
void check_loops(const std::vector<std::string>& left, const std::string& right,
                 const std::map<std::string, std::int64_t>& extents, std::uint64_t seed) {
  CAPTURE(seed);
  Random random(seed);
  std::string pattern;
  Tensors tensors;
  std::vector<std::vector<std::string>> names;
  for (const std::string& own : left) {
    pattern += (pattern.empty() ? "" : ", ") + own;
    names.push_back(words_of(own));
    Shape shape;
    for (const std::string& name : names.back()) shape.push_back(extents.at(name));
    std::vector<int> values(static_cast<std::size_t>(element_count(shape)));
    for (int& value : values) value = static_cast<int>(random.in(-3, 3));
    tensors.push_back(from_vector(values, shape));
    if (shape.size() > 0 && random.one_in(2)) tensors.back() = tensors.back().roll(1, 0);
  }
  pattern += " -> " + right;
  CAPTURE(pattern);
  const std::vector<std::string> kept = words_of(right);
  Shape shape;
  for (const std::string& name : kept) shape.push_back(extents.at(name));
  std::vector<int> expected(static_cast<std::size_t>(element_count(shape)));
  std::map<std::string, std::int64_t> at;
  std::int64_t all = 1;
  for (const auto& [name, extent] : extents) all *= extent;
  const auto place = [&](const std::vector<std::string>& own) {
    std::int64_t index = 0;
    for (const std::string& name : own) index = index * extents.at(name) + at[name];
    return static_cast<std::size_t>(index);
  };
  for (const Tensor& each : tensors) each.eval();
  for (std::int64_t i = 0; i < all; ++i) {
    std::int64_t left_over = i;
    for (const auto& [name, extent] : extents) {
      at[name] = left_over % extent;
      left_over /= extent;
    }
    int product = 1;
    for (std::size_t k = 0; k < tensors.size(); ++k)
      product *= tensors[k].data<int>()[place(names[k])];
    expected[place(kept)] += product;
  }
  expect(einsum(tensors, pattern), shape, expected);
}

TEST_CASE("einsum: is a loop over all axes") {
  check_loops({"b i d", "b j d"}, "b i j", {{"b", 3}, {"i", 4}, {"d", 5}, {"j", 2}}, 1);
  check_loops({"i k", "k j"}, "j i", {{"i", 4}, {"k", 5}, {"j", 3}}, 2);
  check_loops({"i", "i"}, "", {{"i", 7}}, 3);
  check_loops({"i", "j"}, "i j", {{"i", 7}, {"j", 3}}, 4);
  check_loops({"i j"}, "j", {{"i", 7}, {"j", 3}}, 5);
  check_loops({"i j k"}, "k i j", {{"i", 2}, {"j", 3}, {"k", 4}}, 6);
  check_loops({"i j", "j k", "k l"}, "i l", {{"i", 3}, {"j", 4}, {"k", 5}, {"l", 2}}, 7);
  check_loops({"i x", "j y"}, "i j", {{"i", 3}, {"j", 4}, {"x", 5}, {"y", 2}}, 8);
  check_loops({"a b", "b c", "a c", "c d"}, "d a", {{"a", 3}, {"b", 4}, {"c", 5}, {"d", 2}}, 9);
  check_loops({"i j", "i j"}, "i j", {{"i", 3}, {"j", 4}}, 10);
  check_loops({"i i"}, "", {{"i", 5}}, 11);
  check_loops({"j i j i j", "i k i"}, "k j", {{"i", 3}, {"j", 2}, {"k", 4}}, 12);
}

TEST_CASE("einsum: random patterns") {
  for (std::uint64_t seed = 100; seed < 160; ++seed) {
    Random random(seed);
    std::map<std::string, std::int64_t> extents;
    std::string right;
    const std::string letters = "abcdef";
    std::vector<std::string> left;
    for (std::int64_t k = random.in(1, 5); k > 0; --k) {
      std::string own;
      for (const char letter : letters)
        if (random.one_in(2)) {
          const std::string name(1, letter);
          own = random.one_in(2) ? own + " " + name : name + " " + own;
          if (random.one_in(6)) own += " " + name;
          extents.try_emplace(name, random.in(1, 3));
        }
      left.push_back(own);
    }
    for (const auto& [name, extent] : extents)
      if (random.one_in(2)) right = random.one_in(2) ? right + " " + name : name + " " + right;
    check_loops(left, right, extents, seed);
  }
}

TEST_CASE("einsum: ellipses are broadcast, a 1 is an axis") {
  Random random(200);
  const Tensor x = random_values<double>(random, {2, 1, 4, 3}),
               y = random_values<double>(random, {5, 3, 6});
  expect_same(einsum({x, y}, "... i k, ... k j -> ... i j"), matmul(x, y).eval());
  const Tensor row = random_values<double>(random, {1, 3});
  expect_same(einsum({row, y.select(0, 0)}, "1 k, k j -> j 1"),
              matmul(row, y.select(0, 0)).transpose().eval());
}

TEST_CASE("einsum: chains are multiplied in the cheapest order, which explain tells") {
  const Tensor a = full<float>({100, 2}, 1), b = full<float>({2, 100}, 1),
               c = full<float>({100, 3}, 1);
  const std::string text = explain(einsum({a, b, c}, "i j, j k, k l -> i l"));
  CHECK(text.find("j k, k l -> j l") != std::string::npos);
  CHECK(text.find("i j, j l -> i l") != std::string::npos);
}

TEST_CASE("einsum: refuses with a caret under the place") {
  const Tensor x = full<float>({3, 4}, 1);
  refuses<ParameterError>(
      "bad_pattern", "einsum: axis l is only on the right\n  i k, k j -> i l\n                ^",
      [&] {
        return einsum({x, x.transpose()}, "i k, k j -> i l");
      });
  refuses<ParameterError>("length_mismatch",
                          "einsum: 2 operands are named, 1 are given\n  i k, k j -> i j",
                          [&] { return einsum({x}, "i k, k j -> i j"); });
  refuses<ParameterError>("bad_rank",
                          "einsum: operand 1 has rank 2, expected 1 (shape [3, 4])\n"
                          "  i k, k -> i\n       ^",
                          [&] {
                            return einsum({x, x}, "i k, k -> i");
                          });
  refuses<ShapeError>("shape_mismatch",
                      "einsum: axis 0 of operand 1 has extent 3, expected k = 4 as in another\n"
                      "  i k, k j -> i j\n       ^",
                      [&] {
                        return einsum({x, x}, "i k, k j -> i j");
                      });
}

}  // namespace

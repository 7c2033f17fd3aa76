// SPDX-License-Identifier: Apache-2.0
// Short rows that several boxes turn, and that go on in the loop around them.
#include <doctest/doctest.h>

#include <cstdint>
#include <iterator>
#include <random>
#include <string>

#include <weft/testing/check.h>
#include <weft/weft.h>

using namespace weft;

namespace {

bool has(const Tensor& tensor, const std::string& text) {
  return explain(tensor).find(text) != std::string::npos;
}

}  // namespace

TEST_CASE("short rows that are turned go on in the loop around them, by one table") {
  for (const DType type : {f32, f64}) {
    CAPTURE(type.name());
    const Tensor x = testing::leaf(type, {70, 5, 300}).eval();
    const Tensor turned = x.roll(2, 1).transpose({2, 0, 1});
    CHECK(has(turned, "(350: table)"));
    CHECK(testing::disagreement(turned) == "");
    for (const Tensor& other :
         {x.roll(2, 1).flip(0).transpose({2, 0, 1}), x.roll(2, 1).flip(2).transpose({2, 0, 1}),
          x.roll({1, 9}, {1, 2}).transpose({2, 0, 1}), x.roll({3, 9}, {1, 0}).transpose({2, 0, 1})})
      CHECK(testing::disagreement(other) == "");
  }
}

TEST_CASE("rows that end there, or of which there are few, do not") {
  const Tensor x = testing::leaf(f32, {70, 5, 300}).eval();
  CHECK(!has(x.roll(2, 1).transpose({0, 2, 1}), "(350: table)"));
  CHECK(!has(x.roll(2, 1).slice({0}, {100}, {1}, {2}).transpose({2, 0, 1}), "(350: table)"));
  CHECK(testing::disagreement(x.roll(2, 1).transpose({0, 2, 1})) == "");
}

TEST_CASE("random short rows that are turned have their values") {
  std::size_t longer = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    CAPTURE(seed);
    std::mt19937_64 random(seed);
    const auto in = [&](std::int64_t low, std::int64_t high) {
      return low + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(high - low + 1));
    };
    const DType types[] = {u8, u16, opaque(3), f32, opaque(6), f64, c128};
    const DType type = types[random() % std::size(types)];
    const std::int64_t few = in(2, 12), many = in(2, 90);
    const Tensor x = testing::leaf(type, {many, few, in(1000, 1500) / type.size()}).eval();
    Tensor y = x.roll(in(1, few), 1);
    if (random() % 3 == 0) y = y.flip(in(0, 2));
    if (random() % 3 == 0) y = y.roll(in(1, 9), in(0, 2));
    if (random() % 3 == 0) y = y.slice({0, 0, 0}, y.shape(), {1, 1, in(1, 3)});
    y = y.transpose(random() % 4 == 0 ? Ints{2, 1, 0} : Ints{2, 0, 1});
    longer += has(y, "(" + std::to_string(few * many) + ": table)");
    CHECK(testing::disagreement(y) == "");
  }
  CHECK(longer >= 5);
}

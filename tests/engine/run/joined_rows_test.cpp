// SPDX-License-Identifier: Apache-2.0
// Short rows that several boxes turn, and that go on in the loop around them.
#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <vector>

#include <weft/testing/check.h>
#include <weft/weft.h>

#include "support/random.h"

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
  const std::vector<DType> types{u8, u16, opaque(3), f32, opaque(6), f64, c128};
  std::size_t longer = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    CAPTURE(seed);
    testing::Random random(seed);
    const DType type = types[random.below(types.size())];
    const std::int64_t few = random.in(2, 12), many = random.in(2, 90);
    const Tensor x = testing::leaf(type, {many, few, random.in(1000, 1500) / type.size()}).eval();
    Tensor y = x.roll(random.in(1, few), 1);
    if (random.one_in(3)) y = y.flip(random.in(0, 2));
    if (random.one_in(3)) y = y.roll(random.in(1, 9), random.in(0, 2));
    if (random.one_in(3)) y = y.slice({0, 0, 0}, y.shape(), {1, 1, random.in(1, 3)});
    y = y.transpose(random.one_in(4) ? Ints{2, 1, 0} : Ints{2, 0, 1});
    longer += has(y, "(" + std::to_string(few * many) + ": table)");
    CHECK(testing::disagreement(y) == "");
  }
  CHECK(longer >= 5);
}

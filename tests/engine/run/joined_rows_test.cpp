// SPDX-License-Identifier: Apache-2.0
// Rows that several boxes make: short ones that are turned and go on in the loop around them, those
// of two streams of more than two boxes each, and those that stores write one in so many of.
#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <vector>

#include <weft/engine/kernels/instruction_set.h>
#include <weft/testing/check.h>
#include <weft/weft.h>

#include "support/random.h"

using namespace weft;

namespace {

bool has(const Tensor& tensor, const std::string& text) {
  return explain(tensor).find(text) != std::string::npos;
}

/// Every second step along an axis, from the first on, is one of the first half.
Tensor halves_scattered(const Tensor& x, std::int64_t axis) {
  const std::int64_t half = x.shape()[static_cast<std::size_t>(axis)] / 2;
  return x.slice_scatter(x.slice({0}, {half}, {1}, {axis}), {0}, {2 * half}, {2}, {axis});
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

TEST_CASE("rows of two streams, of several boxes each, are woven as wholes") {
  const Tensor x = testing::leaf(f32, {24, 226, 4}).eval();
  const Tensor both = halves_scattered(halves_scattered(x, 2), 1);
  CHECK(has(both, "long_weave") == permutes_lines());
  CHECK(testing::disagreement(both) == "");
  const Tensor odd = testing::leaf(u16, {45, 434, 17}).eval();
  const Tensor flipped = halves_scattered(halves_scattered(odd, 2), 1).flip(2);
  CHECK(has(flipped, "long_weave") == permutes_lines());
  CHECK(testing::disagreement(flipped) == "");
}

TEST_CASE("rows that are turned are not woven where squares or few columns are sooner") {
  const Tensor x = testing::leaf(f16, {9433, 23, 9}).eval();
  const Tensor padded = x.pad({0, 4, 0}, {0, 1, 0}).transpose({2, 0, 1});
  CHECK(!has(padded, "long_weave"));
  CHECK(testing::disagreement(padded) == "");
}

TEST_CASE("rows that each store writes one in so many of are made whole") {
  const Tensor x = testing::leaf(opaque(3), {447, 5, 20}).eval();
  const Tensor made = halves_scattered(halves_scattered(x, 1).flip(2), 2);
  CHECK(has(made, "long_shuffle") == permutes_lines());
  CHECK(testing::disagreement(made) == "");
}

TEST_CASE("random rows of several boxes have their values") {
  const std::vector<DType> types{u8, u16, opaque(3), f32, opaque(6), f64, c128};
  std::size_t woven = 0, made = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    CAPTURE(seed);
    testing::Random random(seed);
    const DType type = types[random.below(types.size())];
    const std::int64_t few = random.in(3, 24), rows = random.in(2, 9) * random.in(1, 9);
    const std::int64_t many = 60'000 / (few * rows * type.size()) + 1;
    const Tensor x = testing::leaf(type, {many, rows, few}).eval();
    Tensor y = x;
    for (std::size_t n = random.in(2, 4); n-- > 0;) {
      const std::int64_t axis = random.one_in(3) ? 1 : 2;
      switch (random.below(5)) {
        case 0:
          y = y.flip(axis);
          break;
        case 1:
          y = y.roll(random.in(1, 5), axis);
          break;
        case 2:
          y = y.pad({0, 0, random.in(0, 3)}, {0, 0, random.in(0, 3)});
          break;
        default:
          y = halves_scattered(y, axis);
      }
    }
    woven += has(y, "long_weave");
    made += has(y, "long_shuffle");
    CHECK(testing::disagreement(y) == "");
  }
  CHECK((woven >= 10) == permutes_lines());
  CHECK((made >= 10) == permutes_lines());
}

// SPDX-License-Identifier: Apache-2.0
// Table digits, and limits: every primitive on what follows no stride.
#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include <weft/graph/map/box.h>

#include "support/box_samples.h"

namespace weft::testing {
namespace {

/// tile(x of n) read with a stride: the box whose remainder needs one phase for each element.
Box strided_box(std::int64_t extent, std::int64_t stride, Tables& tables) {
  return {0, {0, 0}, {{3, extent, 1, 0}, {extent, 1, stride, 1}}, &tables};
}

TEST_CASE("a remainder with many coprime phases is one table digit, not many boxes") {
  Tables tables;
  const Box box = strided_box(1143, 7, tables);  // tile of 1000 by 8, [::7]
  Boxes parts;
  remainder(box, 1, 1000, parts);
  CHECK(parts.size() <= 2);
  CHECK(pairs_of(parts) == changed(box, [](auto& at) { at[1] %= 1000; }));
  check_form(parts, {3, 1000});
}

TEST_CASE("a quotient with many coprime phases is one table digit too") {
  Tables tables;
  const Box box = strided_box(1143, 7, tables);
  Boxes parts;
  quotient(box, 1, 1000, parts);
  CHECK(parts.size() <= 9);
  CHECK(pairs_of(parts) == changed(box, [](auto& at) { at[1] /= 1000; }));
  check_form(parts, {3, 9});
}

TEST_CASE("tables of digits that run backwards keep the pairs") {
  Tables tables;
  Box box = strided_box(100, 7, tables);
  affine(box, 1, 7 * 99 + 5, -1);  // as a flip before the tile
  canonicalise(box);
  const Box before = box;
  for (const std::int64_t n : {37, 41, 64, 97}) {
    Boxes parts;
    remainder(box, 1, n, parts);
    INFO("n ", n, " parts", text(parts));
    CHECK(pairs_of(parts) == changed(before, [&](auto& at) { at[1] %= n; }));
    check_form(parts, {3, n});
    for (Box& part : parts) canonicalise(part);
    CHECK(pairs_of(parts) == changed(before, [&](auto& at) { at[1] %= n; }));
  }
}

TEST_CASE("every primitive keeps its law on tables, and on what it makes of them") {
  Random random(17);
  for (int i = 0; i < 400; ++i) {
    Tables tables;
    Boxes boxes{strided_box(random.in(40, 90), random.in(2, 11), tables)};
    std::int64_t n = coordinate_range(boxes[0], 1).high + 1;
    Pairs expected = pairs_of(boxes);
    std::string story = text(boxes);
    const auto change = [&](auto&& rule) {
      for (Pair& pair : expected) pair.second[1] = rule(pair.second[1]);
    };
    for (std::int64_t steps = random.in(2, 6); steps > 0 && boxes.size() < 200; --steps) {
      Boxes next;
      switch (random.in(0, 5)) {
        case 0: {
          const std::int64_t m = random.in(17, 60);
          story += "\n  remainder " + std::to_string(m);
          for (const Box& box : boxes) remainder(box, 1, m, next);
          change([&](std::int64_t x) { return x % m; });
          n = std::min(n, m);
          break;
        }
        case 1: {
          const std::int64_t at = random.in(0, n);
          story += "\n  split " + std::to_string(at);
          for (const Box& box : boxes) split(box, 1, at, next, next);
          break;
        }
        case 2: {
          story += "\n  flip";
          next = boxes;
          for (Box& box : next) affine(box, 1, n - 1, -1);
          change([&](std::int64_t x) { return n - 1 - x; });
          break;
        }
        case 3: {
          if (n < 2) continue;
          const std::int64_t shift = random.in(1, n - 1);
          story += "\n  rotate " + std::to_string(shift) + " of " + std::to_string(n);
          for (const Box& box : boxes) rotate(box, 1, shift, n, next);
          change([&](std::int64_t x) { return (x - shift + n) % n; });
          break;
        }
        case 4: {
          const std::int64_t p = random.in(0, 3), q = random.in(1, 3);
          story += "\n  affine " + std::to_string(p) + " " + std::to_string(q);
          next = boxes;
          for (Box& box : next) affine(box, 1, p, q);
          change([&](std::int64_t x) { return p + q * x; });
          n = p + q * (n - 1) + 1;
          break;
        }
        default: {
          story += "\n  merge";
          next = boxes;
          merge(next);
        }
      }
      for (Box& box : next) canonicalise(box);
      boxes = std::move(next);
      INFO("story", story, "\nboxes", text(boxes));
      std::sort(expected.begin(), expected.end());
      REQUIRE(pairs_of(boxes) == expected);
      check_form(boxes, {3, n});
    }
  }
}

TEST_CASE("a divmod into thousands of boxes gives up instead") {
  Tables tables;
  const Box box{0, {0}, {{20000, 1, 7, 0}}, &tables};
  Boxes parts;
  CHECK_THROWS_AS(divmod(box, 0, 19997, parts), TooManyBoxes);
}

TEST_CASE("boxes of 2^60 elements are cut without enumerating them or overflowing") {
  Tables tables;
  const std::int64_t half = std::int64_t{1} << 59;
  const Box box{0, {0}, {{2 * half, 1, 1, 0}}, &tables};
  Boxes below, above;
  split(box, 0, half, below, above);
  CHECK(text(below) == "\n  out 0 at [0] {576460752303423488: out 1, axis 0 step 1}");
  CHECK(element_count(above[0]) == half);
  Boxes parts;
  remainder(box, 0, 10, parts);
  CHECK(parts.size() == 2);
  parts.clear();
  rotate(box, 0, 2 * half - 1, 2 * half, parts);
  CHECK(parts.size() == 2);
}

}  // namespace
}  // namespace weft::testing

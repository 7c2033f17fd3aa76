// SPDX-License-Identifier: Apache-2.0
// Joining boxes: the same elements in fewer boxes, which can still be cut.
#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include <weft/graph/map/box.h>

#include "support/box_samples.h"

namespace weft::testing {
namespace {

/// Cuts the boxes into more, keeping all pairs.
Boxes cut(const Boxes& boxes, const Shape& shape, Random& random) {
  Boxes parts;
  for (const Box& box : boxes) {
    const std::size_t a = random.below(shape.size());
    const std::int32_t axis = static_cast<std::int32_t>(a);
    if (random.one_in(3)) {
      parts.push_back(box);
    } else if (random.one_in(2)) {
      split(box, axis, random.in(0, shape[a]), parts, parts);
    } else {
      const std::int64_t n = random.in(1, shape[a]);
      Boxes divided;
      divmod(box, axis, n, divided);
      Boxes low, high;
      for (const Box& part : divided) split(part, axis, random.in(0, n), low, high);
      for (Boxes* half : {&low, &high})
        for (Box& part : *half) {
          undivide(part, axis, n);
          parts.push_back(std::move(part));
        }
    }
  }
  for (Box& part : parts) canonicalise(part);
  return parts;
}

TEST_CASE("merge keeps the pairs and the invariants of what was cut to pieces") {
  for_random_boxes(14, [](Sample& sample, Random& random) {
    Boxes boxes{sample.box};
    for (std::int64_t cuts = random.in(1, 4); cuts > 0 && boxes.size() < 60; --cuts)
      boxes = cut(boxes, sample.shape, random);
    random.shuffle(boxes);
    INFO("pieces", text(boxes));
    const std::size_t before = boxes.size();
    merge(boxes);
    INFO("merged", text(boxes));
    REQUIRE(boxes.size() <= before);
    REQUIRE(pairs_of(boxes) == pairs_of(sample.box));
    check_form(boxes, sample.shape);
  });
}

TEST_CASE("merge keeps the pairs of random disjoint pieces that need not fit") {
  Random random(15);
  for (int i = 0; i < 3000; ++i) {
    // Output positions in random order are cut into runs; each run gets a random map.
    Tables tables;
    const Shape shape{40, 40};
    Boxes boxes;
    std::int64_t out = 0;
    while (out < 60) {
      const std::int64_t extent = random.in(1, 4);
      const std::int64_t step = random.in(-1, 1);
      const std::int32_t axis = static_cast<std::int32_t>(random.below(2));
      Box box{out, {random.in(8, 10), random.in(8, 10)}, {}, &tables};
      if (extent > 1) box.digits.push_back({extent, 1, step, axis});
      if (random.one_in(3)) {
        box.digits.push_back(
            {2, extent, random.in(-5, 5), static_cast<std::int32_t>(random.below(2))});
        out += extent;
      }
      out += extent;
      canonicalise(box);
      if (is_nested(box)) boxes.push_back(std::move(box));
    }
    random.shuffle(boxes);
    INFO("pieces", text(boxes));
    const Pairs before = pairs_of(boxes);
    merge(boxes);
    INFO("merged", text(boxes));
    REQUIRE(pairs_of(boxes) == before);
    check_form(boxes, shape);
  }
}

TEST_CASE("merge makes one box again of a dense box that was cut once") {
  Random random(16);
  for (int i = 0; i < 500; ++i) {
    const Shape shape{random.in(2, 6), random.in(2, 6), random.in(2, 6)};
    const std::size_t axis = random.below(3);
    const Box box = dense_box(shape, {0, 0, 0}, nullptr);
    Boxes below, above;
    split(box, static_cast<std::int32_t>(axis), random.in(1, shape[axis] - 1), below, above);
    Boxes parts = below;
    parts.insert(parts.end(), above.begin(), above.end());
    for (Box& part : parts) canonicalise(part);
    random.shuffle(parts);
    INFO("pieces", text(parts));
    merge(parts);
    CHECK(parts.size() == 1);
  }
}

TEST_CASE("merge makes one box of single elements that lie on a stride") {
  Boxes boxes;
  for (std::int64_t i = 0; i < 100; ++i) boxes.push_back({5 + 3 * i, {99 - i}, {}, nullptr});
  merge(boxes);
  REQUIRE(boxes.size() == 1);
  CHECK(to_string(boxes[0]) == "out 5 at [99] {100: out 3, axis 0 step -1}");
}

TEST_CASE("merge refuses to join what could not be cut again") {
  // Two runs of [0, 3) whose outputs interleave: joined, the out strides 1 and 2 were not nested.
  Boxes boxes{{0, {0}, {{3, 2, 1, 0}}, nullptr}, {1, {3}, {{3, 2, 1, 0}}, nullptr}};
  const Pairs before = pairs_of(boxes);
  merge(boxes);
  CHECK(pairs_of(boxes) == before);
  check_form(boxes, {6});
}

}  // namespace
}  // namespace weft::testing

// SPDX-License-Identifier: Apache-2.0
// lookup and isolate: an axis taken step by step.
#include "support/box_samples.h"

namespace weft::testing {
namespace {

using List = std::vector<std::int64_t>;

/// A value for each coordinate of the axis, below 0 for about one in `hole`, or for none.
List random_function(const Sample& sample, std::int32_t axis, Random& random, std::int64_t hole) {
  List f;
  const std::int64_t step = random.one_in(3) ? 0 : random.in(1, 9);
  for (std::int64_t x = 0; x < sample.shape[static_cast<std::size_t>(axis)]; ++x)
    f.push_back(hole > 0 && random.one_in(static_cast<std::uint64_t>(hole)) ? -1
                : step > 0                                                  ? step * x
                                                                            : random.in(0, 50));
  return f;
}

TEST_CASE("lookup maps every coordinate by its table") {
  for_random_boxes(41, [](Sample& sample, Random& random) {
    const std::int32_t axis = some_axis(sample, random);
    const std::size_t a = static_cast<std::size_t>(axis);
    const List f = random_function(sample, axis, random, 0);
    Boxes found;
    lookup(sample.box, axis, f, found);
    const auto mapped = [&](auto& at) { at[a] = f[static_cast<std::size_t>(at[a])]; };
    CHECK(pairs_of(found) == changed(sample.box, mapped));
    Shape shape = sample.shape;
    shape[a] = *std::max_element(f.begin(), f.end()) + 1;
    check_form(found, shape);
  });
}

TEST_CASE("lookup parts what has a value from what has none") {
  for_random_boxes(42, [](Sample& sample, Random& random) {
    const std::int32_t axis = some_axis(sample, random);
    const std::size_t a = static_cast<std::size_t>(axis);
    const List f = random_function(sample, axis, random, random.in(1, 6));
    sample.tables.max_phases = random.in(0, 4);
    Boxes found, missed;
    lookup(sample.box, axis, f, found, &missed);
    Pairs hits, misses;
    for (Pair& pair : pairs_of(sample.box)) {
      const std::int64_t value = f[static_cast<std::size_t>(pair.second[a])];
      if (value < 0) {
        misses.push_back(pair);
      } else {
        pair.second[a] = value;
        hits.push_back(pair);
      }
    }
    std::sort(hits.begin(), hits.end());
    CHECK(pairs_of(found) == hits);
    CHECK(pairs_of(missed) == misses);
    Shape shape = sample.shape;
    shape[a] = std::max<std::int64_t>(*std::max_element(f.begin(), f.end()) + 1, shape[a]);
    check_form(found, shape);
    check_form(missed, sample.shape);
  });
}

/// The same function as stretches; values that follow each other are at times one stretch.
std::vector<Stretch> stretches_of(const List& f, Random& random) {
  std::vector<Stretch> stretches;
  for (std::size_t x = 0; x < f.size(); ++x) {
    if (f[x] < 0) continue;
    Stretch* const last = stretches.empty() ? nullptr : &stretches.back();
    if (last && last->x + last->count == static_cast<std::int64_t>(x) &&
        last->value + last->count == f[x] && !random.one_in(3))
      ++last->count;
    else stretches.push_back({static_cast<std::int64_t>(x), f[x], 1});
  }
  return stretches;
}

TEST_CASE("lookup by stretches is lookup by a table") {
  for_random_boxes(44, [](Sample& sample, Random& random) {
    const std::int32_t axis = some_axis(sample, random);
    const List f = random_function(sample, axis, random, random.in(1, 6));
    const std::vector<Stretch> stretches = stretches_of(f, random);
    sample.tables.max_phases = random.in(0, 4);
    Boxes expected, expected_missed, found, missed, found_alone;
    lookup(sample.box, axis, f, expected, &expected_missed);
    lookup(sample.box, axis, stretches, found, &missed);
    CHECK(pairs_of(found) == pairs_of(expected));
    CHECK(pairs_of(missed) == pairs_of(expected_missed));
    lookup(sample.box, axis, stretches, found_alone);
    CHECK(pairs_of(found_alone) == pairs_of(expected));
    Shape shape = sample.shape;
    const std::size_t a = static_cast<std::size_t>(axis);
    shape[a] = std::max<std::int64_t>(*std::max_element(f.begin(), f.end()) + 1, 1);
    check_form(found, shape);
    check_form(found_alone, shape);
    check_form(missed, sample.shape);
  });
}

TEST_CASE("isolate makes a box for each coordinate, in which it is fixed") {
  for_random_boxes(43, [](Sample& sample, Random& random) {
    const std::int32_t axis = some_axis(sample, random);
    Boxes boxes;
    isolate(sample.box, axis, boxes);
    CHECK(pairs_of(boxes) == pairs_of(sample.box));
    for (const Box& box : boxes)
      for (const Digit& digit : box.digits) CHECK(digit.axis != axis);
    check_form(boxes, sample.shape);
  });
}

TEST_CASE(
    "neighbouring digits of an axis become one table, and a table that follows a stride a digit") {
  Tables tables;
  const Box box = dense_box({4, 6, 5}, {0, 0, 0}, &tables);
  Boxes found;
  lookup(box, 1, List{5, 4, 3, 2, 1, 0}, found);
  REQUIRE(found.size() == 1);
  CHECK(to_string(found[0]) ==
        "out 0 at [0, 5, 0] {4: out 30, axis 0 step 1} {6: out 5, axis 1 step -1} {5: out 1, axis "
        "2 step 1}");
}

}  // namespace
}  // namespace weft::testing

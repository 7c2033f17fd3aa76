// The laws of boxes: what a primitive does to a box, it does to each of its elements.
#include <doctest/doctest.h>
#include <weft/graph/box.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "support/random.h"

namespace weft {
namespace {

using testing::Random;

/// An output position and where it is read from: what boxes stand for.
using Pair = std::pair<std::int64_t, std::vector<std::int64_t>>;
using Pairs = std::vector<Pair>;

void enumerate(const Box& box, Pairs& pairs) {
  std::vector<std::int64_t> step(box.digits.size(), 0);
  for (;;) {
    Pair pair{box.out_offset, {box.origin.begin(), box.origin.end()}};
    for (std::size_t k = 0; k < step.size(); ++k) {
      const Digit& digit = box.digits[k];
      pair.first += digit.out_at(step[k]);
      if (digit.axis != replicated)
        pair.second[static_cast<std::size_t>(digit.axis)] += digit.in_at(step[k]);
    }
    pairs.push_back(std::move(pair));
    std::size_t k = step.size();
    while (k > 0 && ++step[k - 1] == box.digits[k - 1].extent) step[--k] = 0;
    if (k == 0) return;
  }
}

Pairs pairs_of(const Boxes& boxes) {
  Pairs pairs;
  for (const Box& box : boxes) enumerate(box, pairs);
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}
Pairs pairs_of(const Box& box) { return pairs_of(Boxes{box}); }

/// The pairs of `box` after `change` was done to each coordinate tuple.
template <class Change>
Pairs changed(const Box& box, Change&& change) {
  Pairs pairs = pairs_of(box);
  for (Pair& pair : pairs) change(pair.second);
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

std::string text(const Boxes& boxes) {
  std::string lines;
  for (const Box& box : boxes) lines += "\n  " + to_string(box);
  return lines;
}

/// Canonical boxes that hold all invariants in `shape`, and the same pairs as before.
void check_form(Boxes boxes, const Shape& shape) {
  const Pairs before = pairs_of(boxes);
  for (Box& box : boxes) {
    canonicalise(box);
    REQUIRE_NOTHROW(check_box(box, shape));
  }
  REQUIRE(pairs_of(boxes) == before);
}

/// What a random box may have besides plain digits.
struct Kind {
  bool tables = false;
  bool replicas = true;
};

/// A random canonical box together with a shape it fits in.
struct Sample {
  Tables tables;
  Shape shape;
  Box box;
};

/// Levels of nested steps, each a plain digit or a table.
void add_axis(Sample& sample, Random& random, const Kind& kind) {
  const std::int32_t axis = static_cast<std::int32_t>(sample.shape.size());
  std::int64_t low = 0, high = 0, span = 0;
  for (std::int64_t levels = random.in(0, 3); levels > 0; --levels) {
    if (element_count(sample.box) > 30) break;
    const std::int64_t unit = span + (random.one_in(2) ? 1 : random.in(1, 6));
    const bool backwards = random.one_in(3);
    if (kind.tables && random.one_in(3)) {
      Table table;
      const std::int64_t extent = random.in(2, 7);
      for (std::int64_t i = 0; i < extent; ++i) table.in.push_back(unit * random.in(-6, 6));
      const auto [least, most] = std::minmax_element(table.in.begin(), table.in.end());
      low += *least;
      high += *most;
      span += *most - *least;
      if (random.one_in(2)) {
        table.out.push_back(0);
        for (std::int64_t i = 1; i < extent; ++i)
          table.out.push_back(table.out.back() + random.in(1, 3));
      }
      sample.box.digits.push_back({extent, 0, 0, axis, &sample.tables.emplace_back(table)});
    } else {
      const std::int64_t extent = random.in(2, 5);
      span += unit * (extent - 1);
      (backwards ? low : high) += (backwards ? -unit : unit) * (extent - 1);
      sample.box.digits.push_back({extent, 0, backwards ? -unit : unit, axis});
    }
  }
  sample.box.origin.push_back(random.in(0, 3) - low);
  sample.shape.push_back(sample.box.origin.back() + high + random.in(1, 3));
}

/// Boxes point into their tables, so a sample is filled where it stays.
void fill(Sample& sample, Random& random, const Kind& kind) {
  Box& box = sample.box;
  box.tables = &sample.tables;
  for (std::int64_t rank = random.in(1, 3); rank > 0; --rank) add_axis(sample, random, kind);
  if (kind.replicas && random.one_in(3)) box.digits.push_back({random.in(2, 4), 0, 0, replicated});
  random.shuffle(box.digits);
  std::int64_t span = 0;
  for (std::size_t k = box.digits.size(); k-- > 0;) {
    Digit& digit = box.digits[k];
    const std::int64_t stride = span + (random.one_in(2) ? 1 : random.in(1, 4));
    if (digit.table && !digit.table->out.empty()) {
      Table& table = sample.tables.emplace_back(*digit.table);
      for (std::int64_t& offset : table.out) offset *= stride;
      std::int64_t smallest = table.out[1];
      for (std::size_t i = 2; i < table.out.size(); ++i)
        smallest = std::min(smallest, table.out[i] - table.out[i - 1]);
      digit.table = &table;
      digit.out_stride = smallest;
    } else {
      digit.out_stride = stride;
    }
    span += digit.out_span();
  }
  box.out_offset = random.in(0, 50);
  // Reversing a plain digit changes nothing but the look; canonicalise must undo it.
  for (Digit& digit : box.digits) {
    if (digit.table || !random.one_in(4)) continue;
    box.out_offset += digit.out_stride * (digit.extent - 1);
    digit.out_stride = -digit.out_stride;
    if (digit.axis == replicated) continue;
    box.origin[static_cast<std::size_t>(digit.axis)] += digit.in_stride * (digit.extent - 1);
    digit.in_stride = -digit.in_stride;
  }
}

/// Calls `law(sample, random)` for many random boxes, canonical ones, with and without tables.
template <class Law>
void for_random_boxes(std::uint64_t seed, Law&& law) {
  Random random(seed);
  for (int i = 0; i < 2000; ++i) {
    Sample sample;
    fill(sample, random, {.tables = i % 2 == 1});
    canonicalise(sample.box);
    REQUIRE_NOTHROW(check_box(sample.box, sample.shape));
    INFO("box ", to_string(sample.box), " in ", to_string(sample.shape));
    law(sample, random);
  }
}

/// A random axis of the sample, which has at least one.
std::int32_t some_axis(const Sample& sample, Random& random) {
  return static_cast<std::int32_t>(random.below(sample.shape.size()));
}

// --- the laws ---

TEST_CASE("canonicalise keeps the pairs, whatever the order, signs and extents of the digits") {
  Random random(1);
  for (int i = 0; i < 2000; ++i) {
    Sample sample;
    fill(sample, random, {.tables = i % 2 == 1});
    Box box = sample.box;
    if (random.one_in(2)) box.digits.push_back({1, random.in(-5, 5), 3, 0});
    if (random.one_in(2)) {  // a table that follows a stride
      Table& table = sample.tables.emplace_back();
      const std::int64_t step = random.in(-2, 2);
      for (std::int64_t k = 0; k < 3; ++k) table.in.push_back(4 + step * k);
      box.digits.push_back(
          {3, std::int64_t{1} << 40, 0, static_cast<std::int32_t>(box.origin.size()), &table});
      box.origin.push_back(0);
    }
    random.shuffle(box.digits);
    INFO("box ", to_string(box));
    const Pairs before = pairs_of(box);
    canonicalise(box);
    REQUIRE(pairs_of(box) == before);
    REQUIRE(is_nested(box));
    for (std::size_t k = 0; k < box.digits.size(); ++k) {
      REQUIRE(box.digits[k].extent > 1);
      REQUIRE(box.digits[k].out_stride > 0);
      if (k > 0) REQUIRE(box.digits[k - 1].out_stride > box.digits[k].out_stride);
    }
    Box again = box;
    canonicalise(again);
    REQUIRE(to_string(again) == to_string(box));
  }
}

TEST_CASE("canonicalise coalesces digits that continue each other") {
  Box box{0, {23}, {{4, -6, -6, 0}, {3, -2, -2, 0}, {2, -1, -1, 0}}, nullptr};
  canonicalise(box);
  CHECK(to_string(box) == "out -23 at [0] {24: out 1, axis 0 step 1}");
}

TEST_CASE("coordinate_range and element_count say what the elements say") {
  for_random_boxes(2, [](Sample& sample, Random& random) {
    const Pairs pairs = pairs_of(sample.box);
    CHECK(element_count(sample.box) == static_cast<std::int64_t>(pairs.size()));
    const std::int32_t axis = some_axis(sample, random);
    std::int64_t low = INT64_MAX, high = INT64_MIN;
    for (const Pair& pair : pairs) {
      low = std::min(low, pair.second[static_cast<std::size_t>(axis)]);
      high = std::max(high, pair.second[static_cast<std::size_t>(axis)]);
    }
    const Range range = coordinate_range(sample.box, axis);
    REQUIRE(range.low == low);
    REQUIRE(range.high == high);
  });
}

TEST_CASE("affine turns x into p + q x") {
  for_random_boxes(3, [](Sample& sample, Random& random) {
    const std::int32_t axis = some_axis(sample, random);
    const std::int64_t p = random.in(-20, 20);
    const std::int64_t q = random.in(1, 3) * (random.one_in(2) ? 1 : -1);
    INFO("axis ", axis, " p ", p, " q ", q);
    Box box = sample.box;
    affine(box, axis, p, q);
    REQUIRE(pairs_of(box) == changed(sample.box, [&](auto& at) {
              std::int64_t& x = at[static_cast<std::size_t>(axis)];
              x = p + q * x;
            }));
  });
}

TEST_CASE("split parts a box below and from a coordinate on") {
  for_random_boxes(4, [](Sample& sample, Random& random) {
    const std::int32_t axis = some_axis(sample, random);
    const std::int64_t at = random.in(-1, sample.shape[static_cast<std::size_t>(axis)] + 1);
    INFO("axis ", axis, " at ", at);
    Boxes below, above;
    split(sample.box, axis, at, below, above);
    for (const Box& part : below) REQUIRE(coordinate_range(part, axis).high < at);
    for (const Box& part : above) REQUIRE(coordinate_range(part, axis).low >= at);
    Boxes all = below;
    all.insert(all.end(), above.begin(), above.end());
    INFO("parts", text(all));
    REQUIRE(pairs_of(all) == pairs_of(sample.box));
    check_form(all, sample.shape);
  });
}

TEST_CASE("split of one plain digit makes two boxes, never more") {
  Random random(5);
  for (int i = 0; i < 200; ++i) {
    const std::int64_t n = random.in(2, 100);
    const Box box = dense_box({3, n, 2}, {0, 0, 0}, nullptr);
    Boxes below, above;
    split(box, 1, random.in(1, n - 1), below, above);
    REQUIRE(below.size() == 1);
    REQUIRE(above.size() == 1);
  }
}

TEST_CASE("divmod turns x into x mod n with x / n on a new last axis") {
  for_random_boxes(6, [](Sample& sample, Random& random) {
    const std::int32_t axis = some_axis(sample, random);
    const std::int64_t extent = sample.shape[static_cast<std::size_t>(axis)];
    const std::int64_t n = random.in(1, extent + 2);
    INFO("axis ", axis, " n ", n);
    Boxes parts;
    divmod(sample.box, axis, n, parts);
    INFO("parts", text(parts));
    REQUIRE(pairs_of(parts) == changed(sample.box, [&](auto& at) {
              std::int64_t& x = at[static_cast<std::size_t>(axis)];
              at.push_back(x / n);
              at[static_cast<std::size_t>(axis)] %= n;
            }));
    Shape divided = sample.shape;
    divided[static_cast<std::size_t>(axis)] = n;
    divided.push_back((extent - 1) / n + 1);
    check_form(parts, divided);
  });
}

TEST_CASE("undivide takes divmod back") {
  for_random_boxes(7, [](Sample& sample, Random& random) {
    const std::int32_t axis = some_axis(sample, random);
    const std::int64_t n = random.in(1, sample.shape[static_cast<std::size_t>(axis)] + 2);
    Boxes parts;
    divmod(sample.box, axis, n, parts);
    for (Box& part : parts) undivide(part, axis, n);
    INFO("axis ", axis, " n ", n, " parts", text(parts));
    REQUIRE(pairs_of(parts) == pairs_of(sample.box));
    check_form(parts, sample.shape);
  });
}

TEST_CASE("remainder turns x into x mod n") {
  for_random_boxes(8, [](Sample& sample, Random& random) {
    const std::int32_t axis = some_axis(sample, random);
    const std::int64_t n = random.in(1, sample.shape[static_cast<std::size_t>(axis)] + 2);
    INFO("axis ", axis, " n ", n);
    Boxes parts;
    remainder(sample.box, axis, n, parts);
    INFO("parts", text(parts));
    REQUIRE(pairs_of(parts) ==
            changed(sample.box, [&](auto& at) { at[static_cast<std::size_t>(axis)] %= n; }));
    Shape reduced = sample.shape;
    reduced[static_cast<std::size_t>(axis)] = n;
    check_form(parts, reduced);
  });
}

TEST_CASE("quotient turns x into x / n") {
  for_random_boxes(9, [](Sample& sample, Random& random) {
    const std::int32_t axis = some_axis(sample, random);
    const std::int64_t extent = sample.shape[static_cast<std::size_t>(axis)];
    const std::int64_t n = random.in(1, extent + 2);
    INFO("axis ", axis, " n ", n);
    Boxes parts;
    quotient(sample.box, axis, n, parts);
    INFO("parts", text(parts));
    REQUIRE(pairs_of(parts) ==
            changed(sample.box, [&](auto& at) { at[static_cast<std::size_t>(axis)] /= n; }));
    Shape reduced = sample.shape;
    reduced[static_cast<std::size_t>(axis)] = (extent - 1) / n + 1;
    check_form(parts, reduced);
  });
}

TEST_CASE("rotate turns x into (x - shift) mod n") {
  for_random_boxes(10, [](Sample& sample, Random& random) {
    const std::int32_t axis = some_axis(sample, random);
    const std::int64_t n = sample.shape[static_cast<std::size_t>(axis)];
    if (n < 2) return;
    const std::int64_t shift = random.in(1, n - 1);
    INFO("axis ", axis, " shift ", shift, " n ", n);
    Boxes parts;
    rotate(sample.box, axis, shift, n, parts);
    INFO("parts", text(parts));
    REQUIRE(pairs_of(parts) == changed(sample.box, [&](auto& at) {
              std::int64_t& x = at[static_cast<std::size_t>(axis)];
              x = (x - shift + n) % n;
            }));
    check_form(parts, sample.shape);
  });
}

TEST_CASE("relabel moves, drops and fixes axes") {
  for_random_boxes(11, [](Sample& sample, Random& random) {
    std::vector<std::int32_t> source;
    for (std::size_t axis = 0; axis < sample.shape.size(); ++axis)
      source.push_back(static_cast<std::int32_t>(axis));
    random.shuffle(source);
    if (random.one_in(2)) source.pop_back();
    if (random.one_in(2)) source.push_back(replicated);
    random.shuffle(source);
    Box box = sample.box;
    relabel(box, source);
    INFO("relabelled ", to_string(box));
    Shape shape;
    for (const std::int32_t axis : source)
      shape.push_back(axis == replicated ? 1 : sample.shape[static_cast<std::size_t>(axis)]);
    REQUIRE(pairs_of(box) == changed(sample.box, [&](auto& at) {
              std::vector<std::int64_t> moved;
              for (const std::int32_t axis : source)
                moved.push_back(axis == replicated ? 0 : at[static_cast<std::size_t>(axis)]);
              at = moved;
            }));
    check_form({box}, shape);
  });
}

TEST_CASE("linearise leaves the row-major position") {
  for_random_boxes(12, [](Sample& sample, Random&) {
    const Box line = linearise(sample.box, sample.shape);
    INFO("line ", to_string(line));
    REQUIRE(pairs_of(line) == changed(sample.box, [&](auto& at) {
              at = {linear_index(Index(at.begin(), at.end()), sample.shape)};
            }));
    check_form({line}, {element_count(sample.shape)});
  });
}

/// A random shape of `count` elements.
Shape factors_of(std::int64_t count, Random& random) {
  Shape shape;
  for (std::int64_t left = count; left > 1;) {
    std::int64_t factor = random.in(2, left);
    while (left % factor != 0) --factor;
    if (random.one_in(4)) factor = left;
    if (factor == 1) factor = left;
    shape.push_back(factor);
    left /= factor;
  }
  if (random.one_in(2)) shape.push_back(1);
  if (random.one_in(4)) shape.push_back(1);
  random.shuffle(shape);
  return shape;
}

TEST_CASE("refactor goes from the coordinates of one shape to those of another") {
  for_random_boxes(13, [](Sample& sample, Random& random) {
    if (element_count(sample.shape) > 5000) return;
    const Shape to = factors_of(element_count(sample.shape), random);
    INFO("to ", to_string(to));
    Boxes parts;
    refactor(sample.box, sample.shape, to, parts);
    INFO("parts", text(parts));
    REQUIRE(pairs_of(parts) == changed(sample.box, [&](auto& at) {
              const Index index =
                  unravel_index(linear_index(Index(at.begin(), at.end()), sample.shape), to);
              at.assign(index.begin(), index.end());
            }));
    check_form(parts, to);
  });
}

TEST_CASE("refactor to and from rank 0 knows the one element") {
  const Box one = dense_box({1, 1}, {0, 0}, nullptr);
  Boxes parts;
  refactor(one, {1, 1}, {}, parts);
  REQUIRE(parts.size() == 1);
  CHECK(parts[0].origin.empty());
  CHECK(parts[0].digits.empty());
  Boxes back;
  refactor(parts[0], {}, {1, 1, 1}, back);
  REQUIRE(back.size() == 1);
  CHECK(to_string(back[0]) == "out 0 at [0, 0, 0]");
}

TEST_CASE("a dense box reads every element from where it stands") {
  const Shape shape{2, 1, 3};
  const Box box = dense_box(shape, {4, 5, 6}, nullptr);
  Pairs expected;
  for (std::int64_t i = 0; i < 6; ++i) expected.push_back({i, {4 + i / 3, 5, 6 + i % 3}});
  CHECK(pairs_of(box) == expected);
}

TEST_CASE("check_box names what is broken") {
  const auto broken = [](const Box& box, const Shape& shape) -> std::string {
    try {
      check_box(box, shape);
    } catch (const std::logic_error& error) {
      return error.what();
    }
    return "";
  };
  CHECK(broken({0, {0}, {{6, 1, 1, 0}}, nullptr}, {6}) == "");
  CHECK(broken({0, {0}, {{6, 1, 1, 0}}, nullptr}, {6, 1}).find("rank") != std::string::npos);
  CHECK(broken({0, {0}, {{6, 1, 1, 1}}, nullptr}, {6}).find("axis") != std::string::npos);
  CHECK(broken({0, {0}, {{1, 1, 1, 0}}, nullptr}, {6}).find("extent") != std::string::npos);
  CHECK(broken({0, {0}, {{7, 1, 1, 0}}, nullptr}, {6}).find("outside") != std::string::npos);
  CHECK(broken({0, {0}, {{6, 1, -1, 0}}, nullptr}, {6}).find("outside") != std::string::npos);
  CHECK(broken({0, {0}, {{3, 2, 1, 0}, {3, 1, 3, 0}}, nullptr}, {9}).find("nested") !=
        std::string::npos);  // out: 2 is not above the span 2 of the digit below
  CHECK(broken({0, {0}, {{3, 3, 2, 0}, {3, 1, 1, 0}}, nullptr}, {9}).find("nested") !=
        std::string::npos);  // the same on the axis
  Tables tables{Table{{0, 1, 2}, {}}, Table{{0, 5, 1}, {0, 3, 3}}};
  CHECK(broken({0, {0}, {{2, 1, 0, 0, &tables[0]}}, &tables}, {6}).find("table size") !=
        std::string::npos);
  CHECK(broken({0, {0}, {{3, 3, 0, 0, &tables[1]}}, &tables}, {6}).find("increasing") !=
        std::string::npos);
}

// --- merge ---

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

// --- tables ---

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
}  // namespace weft

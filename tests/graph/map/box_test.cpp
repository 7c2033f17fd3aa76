// SPDX-License-Identifier: Apache-2.0
// The laws of boxes: what a primitive does to a box, it does to each of its elements.
#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include <weft/graph/map/box.h>

#include "support/box_samples.h"

namespace weft::testing {
namespace {

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
    Box line = sample.box;
    linearise(line, sample.shape);
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
    } catch (const InternalError& error) {
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
  Tables tables{Table{{0, 1, 2}, {}}, Table{{0, 5, 1}, {0, 3, 3}}};
  CHECK(broken({0, {0}, {{2, 1, 0, 0, &tables[0]}}, &tables}, {6}).find("table size") !=
        std::string::npos);
  CHECK(broken({0, {0}, {{3, 3, 0, 0, &tables[1]}}, &tables}, {6}).find("increasing") !=
        std::string::npos);
}

}  // namespace
}  // namespace weft::testing

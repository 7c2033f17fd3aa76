// SPDX-License-Identifier: Apache-2.0
// The long_shuffle kernel: groups of more than a line, by loops and by tables, up and down.
#include <doctest/doctest.h>

#include "support/nests.h"
#include "support/random.h"

using namespace weft;
using weft::testing::bind_named;
using weft::testing::check_carried_out;
using weft::testing::chosen;
using weft::testing::Moved;
using weft::testing::nest_of_loops;
using weft::testing::on_every_target;
using weft::testing::Random;

namespace {

constexpr std::int64_t enough = 40 * 1024;

/// So many groups in three loops around, with a gap behind each row of them.
Nest around(std::int64_t unit, std::int64_t group, std::int64_t step, std::int64_t gap) {
  const std::int64_t groups = enough / group / 6 + 1, row = groups * group + gap;
  const std::int64_t src = groups * std::abs(step) + 5;
  return nest_of_loops(unit, {{3, 2 * row, -2 * src}, {2, row, src}, {groups, group, step}});
}

}  // namespace

TEST_CASE("groups of more than a line by loops within them, whatever way they go") {
  Random random(20261126);
  std::int64_t found = 0, lines = 0;
  for (int k = 0; k < 600; ++k) {
    CAPTURE(k);
    const std::int64_t unit = std::array{1, 1, 2, 3, 4}[random.below(5)];
    const std::int64_t inner = random.in(2, 40), outer = random.in(1, 512 / unit / inner);
    const std::int64_t group = unit * inner * outer;
    Nest nest = around(unit, group, random.in(-2, 2) * group / 2, random.in(0, 3));
    if (outer > 1) nest.loops.push_back({outer, inner * unit, {random.in(-3, 3) * unit}});
    nest.loops.push_back({inner, unit, {random.in(-20, 20)}});
    const Moved moved(nest, random.in(0, 63));
    on_every_target([&] {
      lines += permutes_lines() && group > 64;
      Nest left = moved.nest();
      Bound bound;
      left.look();
      if (!bind_named("long_shuffle", left, {}, bound)) return;
      found += permutes_lines();
      check_carried_out("long_shuffle", moved);
    });
  }
  CHECK(found * 10 >= lines * 2);
}

TEST_CASE("groups of more than a line by a table of what each element is made of") {
  Random random(20261127);
  for (int k = 0; k < 100; ++k) {
    CAPTURE(k);
    const std::int64_t element = std::array{1, 2, 3, 4, 8}[random.below(5)];
    const std::int64_t count = random.in(64 / element + 1, 256 / element);
    std::vector<std::int64_t> table(static_cast<std::size_t>(count));
    for (std::int64_t& from : table) from = random.in(-count / 2, count / 2);
    Nest nest = around(element, count * element, random.in(-1, 1) * 37, random.in(0, 3));
    nest.element = element;
    nest.loops.push_back({count, element, {}, nullptr, table.data()});
    const Moved moved(nest, random.in(0, 63));
    on_every_target([&] {
      Nest left = moved.nest();
      Bound bound;
      if (bind_named("long_shuffle", left, {}, bound)) check_carried_out("long_shuffle", moved);
    });
    on_every_target([&] {
      if (permutes_lines() && element < 4) CHECK(chosen(nest) == "long_shuffle");
    });
  }
}

TEST_CASE("nothing is made of groups that are too long, too scattered, or moved as well as runs") {
  on_every_target([] {
    const auto is_taken = [](Nest nest) {
      Bound bound;
      nest.look();
      return bind_named("long_shuffle", nest, {}, bound);
    };
    const auto groups = [](std::int64_t inner, std::int64_t step) {
      Nest nest = around(1, 4 * inner, 4 * inner, 0);
      nest.loops.push_back({4, inner, {1}});
      nest.loops.push_back({inner, 1, {step}});
      return nest;
    };
    CHECK(is_taken(groups(29, 8)));
    CHECK((chosen(groups(29, 8)) == "long_shuffle") == permutes_lines());
    CHECK_FALSE(is_taken(groups(129, 8)));
    CHECK_FALSE(is_taken(groups(29, 100)));
    CHECK_FALSE(is_taken(groups(29, 1)));
    CHECK_FALSE(is_taken(groups(29, std::int64_t{1} << 40)));
  });
}

TEST_CASE("groups of at most a line, where they are turned or do not follow one another") {
  const std::vector<std::int64_t> table{1, 0, 5, 4, 3, 2};
  Nest apart = nest_of_loops(1, {{49, 7560, -7560}, {35, 216, 216}, {3, 6, 6}, {6, 1, 0}});
  apart.loops.back().src_table = table.data();
  const Nest turned =
      nest_of_loops(2, {{19, 15488, 32}, {242, 64, 608}, {16, 4, 2}, {2, 2, 147136}});
  // Rows of few bytes fill no squares.
  const Nest few =
      nest_of_loops(1, {{45, 3360, 3360}, {8, 420, 1}, {14, 30, 240}, {3, 10, 8}, {10, 1, 24}});
  for (const Nest& nest : {apart, turned, few}) {
    const Moved moved(nest, 3);
    on_every_target([&] {
      CHECK((chosen(moved.nest()) == "long_shuffle") == permutes_lines());
      if (permutes_lines()) check_carried_out("long_shuffle", moved);
    });
  }
  // Those that follow one another are made several at once.
  Nest side_by_side = nest_of_loops(1, {{40, 600, 600}, {100, 6, 6}, {6, 1, 0}});
  side_by_side.loops.back().src_table = table.data();
  CHECK(chosen(side_by_side) == "shuffle");
}

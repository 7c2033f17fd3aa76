// SPDX-License-Identifier: Apache-2.0
// The weave_lines kernel: groups of two sources that move apart, up and down, whole and cut short.
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

/// Rows of `count` groups, `a` units of one source and then `b` of another, whose groups lie so
/// many bytes apart, and their units `own` bytes.
Nest woven(std::int64_t unit, std::int64_t count, std::int64_t a, std::int64_t b,
           std::array<std::int64_t, 2> apart, std::array<std::int64_t, 2> own, std::int64_t gap) {
  const std::int64_t group = (a + b) * unit, row = count * group + gap;
  Nest nest = nest_of_loops(unit, {{3, 2 * row, 0}, {2, row, 0}, {count, group, apart[0]}});
  nest.sources = 2;
  nest.of[1].memory = 1;
  nest.of[1].dst = a * unit;
  nest.loops[2].src[1] = apart[1];
  for (std::size_t s = 0; s < 2; ++s) {
    nest.loops[1].src[s] = count * std::abs(apart[s]) + 7;
    nest.loops[0].src[s] = 2 * nest.loops[1].src[s] + 1;
  }
  if (a > 1) nest.of[0].own.push_back({a, unit, own[0]});
  if (b > 1) nest.of[1].own.push_back({b, unit, own[1]});
  return nest;
}

}  // namespace

TEST_CASE("groups of two sources, up and down, near and far, that stand still or repeat") {
  Random random(20261126);
  std::int64_t found = 0, lines = 0;
  for (int k = 0; k < 3000; ++k) {
    CAPTURE(k);
    const std::int64_t unit = std::array{1, 2, 3, 4, 8, 12}[random.below(6)];
    const std::int64_t most = most_group_bytes / unit;
    const std::int64_t a = random.in(1, most - 1), b = random.in(1, most - a);
    const auto step = [&] { return random.in(-2, 3) * unit + random.in(0, 1); };
    const std::array<std::int64_t, 2> apart{a * step(), b * step()};
    const Moved moved(woven(unit, random.in(2, 70), a, b, apart,
                            {random.in(-2, 2) * unit, random.in(-2, 2) * unit}, random.in(0, 2)));
    on_every_target([&] {
      lines += permutes_lines();
      Nest left = moved.nest();
      Bound bound;
      if (!bind_named("weave_lines", left, {}, bound)) return;
      found += permutes_lines();
      check_carried_out("weave_lines", moved);
    });
  }
  CHECK(found * 10 >= lines);
}

TEST_CASE("pairs are woven by lines where one instruction permutes them, or no vectors take them") {
  on_every_target([] {
    const Nest near = woven(1, 100, 1, 1, {1, 2}, {1, 1}, 0);
    CHECK(chosen(near) == (permutes_bytes() ? "weave_lines" : "weave"));
    const Nest down = woven(3, 100, 1, 1, {-3, -6}, {3, 3}, 0);
    CHECK(chosen(down) == (permutes_lines() ? "weave_lines" : "weave"));
  });
}

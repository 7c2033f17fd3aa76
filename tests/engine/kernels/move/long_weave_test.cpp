// SPDX-License-Identifier: Apache-2.0
// The long_weave kernel: groups of two sources, each with a table of what it has of a group.
#include <doctest/doctest.h>

#include <weft/engine/kernels/move/long_groups.h>

#include "support/nests.h"
#include "support/random.h"

using namespace weft;
using weft::testing::bind_named;
using weft::testing::check_carried_out;
using weft::testing::chosen;
using weft::testing::Moved;
using weft::testing::on_every_target;
using weft::testing::Random;

namespace {

/// What a source has of groups, for tables of a nest to point to.
struct Part {
  std::vector<std::int64_t> dst, src;
};

/// Groups of so many elements, of which each source has some, in three loops around; the second
/// source stands still or moves on in its own way.
Nest woven(Random& random, std::int64_t element, std::int64_t group, std::array<Part, 2>& parts) {
  for (Part& part : parts) part = {};
  for (std::int64_t k = 0; k < group; ++k) {
    Part& part = parts[k == 0 ? 0 : k == 1 ? 1 : random.below(2)];
    part.dst.push_back(k);
    part.src.push_back(random.in(-30, 30));
  }
  const std::int64_t groups = random.in(2, 30), gap = random.in(0, 3);
  Nest nest;
  nest.unit = nest.element = element;
  nest.sources = 2;
  nest.of[1].memory = 1;
  const std::array<std::int64_t, 2> apart{random.in(-2, 2) * group * element,
                                          random.one_in(2) ? 0 : random.in(-9, 9) * element};
  const std::int64_t row = groups * group * element + gap;
  nest.loops.push_back({3, 2 * row, {-5 * apart[0], 3 * apart[1]}});
  nest.loops.push_back({2, row, {7 * apart[0] + 3, 2 * apart[1]}});
  nest.loops.push_back({groups, group * element, apart});
  for (std::size_t s = 0; s < 2; ++s) {
    nest.of[s].listed = std::ssize(parts[s].dst);
    nest.of[s].dst_table = parts[s].dst.data();
    nest.of[s].src_table = parts[s].src.data();
  }
  return nest;
}

}  // namespace

TEST_CASE("groups of two sources by tables, from a few bytes to several lines") {
  Random random(20261128);
  std::int64_t found = 0, lines = 0;
  for (int k = 0; k < 600; ++k) {
    CAPTURE(k);
    const std::int64_t element = std::array{1, 2, 3, 4, 8}[random.below(5)];
    std::array<Part, 2> parts;
    const Moved moved(woven(random, element, random.in(2, 512 / element), parts), random.in(0, 63));
    on_every_target([&] {
      lines += permutes_lines();
      Nest left = moved.nest();
      Bound bound;
      if (!bind_named("long_weave", left, {}, bound)) return;
      found += permutes_lines();
      check_carried_out("long_weave", moved);
      CHECK(chosen(moved.nest()) == (permutes_lines() ? "long_weave" : "none"));
    });
  }
  CHECK(found * 2 >= lines);
}

TEST_CASE("pieces of a group: runs, values again and again, what neither goes on") {
  const auto pieces = [](const std::vector<std::int64_t>& from, std::int64_t unit = 1) {
    LongPlaces places;
    for (std::size_t k = 0; k < from.size(); ++k) {
      const auto at = static_cast<std::int64_t>(k);
      REQUIRE(places.add(at * unit, from[k] * unit, unit, std::ssize(from) * unit));
    }
    return cost_of({&places, 1}, std::ssize(from) * unit, unit, true).value().pieces;
  };
  CHECK(pieces({1, 2, 3, 4}) == 1);
  CHECK(pieces({7, 7, 7, 7}) == 1);
  CHECK(pieces({1, 2, 3, 3, 4, 5}) == 2);
  CHECK(pieces({0, 0, 1, 1, 2, 2, 3, 3}) == 4);
  CHECK(pieces({0, 0, 1, 1, 2, 2, 3, 3}, 3) == 4);
  CHECK(pieces({5, 3, 1}) == 3);
}

// SPDX-License-Identifier: Apache-2.0
// Meeting: joint pieces against their operands' boxes, position by position.
#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include <weft/graph/map/meet.h>

#include "support/box_samples.h"

using namespace weft;
using namespace weft::testing;

namespace {

/// Where each operand is read for each position; empty where no piece has it, or two have.
using Places = std::vector<std::vector<std::int64_t>>;

void add_places(const JointBox& piece, std::size_t loop, std::int64_t at,
                const std::vector<std::int64_t>& places, Places& out, bool& is_disjoint) {
  if (loop == piece.loops.size()) {
    std::vector<std::int64_t>& place = out.at(static_cast<std::size_t>(at));
    is_disjoint = is_disjoint && place.empty();
    place = places;
    return;
  }
  const JointLoop& own = piece.loops[loop];
  for (std::int64_t i = 0; i < own.extent; ++i) {
    std::vector<std::int64_t> next = places;
    for (std::size_t k = 0; k < next.size(); ++k) next[k] += own.steps[k].at(i);
    add_places(piece, loop + 1, at + own.stride * i, next, out, is_disjoint);
  }
}

Places places_of(const JointBoxes& pieces, std::int64_t count) {
  Places places(static_cast<std::size_t>(count));
  bool is_disjoint = true;
  for (const JointBox& piece : pieces)
    add_places(piece, 0, piece.offset, {piece.first.begin(), piece.first.end()}, places,
               is_disjoint);
  CHECK(is_disjoint);
  return places;
}

Places places_of(const std::vector<Boxes>& operands, std::int64_t count) {
  Places places(static_cast<std::size_t>(count));
  for (const Boxes& boxes : operands)
    for (const auto& [at, place] : pairs_of(boxes))
      places.at(static_cast<std::size_t>(at)).push_back(place[0]);
  return places;
}

/// An operand in the making: boxes of coordinates that cover a space.
struct Operand {
  Shape shape;  // of what the coordinates are in now
  Boxes boxes;
  Tables& tables;

  Operand(const Shape& of, Tables& in) : shape(of), tables(in) {
    boxes.push_back(dense_box(shape, Index(shape.size(), 0), &tables));
  }

  template <class Change>
  Operand& each(const Change& change) {
    Boxes changed;
    for (const Box& box : boxes) change(box, changed);
    for (Box& box : changed) canonicalise(box);
    merge(changed);
    boxes = std::move(changed);
    return *this;
  }
  Operand& roll(std::int32_t axis, std::int64_t shift) {
    const std::int64_t n = shape[static_cast<std::size_t>(axis)];
    return each([&](const Box& box, Boxes& out) { rotate(box, axis, shift, n, out); });
  }
  Operand& flip(std::int32_t axis) {
    const std::int64_t n = shape[static_cast<std::size_t>(axis)];
    return each([&](Box box, Boxes& out) {
      affine(box, axis, n - 1, -1);
      out.push_back(std::move(box));
    });
  }
  /// Axis k is axis order[k] of what it was.
  Operand& transpose(const std::vector<std::int32_t>& order) {
    Shape turned;
    for (const std::int32_t axis : order) turned.push_back(shape[static_cast<std::size_t>(axis)]);
    shape = turned;
    return each([&](Box box, Boxes& out) {
      relabel(box, order);
      out.push_back(std::move(box));
    });
  }
  Operand& tile(std::int32_t axis, std::int64_t n) {
    shape[static_cast<std::size_t>(axis)] = n;
    return each([&](const Box& box, Boxes& out) { remainder(box, axis, n, out); });
  }
  Operand& look_up(std::int32_t axis, const std::vector<std::int64_t>& f) {
    return each([&](const Box& box, Boxes& out) { lookup(box, axis, f, out); });
  }
  Boxes lines() {
    return std::move(each([&](Box box, Boxes& out) {
                       linearise(box, shape);
                       out.push_back(std::move(box));
                     }).boxes);
  }
};

Shape random_shape(Random& random, std::int64_t count) {
  Shape shape;
  while (count > 1 && shape.size() < 3) {
    std::int64_t factor = random.in(1, count);
    while (count % factor != 0) --factor;
    shape.push_back(factor);
    count /= factor;
  }
  shape.push_back(count);
  return shape;
}

Boxes random_operand(Random& random, std::int64_t count, Tables& tables) {
  Operand operand(random_shape(random, count), tables);
  for (std::int64_t moves = random.in(0, 4); moves > 0; --moves) {
    const std::size_t rank = operand.shape.size();
    const auto axis = static_cast<std::int32_t>(random.below(rank));
    const std::int64_t n = operand.shape[static_cast<std::size_t>(axis)];
    switch (random.below(5)) {
      case 0:
        if (n > 1) operand.roll(axis, random.in(1, n - 1));
        break;
      case 1:
        operand.flip(axis);
        break;
      case 2: {
        std::vector<std::int32_t> order(rank);
        std::iota(order.begin(), order.end(), 0);
        random.shuffle(order);
        operand.transpose(order);
        break;
      }
      case 3:
        operand.tile(axis, random.in(1, n));
        break;
      default: {
        std::vector<std::int64_t> f(static_cast<std::size_t>(n));
        for (std::int64_t& value : f) value = random.in(0, n - 1);
        operand.look_up(axis, f);
      }
    }
  }
  return operand.lines();
}

std::size_t cuts(const std::vector<Boxes>& operands, std::int64_t count) {
  const auto pieces = meet(operands, 100000);
  REQUIRE(pieces);
  check_joint(*pieces, count);
  CHECK(places_of(*pieces, count) == places_of(operands, count));
  return pieces->size();
}

}  // namespace

TEST_CASE("joint pieces have the positions and places of random operands, in any order of these") {
  constexpr std::int64_t counts[] = {1, 12, 36, 60, 64, 72, 77, 96, 120, 210};
  std::size_t most = 0;
  for (std::uint64_t seed = 1; seed <= 3000; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    Tables tables;
    tables.max_phases = random.one_in(2) ? 1 : 16;
    const std::int64_t count = counts[random.below(std::size(counts))];
    std::vector<Boxes> operands;
    for (std::int64_t k = random.in(1, 4); k > 0; --k)
      operands.push_back(random_operand(random, count, tables));
    const auto pieces = meet(operands, 100000);
    REQUIRE(pieces);
    REQUIRE_NOTHROW(check_joint(*pieces, count));
    REQUIRE(places_of(*pieces, count) == places_of(operands, count));
    most = std::max(most, pieces->size());
    std::vector<std::size_t> order(operands.size());
    std::iota(order.begin(), order.end(), 0);
    random.shuffle(order);
    std::vector<Boxes> others;
    for (const std::size_t k : order) others.push_back(operands[k]);
    const auto again = meet(others, 100000);
    REQUIRE(again);
    REQUIRE(places_of(*again, count) == places_of(others, count));
  }
  CHECK(most > 50);
}

TEST_CASE("pieces are no more than fit into the memory that is left") {
  Tables tables;
  const std::vector<Boxes> operands{Operand({300, 7}, tables).transpose({1, 0}).lines(),
                                    Operand({420, 5}, tables).transpose({1, 0}).lines()};
  const auto pieces = meet(operands, 100000);
  REQUIRE(pieces);
  REQUIRE(pieces->size() > 200);
  const auto bytes = static_cast<std::int64_t>(pieces->size() * sizeof(JointBox));
  CHECK_FALSE(meet(operands, 100000, PlanBudget(bytes)));
  CHECK_FALSE(meet(operands, 100000, PlanBudget(1)));
  const auto again = meet(operands, 100000, PlanBudget(10 * bytes));
  REQUIRE(again);
  CHECK(again->size() == pieces->size());
  // One operand is copied.
  CHECK(meet(std::span(operands).first(1), 100000, PlanBudget(1000)));
  CHECK_FALSE(meet(std::span(operands).first(1), 100000, PlanBudget(100)));
}

TEST_CASE("an operand alone has the pieces that it has boxes") {
  Tables tables;
  CHECK(cuts({Operand({6, 8}, tables).lines()}, 48) == 1);
  CHECK(cuts({Operand({6, 8}, tables).roll(0, 2).roll(1, 3).lines()}, 48) == 4);
  CHECK(cuts({Operand({6, 8}, tables).transpose({1, 0}).lines()}, 48) == 1);
}

TEST_CASE("operands meet where each of them is cut, and nowhere else") {
  Tables tables;
  const auto plain = [&] { return Operand({6, 8}, tables).lines(); };
  const auto turned = [&] { return Operand({6, 8}, tables).transpose({1, 0}).lines(); };
  const auto rolled = [&](std::int64_t shift) {
    return Operand({6, 8}, tables).roll(0, shift).lines();
  };
  CHECK(cuts({plain(), plain(), plain()}, 48) == 1);
  CHECK(cuts({plain(), turned()}, 48) == 1);
  CHECK(cuts({plain(), rolled(2)}, 48) == 2);
  CHECK(cuts({rolled(2), rolled(2)}, 48) == 2);
  CHECK(cuts({rolled(2), rolled(3), plain()}, 48) == 3);
  CHECK(cuts({rolled(2), turned()}, 48) == 2);
  const Boxes both = Operand({6, 8}, tables).roll(0, 2).roll(1, 3).lines();
  const Boxes other = Operand({6, 8}, tables).roll(0, 1).roll(1, 5).lines();
  CHECK(cuts({both, plain()}, 48) == 4);
  CHECK(cuts({both, other}, 48) == 9);
  // A row that stands still, and a column.
  CHECK(cuts({plain(), Operand({6, 8}, tables).tile(0, 1).lines()}, 48) == 1);
  CHECK(cuts({plain(), Operand({6, 8}, tables).tile(1, 1).lines()}, 48) == 1);
}

TEST_CASE("a table is a loop like another, and a part of it a part of its array") {
  Tables tables;
  const std::vector<std::int64_t> f{3, 3, 0, 5, 1, 4};
  const auto rows = [&] { return Operand({6, 8}, tables).look_up(0, f).lines(); };
  CHECK(cuts({rows(), Operand({6, 8}, tables).lines()}, 48) == 1);
  CHECK(cuts({rows(), Operand({6, 8}, tables).roll(0, 2).lines()}, 48) == 2);
  CHECK(cuts({rows(), Operand({6, 8}, tables).roll(1, 2).lines()}, 48) == 2);
}

TEST_CASE("meeting gives up where there would be more pieces than are allowed") {
  Tables tables;
  // Strides of 11 and 7 over the same space.
  const std::vector<Boxes> coprime{Operand({7, 11}, tables).transpose({1, 0}).lines(),
                                   Operand({11, 7}, tables).transpose({1, 0}).lines()};
  const auto pieces = meet(coprime, 1000);
  REQUIRE(pieces);
  CHECK(pieces->size() == 17);
  CHECK(meet(coprime, pieces->size()).has_value());
  CHECK_FALSE(meet(coprime, pieces->size() - 1).has_value());
}

TEST_CASE("the invariants of joint pieces are told from what breaks them") {
  const JointLoop row{4, 1, {{1, nullptr}}}, column{2, 4, {{0, nullptr}}};
  CHECK_NOTHROW(check_joint({{0, {0}, {column, row}}}, 8));
  CHECK_THROWS_AS(check_joint({{0, {0}, {column, row}}}, 9), InternalError);  // one is missing
  CHECK_THROWS_AS(check_joint({{1, {0}, {column, row}}}, 8), InternalError);  // beyond the space
  CHECK_THROWS_AS(check_joint({{0, {0}, {row, column}}}, 8), InternalError);  // not nested
  const JointLoop next{2, 4, {{4, nullptr}}};
  CHECK_THROWS_AS(check_joint({{0, {0}, {next, row}}}, 8), InternalError);  // two that are one
}

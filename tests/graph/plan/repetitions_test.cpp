// SPDX-License-Identifier: Apache-2.0
// Repetitions: against positions one by one, and what is stored once against op by op.
#include <doctest/doctest.h>

#include <map>
#include <vector>

#include <weft/graph/plan/repetitions.h>
#include <weft/weft.h>

#include "support/random.h"
#include "support/recipe.h"

namespace weft::testing {
namespace {

/// Which element of which source is written at each position.
using Places = std::map<std::int64_t, std::pair<std::size_t, std::int64_t>>;

void add_places(const Copy& copy, std::size_t k, std::int64_t out, std::int64_t src, Places& to) {
  if (k == copy.loops.size()) {
    CHECK(to.emplace(out, std::pair(copy.source, src)).second);
    return;
  }
  for (std::int64_t i = 0; i < copy.loops[k].extent; ++i)
    add_places(copy, k + 1, out + copy.loops[k].out_at(i), src + copy.loops[k].src_at(i), to);
}
Places places(const std::vector<Copy>& copies) {
  Places all;
  for (const Copy& copy : copies) add_places(copy, 0, copy.out_offset, copy.src_offset, all);
  return all;
}

std::vector<Copy> copies_of(const Tensor& x) {
  const Plan plan = make_plan(x.node_ptr());
  return plan.passes.size() == 1 && !plan.passes[0].is_painted ? plan.passes[0].copies
                                                               : std::vector<Copy>();
}

TEST_CASE("what copies repeat, wherever, is found and read again") {
  std::size_t found_any = 0, found_several = 0;
  for (std::uint64_t seed = 1; seed <= 600; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    Shape shape(1 + random.below(4));
    for (std::int64_t& extent : shape) extent = random.in(1, 6);
    Shape own = shape;
    for (std::int64_t& extent : own)
      if (random.one_in(2)) extent = 1;
    Tensor x = leaf(f32, own);
    for (std::size_t axis = 0; axis < own.size(); ++axis) {
      const auto at = static_cast<std::int64_t>(axis);
      if (own[axis] > 1 && random.one_in(2)) x = x.roll(1, at);
      if (own[axis] > 1 && random.one_in(3)) x = x.flip(at);
    }
    x = x.broadcast_to(shape);
    if (random.one_in(4)) x = x.flip(0);
    const std::vector<Copy> copies = copies_of(x);
    if (copies.empty()) continue;
    const std::int64_t count = element_count(shape);
    const RepeatedCopies found = find_repetitions(copies, count);
    found_any += !found.repetitions.empty();
    found_several += found.repetitions.size() > 1;
    if (found.repetitions.empty()) continue;
    const Places once = places(found.once), often = places(copies);
    CHECK(static_cast<std::int64_t>(once.size()) * found.times() == count);
    for (const auto& [out, read] : places({found.read(9, count)})) {
      CHECK(read.first == 9);
      CHECK(once.at(read.second) == often.at(out));
    }
  }
  CHECK(found_any > 100);
  CHECK(found_several > 10);
}

TEST_CASE("an operand that repeats short parts is stored once") {
  const Tensor row = iota<float>({1, 26}), x = iota<float>({230, 52});
  const Tensor tiled = row.roll(10, 1).broadcast_to({230, 26}).tile({1, 2});
  const Tensor made = maximum(x, tiled);
  const Plan plan = make_plan(made.node_ptr());
  REQUIRE(plan.passes.size() == 2);
  CHECK(plan.passes[0].count <= 52);
  const Tensor expected = maximum(x, tiled.eval());
  CHECK(made.equal(expected).all().item<bool>());
}

}  // namespace
}  // namespace weft::testing

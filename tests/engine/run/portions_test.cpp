// SPDX-License-Identifier: Apache-2.0
// Passes that go together portion by portion: which do, what they make, and what memory they take.
#include <doctest/doctest.h>

#include <numeric>
#include <vector>

#include <weft/engine/run/executable.h>
#include <weft/weft.h>

#include "support/random.h"
#include "support/values.h"

using namespace weft;
using weft::testing::into;
using weft::testing::Random;
using weft::testing::values_of;

namespace {

Executable executable_of(const Tensor& tensor) {
  PlanLimits limits;
  limits.may_measure = false;
  Executable executable(make_plan(tensor.node_ptr(), limits));
  executable.make_ready(no_bases);
  return executable;
}

/// Of the last two passes, where they go by portions.
const Portions* portions_of(const Executable& executable) {
  const auto& passes = executable.passes();
  return passes.size() < 2 ? nullptr : passes[passes.size() - 2].portions.get();
}

/// A movement that keeps about as many elements.
Tensor moved(const Tensor& x, Random& random) {
  const auto rank = static_cast<std::size_t>(x.rank());
  const auto axis = static_cast<std::int64_t>(random.below(rank));
  const std::int64_t extent = x.extent(axis);
  switch (random.below(8)) {
    case 0:
      return x.roll(random.in(1, extent), axis);
    case 1:
      return x.flip(axis);
    case 2: {
      std::vector<std::int64_t> order(rank);
      std::iota(order.begin(), order.end(), 0);
      random.shuffle(order);
      return x.transpose(order);
    }
    case 3: {
      std::vector<std::int64_t> before(rank);
      before[static_cast<std::size_t>(axis)] = random.in(1, 9);
      return x.pad(before, before, random.one_in(2) ? "edge" : "constant");
    }
    case 4:
      return extent < 2 ? x : x.slice({random.in(0, extent / 2)}, {extent}, {1}, {axis});
    case 5:
      return x.repeat(2, axis).slice({extent / 2}, {extent / 2 + extent}, {1}, {axis});
    case 6:
      return extent < 4 ? x
                        : x.slice_scatter(x.slice({0}, {extent / 2}, {1}, {axis}), {1},
                                          {1 + 2 * (extent / 2)}, {2}, {axis})
                              .slice({0}, {extent}, {1}, {axis});
    default:
      return concat({x, x.slice({0}, {1}, {1}, {axis})}, axis);
  }
}

}  // namespace

TEST_CASE("parts of the result, or else of what is read for it, are made and moved at once") {
  const Tensor made = iota<int>({1000, 300}).roll(7, 0).stored();
  const Executable by_result = executable_of(made.flip(0)),
                   by_source = executable_of(made.transpose());
  REQUIRE(portions_of(by_result));
  CHECK_FALSE(portions_of(by_result)->is_by_source);
  CHECK(portions_of(by_result)->made_bytes <= 384 * 1024);
  REQUIRE(portions_of(by_source));
  CHECK(portions_of(by_source)->is_by_source);
  CHECK(values_of(made.flip(0)) == values_of(iota<int>({1000, 300}).roll(7, 0).eval().flip(0)));
  CHECK(values_of(made.transpose()) ==
        values_of(iota<int>({1000, 300}).roll(7, 0).eval().transpose()));
}

TEST_CASE("what several passes read, or is a result, or is read from everywhere, is made whole") {
  const Tensor made = iota<int>({1000, 300}).roll(7, 0).stored();
  CHECK_FALSE(portions_of(executable_of(made.flip(0) + made)));
  CHECK_FALSE(portions_of(executable_of(iota<int>({100, 300}).roll(7, 0).stored().flip(0))));
  CHECK_FALSE(portions_of(executable_of(concat({made, made.flip(0)}).pad({1, 0}, {0, 0}))));
  const auto [flipped, kept] = eval(made.flip(0), made);
  CHECK(values_of(flipped.flip(0)) == values_of(kept));
  // Elements of another size.
  CHECK(values_of(made.view_as(i64).flip(0).view_as(i32).flip({0})) == values_of(kept));
}

TEST_CASE("portions make what both passes make one after the other, whatever they are") {
  int by_portions = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    INFO("seed ", seed);
    Random draw(seed);
    std::vector<std::int64_t> shape{draw.in(200, 400), draw.in(200, 400)};
    if (draw.one_in(2)) shape = {draw.in(20, 60), draw.in(20, 60), draw.in(40, 80)};
    const Tensor first = moved(iota<int>(shape), draw);
    Random again = draw;
    const Tensor y = moved(moved(first.stored(), draw), draw);
    const Tensor apart = moved(moved(first.eval(), again), again);
    by_portions += portions_of(executable_of(y)) != nullptr;
    const std::vector<int> expected = values_of(apart);
    REQUIRE(into(y, {.threads = 1}) == expected);
    REQUIRE(into(y) == expected);
    REQUIRE(values_of(y) == expected);
  }
  CHECK(by_portions > 20);
}

TEST_CASE("memory is asked for as much as tasks have room in, and less where there is less") {
  const Tensor y = iota<int>({2000, 1000}).roll(7, 1).stored().transpose();
  const std::int64_t one = portions_of(executable_of(y))->task_bytes();
  const std::vector<int> expected = into(y);
  CHECK_THROWS_AS(y.eval({.memory_limit = y.bytes() + one - 4096}), MemoryError);
  CHECK(values_of(y.eval({.memory_limit = y.bytes() + one})) == expected);
}

TEST_CASE("rows that are cut between both passes are cut where both have them") {
  // Pairs of the first pass, of 4 elements, would begin within a pair.
  const Tensor x = iota<int>({407'658});
  const Tensor pairs = x.repeat(2, 0).slice_scatter(iota<int>({407'658}), {0}, {815'316}, {2});
  const Tensor y = pairs.stored().slice_scatter(x, {1}, {815'316}, {2});
  const Executable executable = executable_of(y);
  REQUIRE(portions_of(executable));
  for (const Portions::Portion& portion : portions_of(executable)->portions)
    CHECK(portion.low % 2 == 0);
}

TEST_CASE("the steps of all portions take no more than is left for planning") {
  const Tensor first = iota<int>({1000, 300}).roll(7, 0).stored().flip(0).stored();
  const Tensor y = first.roll(9, 0).stored().flip(0);
  PlanLimits limits;
  limits.may_measure = false;
  const auto ready = [&] {
    Executable made(make_plan(y.node_ptr(), limits));
    made.make_ready(no_bases);
    return made;
  };
  const Executable all = ready();
  std::vector<std::int64_t> kept;
  for (const ExecutablePass& pass : all.passes())
    if (pass.portions) kept.push_back(pass.portions->bytes());
  REQUIRE(kept.size() == 2);
  limits.planning_bytes = all.plan.own_bytes() + kept[0] + kept[1] / 2;
  const Executable less = ready();
  CHECK(less.own_bytes() <= limits.planning_bytes);
  CHECK_FALSE(less.passes()[0].portions->steps.empty());
  CHECK(less.passes()[2].portions->steps.empty());
}

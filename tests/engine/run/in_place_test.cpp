// SPDX-License-Identifier: Apache-2.0
// In place: updates are written into data that was given up, and into no other.
#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>

#include <weft/engine/run/in_place.h>
#include <weft/weft.h>

#include "support/random.h"
#include "support/values.h"
#include <weft/testing/reference.h>

using namespace weft;
using weft::testing::Random;
using weft::testing::reference_value;
using weft::testing::values_of;

namespace {

std::vector<int> counted(int count) {
  std::vector<int> values(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) values[static_cast<std::size_t>(i)] = i;
  return values;
}

/// 0 to 9 with 2 and 3 replaced.
const std::vector<int> after{0, 1, -7, -8, 4, 5, 6, 7, 8, 9};

/// Gives `x`, which holds 0 to 9, up for `after`.
Tensor replace(Tensor&& x) { return std::move(x).slice_scatter(array({-7, -8}), {2}, {4}); }

}  // namespace

TEST_CASE("in place: data given up is where the result is") {
  Tensor x = iota<int>(10);
  const int* const memory = x.data<int>();
  const Tensor y = replace(std::move(x));
  CHECK_THROWS_AS(x.eval(), EmptyError);
  CHECK(y.data<int>() == memory);
  CHECK(values_of(y) == after);
}

TEST_CASE("in place: a value that was computed, again and again") {
  Tensor x = iota<int>({4, 10}).transpose().eval();
  const int* const memory = x.data<int>();
  std::vector<int> expected = values_of(x);
  for (int i = 0; i < 10; ++i) {
    x = std::move(x).slice_scatter(full<int>({1, 4}, -i), {i}, {i + 1}).eval();
    std::fill_n(expected.begin() + 4 * i, 4, -i);
    CHECK(x.data<int>() == memory);
    CHECK(values_of(x) == expected);
  }
}

TEST_CASE("in place: two updates in one expression, the later one on top") {
  Tensor x = iota<int>(10);
  const int* const memory = x.data<int>();
  const Tensor y =
      replace(std::move(x)).slice_scatter(array({-1, -2, -3}), {3}, {10}, {3}).reshape({2, 5});
  CHECK(values_of(y) == std::vector<int>{0, 1, -7, -1, 4, 5, -2, 7, 8, -3});
  CHECK(y.data<int>() == memory);
}

TEST_CASE("in place: with steps, forwards and backwards") {
  for (const int step : {1, 2, 3, -1, -2, -3}) {
    const int picked = (200 + std::abs(step) - 1) / std::abs(step);
    const Tensor updates = iota<int>({picked, 300}, -1000000);
    const int start = step > 0 ? 0 : 199, stop = step > 0 ? 200 : -201;
    const Tensor kept = iota<int>({200, 300});
    Tensor x = iota<int>({200, 300});
    const int* const memory = x.data<int>();
    const Tensor y = std::move(x).slice_scatter(updates, {start}, {stop}, {step});
    CHECK(values_of(y) == values_of(kept.slice_scatter(updates, {start}, {stop}, {step})));
    // Data that is wholly replaced is not read.
    CHECK((y.data<int>() == memory) == (std::abs(step) > 1));
  }
}

TEST_CASE("in place: many updates, painted and not, on one thread and on two") {
  for (const int threads : {1, 2})
    for (const int step : {1, 2, 3}) {
      const std::int64_t n = 1800, picked = (n - 10 + step - 1) / step;
      const Tensor updates = iota<int>({picked, picked}, -100000000);
      const auto scattered = [&](auto&& data) {
        return std::forward<decltype(data)>(data).slice_scatter(updates, {10, 10}, {n, n},
                                                                {step, step});
      };
      const Tensor kept = iota<int>({n, n});
      Tensor x = iota<int>({n, n});
      const int* const memory = x.data<int>();
      const Tensor y = scattered(std::move(x)).eval({.threads = threads});
      const Tensor copied = scattered(kept).eval();
      CHECK(y.data<int>() == memory);
      CHECK(std::memcmp(y.data<int>(), copied.data<int>(), static_cast<std::size_t>(y.bytes())) ==
            0);
    }
}

TEST_CASE("in place: with plans from a cache, and with one that eval_into kept") {
  PlanCache cache(4);
  for (int i = 0; i < 3; ++i) {
    Tensor x = iota<int>(10);
    const int* const memory = x.data<int>();
    const Tensor y = replace(std::move(x)).eval({.plans = &cache});
    CHECK(y.data<int>() == memory);
    CHECK(values_of(y) == after);
  }
  CHECK(cache.hits() == 2);
  Tensor x = iota<int>(10);
  const int* const memory = x.data<int>();
  const Tensor y = replace(std::move(x));
  std::vector<int> out(10);
  eval_into(y, out.data(), 40);
  CHECK(out == after);
  CHECK(*(memory + 2) == 2);
  CHECK(y.data<int>() == memory);
  CHECK(values_of(y) == after);
}

TEST_CASE("never in place: data that somebody else holds") {
  Tensor x = iota<int>(10);
  SUBCASE("a handle") {
    const Tensor other = x;
    const Tensor y = replace(std::move(x)).eval();
    CHECK(values_of(other) == counted(10));
    CHECK(values_of(y) == after);
  }
  SUBCASE("the handle that was not given up") {
    const Tensor y = x.slice_scatter(array({-7, -8}), {2}, {4}).eval();
    CHECK(values_of(x) == counted(10));
    CHECK(values_of(y) == after);
  }
  SUBCASE("an expression") {
    const Tensor other = x.roll(1, 0);
    const Tensor y = replace(std::move(x)).eval();
    CHECK(other.data<int>()[3] == 2);
    CHECK(values_of(y) == after);
  }
  SUBCASE("an alias") {
    const Tensor other = x.reshape({2, 5}).eval();
    REQUIRE(other.data<int>() == x.data<int>());
    const Tensor y = replace(std::move(x)).eval();
    CHECK(values_of(other) == counted(10));
    CHECK(values_of(y) == after);
  }
  SUBCASE("the updates themselves") {
    const Tensor y = std::move(x).slice_scatter(x.slice({0}, {5}), {5}, {10}).eval();
    CHECK(values_of(y) == std::vector<int>{0, 1, 2, 3, 4, 0, 1, 2, 3, 4});
  }
  SUBCASE("a handle of an expression on the way") {
    const Tensor middle = replace(std::move(x));
    const Tensor y = middle.slice_scatter(array({-1}), {9}, {10}).eval();
    CHECK(values_of(middle) == after);
    CHECK(y.data<int>()[9] == -1);
  }
  SUBCASE("the plan of an expression that goes on to live") {
    const Tensor middle = x.roll(1, 0);
    std::vector<int> out(10);
    eval_into(middle, out.data(), 40);
    const Tensor y = replace(std::move(x)).eval();
    std::vector<int> again(10);
    eval_into(middle, again.data(), 40);
    CHECK(out == again);
  }
}

TEST_CASE("never in place: memory that is not weft's own") {
  std::vector<int> memory = counted(10);
  CHECK(values_of(replace(borrow(memory.data(), 10))) == after);
  CHECK(memory == counted(10));
  // Not even where weft allocated it.
  const std::shared_ptr<std::byte> own = allocate(40);
  std::memcpy(own.get(), memory.data(), 40);
  const int* const elements = reinterpret_cast<const int*>(own.get());
  std::shared_ptr<std::byte> owner = own;
  CHECK(values_of(replace(borrow(elements, 10, std::move(owner)))) == after);
  CHECK(std::equal(memory.begin(), memory.end(), elements));
  CHECK(values_of(replace(from_vector(std::move(memory), 10))) == after);
}

TEST_CASE("never in place: data read from elsewhere than where it goes, or painted on top") {
  Tensor x = iota<int>(10);
  const Tensor rolled = replace(std::move(x)).roll(1, 0);
  CHECK(rolled.data<int>()[3] == -7);
  const Tensor base = full<int>({64, 64}, -1).eval();
  const Tensor y = base.slice_scatter(iota<int>({64, 64}).slice({0, 0}, {64, 64}, {2, 2}), {0, 0},
                                      {64, 64}, {2, 2});
  for (int i = 0; i < 64; ++i)
    for (int j = 0; j < 64; ++j)
      if (y.data<int>()[64 * i + j] != (i % 2 == 0 && j % 2 == 0 ? 64 * i + j : -1))
        FAIL(i, " ", j);
}

TEST_CASE("in place: what fails leaves data as it was, and can be done again") {
  Tensor x = iota<int>(10);
  const int* const memory = x.data<int>();
  CHECK_THROWS_AS(std::move(x).slice_scatter(array({-7, -8}), {2}, {5}), ShapeError);
  CHECK(values_of(x) == counted(10));
  const Tensor y = replace(std::move(x));
  CHECK_THROWS_AS(y.eval({.threads = -1}), ParameterError);
  CHECK(std::equal(memory, memory + 10, counted(10).begin()));
  CHECK(y.data<int>() == memory);
  CHECK(values_of(y) == after);
}

TEST_CASE("in place: what is written over data needs no memory") {
  Tensor x = iota<int>(10);
  const int* const memory = x.data<int>();
  const Tensor y = replace(std::move(x)).eval({.memory_limit = 1});
  CHECK(y.data<int>() == memory);
}

TEST_CASE("in place: updates that are another slice of the same data, all small overlaps") {
  const EvalOptions options{.in_place = true};
  for (int n = 1; n <= 7; ++n)
    for (int count = 1; count <= n; ++count)
      for (int from = 0; from < n; ++from)
        for (int to = 0; to < n; ++to)
          for (const int from_step : {1, 2, -1, -2})
            for (const int to_step : {1, 2, -1}) {
              const auto fits = [&](int start, int step) {
                const int last = start + step * (count - 1);
                return last >= 0 && last < n;
              };
              if (!fits(from, from_step) || !fits(to, to_step)) continue;
              const auto stop = [&](int start, int step) {
                const int past = start + step * count;
                return past < 0 ? INT64_MIN : past;
              };
              const auto build = [&](Tensor&& x) {
                Tensor updates = x.slice({from}, {stop(from, from_step)}, {from_step});
                return std::move(x).slice_scatter(updates, {to}, {stop(to, to_step)}, {to_step});
              };
              const Tensor copied = build(Tensor(iota<int>(n)));
              const std::vector<std::byte> expected = reference_value(copied);
              Tensor data = iota<int>(n);
              const int* const memory = data.data<int>();
              const Tensor y = build(std::move(data)).eval(options);
              INFO("n ", n, " count ", count, " from ", from, " step ", from_step, " to ", to,
                   " step ", to_step);
              CHECK(y.data<int>() == memory);
              CHECK(std::memcmp(y.data<int>(), expected.data(), expected.size()) == 0);
            }
}

TEST_CASE("in place: rolls and flips turn data within its memory") {
  Random random(20);
  for (int round = 0; round < 300; ++round) {
    Shape shape;
    for (std::size_t axis = 0, rank = random.below(4); axis <= rank; ++axis)
      shape.push_back(random.in(1, 9));
    if (random.one_in(10)) shape.back() = random.in(20000, 30000);
    const auto build = [&, seed = random.bits()](Tensor&& x) {
      Random same(seed);
      for (std::size_t k = same.below(3); k < 3; ++k) {
        const int axis = static_cast<int>(same.below(shape.size()));
        if (same.one_in(3)) x = std::move(x).flip(axis);
        else if (same.one_in(4)) x = x.transpose().transpose();
        else x = std::move(x).roll(same.in(-30000, 30000), axis);
      }
      return std::move(x);
    };
    const std::vector<std::byte> expected = reference_value(build(iota<int>(shape)));
    Tensor data = iota<int>(shape);
    const int* const memory = data.data<int>();
    const Tensor y = build(std::move(data));
    INFO("round ", round, " ", graph_text(y));
    CHECK(y.data<int>() == memory);
    CHECK(std::memcmp(memory, expected.data(), expected.size()) == 0);
  }
}

TEST_CASE("in place: what is required and cannot be says why") {
  const auto why = [](const Tensor& x) {
    try {
      x.eval({.in_place = true});
    } catch (const InPlaceError& error) {
      return std::string(error.what());
    }
    return std::string("it was done");
  };
  const Tensor held = iota<int>({2, 5});
  CHECK(why(held.roll(1, 0)) ==
        "eval: roll [2, 5] cannot be made in place: source 0 is held elsewhere, too");
  // The temporary lives as long as the statement.
  CHECK(why(iota<int>({2, 5}).transpose()) ==
        "eval: transpose [5, 2] cannot be made in place: source 0 is held elsewhere, too");
  CHECK(why(iota<int>({2, 5}).tile({2, 1})) ==
        "eval: tile [4, 5] cannot be made in place: nothing it is made of has its size and is "
        "memory of weft's own");
  CHECK(why(iota<int>(10).slice_scatter(array({1}), {0}, {1})) == "it was done");
}

TEST_CASE("in place: what is put aside counts as memory") {
  Tensor x = iota<int>({100, 100});
  const Tensor y = x.transpose();
  CHECK_THROWS_WITH_AS(
      y.eval({.in_place = true}),
      "eval: transpose [100, 100] cannot be made in place: source 0 is held elsewhere, too",
      InPlaceError);
  x = y;
  CHECK_THROWS_AS(y.eval({.memory_limit = 1000, .in_place = true}), MemoryError);
  y.eval({.in_place = true});
  CHECK(y.data<int>()[1] == 100);
}

TEST_CASE("in place: only where one tensor is evaluated, elsewhere it is refused") {
  const Tensor pair[] = {iota<int>(4).flip(), iota<int>(4).roll(1, 0)};
  CHECK_THROWS_AS(eval(std::span<const Tensor>(pair), {.in_place = true}), ParameterError);
  int out[4];
  CHECK_THROWS_AS(eval_into(pair[0], out, 16, {.in_place = true}), ParameterError);
  CHECK_THROWS_AS(eval_into(pair[0], nullptr, 16), ParameterError);
}

TEST_CASE("in place: explain is not misled by a plan that is kept") {
  Tensor x = iota<int>(8);
  const Tensor y = std::move(x).slice_scatter(array({9}), {0}, {1});
  int out[8];
  eval_into(y, out, 32);
  CHECK(explain(y).find("in place, over source") != std::string::npos);
  y.eval({.in_place = true});
  CHECK(y.data<int>()[0] == 9);
}

TEST_CASE("in place: threads that ask for the value, its copy, and values made of it") {
  for (int round = 0; round < 200; ++round) {
    Tensor x = iota<int>({100, 10});
    Tensor y = std::move(x).slice_scatter(full<int>({50, 5}, -1), {0, 1}, {100, 10}, {2, 2});
    const Tensor other = y.roll(1, 1);
    const auto expected = [](int i, int j) { return i % 2 == 0 && j % 2 == 1 ? -1 : 10 * i + j; };
    std::atomic<int> wrong = 0;
    const auto check = [&](const int* at, int shift) {
      for (int i = 0; i < 100; ++i)
        for (int j = 0; j < 10; ++j) wrong += at[10 * i + (j + shift) % 10] != expected(i, j);
    };
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t)
      threads.emplace_back([&, t] {
        std::vector<int> out(1000);
        if (t == 0) {
          check(y.data<int>(), 0);
        } else if (t == 3) {
          check(other.data<int>(), 1);
        } else {
          const bool is_other = t == 2;
          eval_into(is_other ? other : y, out.data(), 4000);
          check(out.data(), is_other);
        }
      });
    for (std::thread& thread : threads) thread.join();
    CHECK(wrong == 0);
  }
}

TEST_CASE("in place: random updates of random data, against the copying form") {
  Random random(20240611);
  for (int round = 0; round < 500; ++round) {
    const std::size_t rank = 1 + random.below(3);
    std::vector<std::int64_t> shape, start, stop, step;
    for (std::size_t k = 0; k < rank; ++k) shape.push_back(random.in(1, 12));
    Tensor given = iota<int>(shape), kept = iota<int>(shape);
    const std::size_t updates = 1 + random.below(3);
    for (std::size_t u = 0; u < updates; ++u) {
      start.clear(), stop.clear(), step.clear();
      for (std::size_t k = 0; k < rank; ++k) {
        start.push_back(random.in(-14, 14));
        stop.push_back(random.in(-14, 14));
        step.push_back(random.in(1, 4) * (random.one_in(2) ? 1 : -1));
      }
      const Shape picked = kept.slice(start, stop, step).shape();
      const Tensor values = iota<int>(picked, -1000 * static_cast<std::int64_t>(u + 1)).eval();
      given = std::move(given).slice_scatter(values, start, stop, step);
      kept = kept.slice_scatter(values, start, stop, step);
      if (random.one_in(3)) given.eval();
    }
    if (values_of(given) != values_of(kept)) FAIL("round ", round);
  }
}

TEST_CASE("in place: rows put by indices go in any order, unless rows were put before") {
  const auto is_painted = [](const Tensor& x) {
    const Plan plan = make_plan(x.node_ptr());
    const SmallVector<std::size_t, 4> found = bases(plan, 0);
    REQUIRE(found.size() == 1);
    return over_base(plan.passes.back(), found[0], plan.sources.size()).pass.is_painted;
  };
  std::vector<std::int64_t> rows;
  for (std::int64_t k = 0; k < 40; ++k) rows.push_back(k * 37 % 1000);
  const Tensor data = iota<int>({1000, 64}), updates = iota<int>({40, 64}, -10000);
  const Tensor once = data.index_put(Ints(rows), updates);
  CHECK_FALSE(is_painted(once));
  for (std::int64_t& row : rows) row = (row + 37) % 1000;
  CHECK(is_painted(once.index_put(Ints(rows), updates.roll(1, 0))));
}

TEST_CASE("in place: random rows put by indices, against the copying form") {
  Random random(20261125);
  for (int round = 0; round < 60; ++round) {
    const Shape shape{random.in(300, 3000), random.in(32, 200)};
    Tensor given = iota<int>(shape), kept = iota<int>(shape);
    const std::size_t times = 1 + random.below(3);
    for (std::size_t u = 0; u < times; ++u) {
      std::vector<std::int64_t> rows(20 + random.below(60));
      for (std::int64_t& row : rows) row = random.in(0, std::min<std::int64_t>(shape[0], 400) - 1);
      const Tensor values =
          iota<int>({std::ssize(rows), shape[1]}, -1000000 * static_cast<std::int64_t>(u + 1))
              .eval();
      given = std::move(given).index_put(Ints(rows), values);
      kept = kept.index_put(Ints(rows), values);
      if (random.one_in(3)) given.eval();
    }
    if (values_of(given) != values_of(kept)) FAIL("round ", round);
  }
}

TEST_CASE("in place: a slice of the same data, in one statement") {
  Tensor x = iota<int>({100, 8}).eval();
  const int* const memory = x.data<int>();
  x = std::move(x).slice_scatter(x.slice({10}, {30}), {0}, {20}).eval();
  CHECK(x.data<int>() == memory);
  CHECK(x.data<int>()[0] == 80);
  x = std::move(x).select_scatter(x.select(0, 5), 0, 6).eval();
  CHECK(x.data<int>() == memory);
  x = std::move(x).index_put({1, 2}, x.slice({50}, {52})).eval();
  CHECK(x.data<int>() == memory);
  CHECK(x.data<int>()[8] == 400);
}

TEST_CASE("in place: data that was copied from a vector is weft's own") {
  const std::vector<int> values(100, 1);
  Tensor x = from_vector(values, {10, 10});
  const int* const memory = x.data<int>();
  x = std::move(x).slice_scatter(full<int>({1, 10}, 7), {3}, {4}).eval();
  CHECK(x.data<int>() == memory);
  CHECK(x.data<int>()[30] == 7);
}

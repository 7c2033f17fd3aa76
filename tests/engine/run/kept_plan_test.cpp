// SPDX-License-Identifier: Apache-2.0
// Plans kept with their expressions: used again, within the same limits, for as long as they hold.
#include <doctest/doctest.h>

#include <functional>
#include <memory>
#include <span>
#include <stop_token>
#include <thread>
#include <utility>
#include <vector>

#include <weft/engine/run/executable.h>
#include <weft/weft.h>

#include "support/values.h"

using namespace weft;
using weft::testing::into;
using weft::testing::values_of;

TEST_CASE("eval_into keeps the plan and uses it again") {
  const Tensor y = iota<int>({3, 4}).roll(1, 1).transpose();
  const std::vector<int> first = into(y);
  std::unique_ptr<Executable> kept = take_executable(y.node());
  REQUIRE(kept);
  const Copy* const copies = kept->plan.passes[0].copies.data();
  y.node().put_back(std::move(kept));
  CHECK(into(y) == first);
  kept = take_executable(y.node());
  REQUIRE(kept);
  CHECK(kept->plan.passes[0].copies.data() == copies);
  CHECK(values_of(y) == first);
}

TEST_CASE("eval_into keeps no plan with an expression that goes, but with one that others hold") {
  const Tensor x = iota<int>({3, 4});
  std::vector<int> out(12);
  eval_into(x.transpose(), out);
  CHECK(out == values_of(x.transpose()));
  Tensor y = x.roll(1, 1);
  const Tensor held = y;
  eval_into(std::move(y), std::span(out));
  CHECK(held.node().take_executable());
  CHECK(out == values_of(held));
  Tensor z = x.flip();
  eval_into(std::move(z), out.data(), 48);
  CHECK(out == values_of(x.flip()));
  CHECK_FALSE(z.node().take_executable());
  CHECK_THROWS_AS(eval_into(Tensor(), out.data(), 48), EmptyError);
}

TEST_CASE("a kept plan that is run at once still heeds what options ask for") {
  const Tensor y = iota<int>({3, 4}).transpose();
  const std::vector<int> first = into(y);
  std::unique_ptr<Executable> kept = take_executable(y.node());
  REQUIRE(kept);
  CHECK(kept->is_quick());
  y.node().put_back(std::move(kept));
  std::vector<int> out(12);
  CHECK_THROWS_AS(eval_into(y, out.data(), 44), ShapeError);
  CHECK_THROWS_AS(eval_into(y, nullptr, 48), ParameterError);
  CHECK_THROWS_AS(eval_into(y, out.data(), 48, {.threads = -1}), ParameterError);
  CHECK_THROWS_AS(eval_into(y, out.data(), 48, {.in_place = true}), ParameterError);
  std::stop_source stopped;
  stopped.request_stop();
  CHECK_THROWS_AS(eval_into(y, out.data(), 48, {.stop = stopped.get_token()}), Cancelled);
  double told = 0;
  const std::function<void(double)> progress = [&](double part) { told = part; };
  eval_into(y, out.data(), 48, {.progress = &progress});
  CHECK(told == 1);
  CHECK(out == first);
  CHECK(into(y) == first);
}

TEST_CASE("a kept plan is made anew where the limits are others") {
  const Tensor y = iota<int>({3, 4}).roll(1, 1).transpose();
  const std::vector<int> first = into(y);
  CHECK(into(y, {.memory_limit = 1000}) == first);
  const std::unique_ptr<Executable> kept = take_executable(y.node());
  REQUIRE(kept);
  CHECK(kept->plan.limits.stored_bytes == 1000);
  CHECK_THROWS_AS(y.eval({.memory_limit = 10}), MemoryError);
  CHECK(into(y) == first);
}

TEST_CASE("a kept plan goes when its node gains its value, and what it read goes with it") {
  auto owner = std::make_shared<std::vector<int>>(std::vector<int>{1, 2, 3, 4, 5, 6});
  const std::weak_ptr<std::vector<int>> alive = owner;
  const Tensor y = borrow(owner->data(), {2, 3}, owner).transpose();
  owner.reset();
  CHECK(into(y) == std::vector<int>{1, 4, 2, 5, 3, 6});
  CHECK_FALSE(alive.expired());
  y.eval();
  CHECK_FALSE(y.node().take_executable());
  CHECK(alive.expired());
  y.node().keep_executable(std::make_unique<Executable>(Plan{}), {});
  CHECK_FALSE(y.node().take_executable());
}

TEST_CASE("a kept plan holds when a node on its way gains its value") {
  const Tensor middle = iota<int>({3, 4}).roll(1, 1);
  const Tensor y = middle.transpose();
  const std::vector<int> first = into(y);
  middle.eval();
  CHECK(into(y) == first);
}

TEST_CASE("what an expression does not read any more is not kept by its plan") {
  Tensor x = iota<int>({3, 4}).eval();
  const Tensor inner = x.roll(1, 1), middle = inner.flip(0);
  const Tensor y = middle.transpose();
  const std::vector<int> first = into(y);
  CHECK(into(y) == first);
  REQUIRE(take_executable(y.node()));  // and so it is put into y anew
  CHECK(into(y) == first);
  middle.eval();
  inner.eval();
  CHECK_FALSE(take_executable(y.node()));
  const int* const data = x.data<int>();
  const Tensor given_up = std::move(x).slice_scatter(full<int>({1, 4}, -1), {0}, {1});
  CHECK_NOTHROW(given_up.eval({.in_place = true}));
  CHECK(given_up.data<int>() == data);
  CHECK(into(y) == first);
  CHECK(take_executable(y.node()));
}

TEST_CASE("a plan that is in use when what it reads changes is not kept") {
  const Tensor x = iota<int>({3, 4}).eval();
  const Tensor middle = x.roll(1, 1), y = middle.transpose();
  const std::vector<int> first = into(y);
  std::unique_ptr<Executable> kept = take_executable(y.node());
  REQUIRE(kept);
  middle.eval();
  y.node().put_back(std::move(kept));
  CHECK_FALSE(y.node().take_executable());
  // Nor one that was made from what was seen before.
  const Node* const below[] = {&middle.node()};
  y.node().keep_executable(std::make_unique<Executable>(Plan{}), below);
  CHECK_FALSE(y.node().take_executable());
  CHECK(into(y) == first);
}

TEST_CASE("nodes that many expressions share forget those that are gone") {
  const Tensor x = iota<int>({3, 4}).eval();
  const Tensor middle = x.roll(1, 1);
  const std::vector<int> first = into(middle.transpose());
  std::vector<Tensor> some;
  for (int round = 0; round < 1000; ++round) {
    const Tensor y = middle.transpose();
    CHECK(into(y) == first);
    if (round % 100 == 0) some.push_back(y);
  }
  middle.eval();
  for (const Tensor& y : some) {
    CHECK_FALSE(y.node().take_executable());
    CHECK(into(y) == first);
  }
}

TEST_CASE("threads may evaluate an expression while what is below it gains its value") {
  for (int round = 0; round < 100; ++round) {
    const Tensor x = iota<int>({3, 4}).eval();
    const Tensor middle = x.roll(1, 1), y = middle.transpose().tile({2, 2});
    const std::vector<int> expected =
        values_of(iota<int>({3, 4}).roll(1, 1).transpose().tile({2, 2}));
    std::thread other([&] { middle.eval(); });
    int wrong = 0;
    for (int i = 0; i < 8; ++i) wrong += into(y) != expected;
    other.join();
    CHECK(wrong == 0);
    into(y);
    const std::unique_ptr<Executable> kept = take_executable(y.node());
    REQUIRE(kept);
    CHECK(kept->plan.sources[0].value == middle.node().value());
  }
}

TEST_CASE("a kept plan still sees that it would write over what it reads") {
  std::vector<int> values{1, 2, 3, 4, 5, 6};
  const Tensor y = borrow(values.data(), {2, 3}).transpose();
  CHECK(into(y) == std::vector<int>{1, 4, 2, 5, 3, 6});
  eval_into(y, values.data(), 24);
  CHECK(values == std::vector<int>{1, 4, 2, 5, 3, 6});
}

TEST_CASE("an expression keeps its executable where no index can change") {
  const Tensor x = iota<int>({6});
  std::vector<std::int64_t> elements{5, 0, 3};
  const Tensor own = array<std::int64_t>({5, 0, 3}), borrowed = borrow(elements.data(), {3});
  const auto keeps = [](const Tensor& y) {
    CHECK(into(y) == std::vector<int>{0, 3, 5});
    CHECK(into(y) == std::vector<int>{0, 3, 5});
    return y.node().take_executable() != nullptr;
  };
  CHECK(keeps(x.take(own, 0).roll(-1, 0)));
  CHECK(keeps(x.take({5, 0, 3}, 0).roll(-1, 0)));
  CHECK(keeps(x.take(from_vector(std::vector<std::int64_t>{5, 0, 3}), 0).roll(-1, 0)));
  CHECK(keeps(x.take(own.flip(), 0).flip().roll(-1, 0)));
  CHECK_FALSE(keeps(x.take(borrowed, 0).roll(-1, 0)));
}

TEST_CASE("an index that is written over by what it says is read anew") {
  std::vector<std::int64_t> index{0, 0, 0, 0}, values{-2, 7, 3, 8};
  const Tensor x = borrow(values.data(), {4}), places = borrow(index.data(), {4});
  for (const Tensor& y : {gather_elements(x, places, 0), take(x, places, 0)}) {
    index.assign(4, 0);
    eval_into(y, std::span(index));
    CHECK(index == std::vector<std::int64_t>(4, -2));
    eval_into(y, std::span(index));
    CHECK(index == std::vector<std::int64_t>(4, 3));
  }
}

TEST_CASE(
    "threads may share an alias that one of them gives its value, and others ask for a copy") {
  for (int round = 0; round < 500; ++round) {
    const Tensor y = iota<int>({16}).reshape({4, 4});
    const std::vector<int> expected = values_of(iota<int>({16}));
    std::thread other([&] { y.eval(); });
    for (int i = 0; i < 4; ++i) CHECK(into(y) == expected);
    other.join();
  }
}

TEST_CASE("threads may share an expression whose plan is kept, while one gives it its value") {
  for (int round = 0; round < 50; ++round) {
    const Tensor y = iota<int>({3, 4}).roll(1, 1).transpose().tile({2, 2});
    const std::vector<int> expected =
        values_of(iota<int>({3, 4}).roll(1, 1).transpose().tile({2, 2}));
    std::vector<int> wrong(4, 0);
    std::vector<std::thread> threads;
    for (std::size_t t = 0; t < 4; ++t)
      threads.emplace_back([&, t] {
        for (int i = 0; i < 20; ++i) {
          if (t == 0 && i == 10) y.eval();
          wrong[t] += into(y) != expected;
        }
      });
    for (std::thread& thread : threads) thread.join();
    CHECK(wrong == std::vector<int>(4, 0));
    CHECK_FALSE(y.node().take_executable());
  }
}

// SPDX-License-Identifier: Apache-2.0
// Executables: made once, run again with other threads, other sources and from several threads.
#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include <weft/engine/run/executable.h>
#include <weft/weft.h>

#include "support/nests.h"
#include "support/values.h"

using namespace weft;
using weft::testing::into;
using weft::testing::values_of;
using weft::testing::without_lines;

namespace {

using Manner = PassSteps::Manner;

/// Of the last pass of an expression, ready for memory of its own, on a machine that is not
/// measured.
struct Last {
  Executable executable;
  const PassSteps& steps() const { return executable.passes().back().steps; }
  const std::vector<BlockSteps>& blocks() const { return executable.passes().back().blocks; }
};
Last last_of(const Tensor& tensor, bool is_once = false) {
  PlanLimits limits;
  limits.may_measure = false;
  Executable executable(make_plan(tensor.node_ptr(), limits));
  executable.make_ready({OutputTarget::no_base}, is_once);
  return {std::move(executable)};
}

Tensor evens_replaced(std::int64_t rows) {
  const Tensor x = iota<int>({rows, 256});
  return x.slice_scatter(full<int>({rows / 2, 128}, 7), {0, 0}, {rows, 256}, {2, 2}).roll(7, 1);
}

}  // namespace

TEST_CASE("a pass is divided by its size, and by whether its boxes write whole lines") {
  const auto manner = [](const Tensor& y) { return last_of(y).steps().manner; };
  CHECK(manner(iota<int>({100, 100}).transpose()) == Manner::here);
  CHECK(manner(iota<int>({1000, 100}).transpose()) == Manner::pieces);
  without_lines([&] {
    CHECK(manner(evens_replaced(1024)) == Manner::stretches);
    CHECK(manner(evens_replaced(10240)) == Manner::aside);
  });
}

TEST_CASE("what takes long is divided, however few bytes it writes") {
  const Tensor y = arange(21 * 2 * 7)
                       .astype(u8)
                       .reshape({21, 1, 2, 7})
                       .transpose({0, 1, 3, 2})
                       .broadcast_to({21, 183, 7, 2});
  REQUIRE(y.bytes() < parallel_bytes);
  const Last last = last_of(y);
  CHECK(last.steps().tasks() > 1);
  CHECK(into(y) == into(y, {.threads = 1}));
  CHECK(explain(y).find("strided") != std::string::npos);  // as it is divided
  // For a single time, where that makes up for dividing it.
  CHECK(last_of(y, true).steps().manner == Manner::here);
}

TEST_CASE("small passes of which each thread reads what the other one has made stay on one") {
  const auto is_by_one = [](const Tensor& y) {
    const Last last = last_of(y);
    CHECK(last.executable.passes().size() == 2);
    CHECK(into(y) == into(y, {.threads = 1}));
    return last.steps().is_by_one_of_few && last.executable.passes()[0].steps.is_by_one_of_few;
  };
  const auto made = [](std::int64_t rows, std::int64_t columns) {
    return iota<int>({rows, columns}).roll(1, 1).stored();
  };
  CHECK(is_by_one(made(142, 510).transpose()));
  const std::string text = explain(made(142, 510).transpose());
  CHECK(text.find("tasks on one thread, or more than three") != std::string::npos);
  CHECK_FALSE(is_by_one(made(142, 510).roll(1, 1)));  // each reads its own
  CHECK_FALSE(is_by_one(made(1142, 1510).transpose()));
}

TEST_CASE("what is read from the caches of one core stays on that core") {
  const auto manner = [](std::int64_t columns) {
    const Tensor rolled = iota<int>({columns, 5}).roll(1, 0).stored();
    const Last last = last_of(concat({rolled, rolled.flip(0)}).pad({1, 0}, {0, 0}));
    CHECK(last.executable.joint_lead(1) == nullptr);
    return last.steps().manner;
  };
  CHECK(manner(10'000) == Manner::here);    // 196 KiB, and more than twice that
  CHECK(manner(14'000) == Manner::pieces);  // made by several threads
  const Tensor x = iota<float>({400, 256}).eval();
  CHECK(last_of(exp(x).stored().flip(0).transpose()).steps().manner == Manner::pieces);
  const Tensor little = iota<float>({4, 256}).roll(1, 1).stored();
  CHECK(last_of(concat({x.transpose(), little.transpose()}, 1)).steps().manner == Manner::pieces);
}

TEST_CASE("tasks are in the order in which what they read was made") {
  const auto first_reads = [](const Tensor& y) {
    const Last last = last_of(y);
    const PassSteps& steps = last.steps();
    REQUIRE(steps.tasks() > 2);
    std::vector<std::int64_t> places;
    for (std::int64_t t = 0; t < steps.tasks(); ++t)
      for_each_step_of_task(steps, t,
                            [&](const Step& step) { places.push_back(step.bound.src[0]); });
    return places;
  };
  const Tensor made = (iota<int>({1000, 256}) + 1).stored();
  const auto places = first_reads(made.flip(0));
  CHECK(std::is_sorted(places.begin(), places.end()));
  for (const Tensor& y : {made.flip(0), made.roll(300, 0)})
    CHECK(values_of(y) == values_of(y.eval({.threads = 1})));
  const auto stored = first_reads(iota<int>({1000, 256}).eval().flip(0));
  CHECK_FALSE(std::is_sorted(stored.begin(), stored.end()));
}

TEST_CASE("tasks of what is computed are in that order, too, as many for each of two threads") {
  const Tensor made = (iota<int>({2, 100'000}) * 2).stored();
  const Tensor y = maximum(tile(made.slice({0, 0}, {2, 100'000}, {1, 2}), {2, 1}),
                           (iota<int>({4, 50'000}) % 7).eval());
  const Last last = last_of(y);
  REQUIRE(last.blocks().size() == 1);
  const BlockSteps& steps = last.blocks()[0];
  const auto tasks = static_cast<std::uint32_t>(steps.tasks());
  CHECK(tasks % 2 == 0);
  REQUIRE(steps.order.size() == tasks);
  // Both halves of the result read all that was made, from its first half on.
  for (std::uint32_t k = 0; k < tasks; k += 2) {
    CHECK(steps.order[k] == k / 2);
    CHECK(steps.order[k + 1] == k / 2 + tasks / 2);
  }
  CHECK(values_of(y) == values_of(y.eval({.threads = 1})));
  for (const std::int64_t rows : {300, 700, 1100, 2300, 5100}) {
    const Last even = last_of(iota<int>({rows, 300}).eval().transpose() + 1);
    CHECK(even.blocks()[0].tasks() % 2 == 0);
    CHECK(even.blocks()[0].order.empty());
  }
}

TEST_CASE("what one thread made is read by it, and what nobody made by both") {
  const auto read_by_tasks = [](const Tensor& y) {
    const Last last = last_of(y);
    std::vector<bool> reads_made;
    for (std::int64_t t = 0; t < last.steps().tasks(); ++t) {
      reads_made.push_back(false);
      for_each_step_of_task(last.steps(), t, [&](const Step& step) {
        step.for_each_source([&](std::size_t s, std::int64_t) {
          if (last.executable.plan.sources[s].pass != PlanSource::stored) reads_made.back() = true;
        });
      });
    }
    return reads_made;
  };
  const Tensor stored = iota<int>({60'000}).eval(), more = iota<int>({2, 60'000}).eval();
  const std::vector<bool> small = read_by_tasks(
      concat({stored, exp(iota<int>({60'000}).eval().astype(f32)).astype(i32).stored()}, 0));
  REQUIRE(small.size() > 2);
  CHECK(std::is_sorted(small.rbegin(), small.rend()));
  CHECK(small.front());
  CHECK_FALSE(small.back());
  const std::vector<bool> large =
      read_by_tasks(concat({more, exp(more.astype(f32)).astype(i32).stored()}, 1));
  const auto half = static_cast<std::ptrdiff_t>(large.size() / 2);
  CHECK(std::count(large.begin(), large.begin() + half, true) > 0);
  CHECK(std::count(large.begin() + half, large.end(), true) > 0);
}

TEST_CASE("stretches that are put together aside stay where they belong") {
  without_lines([] {
    const auto replaced = [](const Tensor& x) {
      const Tensor y = x.flip(0);
      return y.slice_scatter(full<int>({5120, 128}, 7), {0, 0}, {10240, 256}, {2, 2});
    };
    const Tensor moved = iota<int>({10240, 256}) + 1;
    const Tensor y = replaced(moved.stored());
    CHECK(last_of(y).steps().manner == Manner::aside);
    std::vector<int> kept(static_cast<std::size_t>(y.size()));  // all its steps are, then
    eval_into(y, std::span(kept));
    CHECK(kept == values_of(replaced(moved.eval())));
  });
}

TEST_CASE("tasks are told by where their steps end, and every step belongs to a box") {
  for (const std::int64_t rows : {16, 2000, 20000}) {
    const Last last = last_of(iota<int>({rows, 64}).roll({3, 5}, {0, 1}).transpose());
    const PassSteps& steps = last.steps();
    if (steps.manner == Manner::here) CHECK(steps.ends.empty());
    else CHECK(steps.ends.back() == steps.steps.size());
    CHECK(std::is_sorted(steps.ends.begin(), steps.ends.end()));
    const std::size_t boxes = boxes_of(last.executable.plan.passes.back(), {}).pieces.size();
    for (const Step& step : steps.steps) CHECK(step.box < boxes);
  }
}

TEST_CASE("steps of stretches are kept where they are few, and do the same where they are not") {
  without_lines([] {
    const Tensor y = evens_replaced(1024);
    const Last kept = last_of(y), once = last_of(y, true);
    CHECK(kept.steps().unlowered.empty());
    CHECK(kept.steps().steps.size() > 2);
    CHECK(once.steps().steps.empty());
    CHECK(once.steps().tasks() == kept.steps().tasks());
    const std::vector<int> expected = values_of(evens_replaced(1024));
    for (const Last* const last : {&kept, &once}) {
      std::vector<int> values(expected.size());
      run(last->executable, OutputTarget{.out = reinterpret_cast<std::byte*>(values.data())}, {});
      CHECK(values == expected);
    }
  });
}

TEST_CASE("a kept executable runs by any number of threads, as told each time") {
  for (const std::int64_t rows : {10, 1024, 10240}) {
    const std::vector<int> expected = values_of(evens_replaced(rows));
    const Tensor y = evens_replaced(rows);
    for (const int threads : {1, 8, 3, 2, 5, 0, 7, 4, 6, 1})
      CHECK(into(y, {.threads = threads}) == expected);
    CHECK(y.node().take_executable());
  }
}

TEST_CASE("a program's executable reads the inputs of each run") {
  const Program program{{placeholder(i32, {-1, 4})}, [](const Tensor& x) {
                          return x.roll(1, 0).transpose().reshape({-1, 2}).flip();
                        }};
  for (const std::int64_t rows : {3, 40000})
    for (int round = 0; round < 4; ++round) {
      const Tensor x = iota<int>({rows, 4}, round * 1000).eval();
      const std::vector<int> expected = values_of(x.roll(1, 0).transpose().reshape({-1, 2}).flip());
      CHECK(values_of(program.run({x})[0]) == expected);
      std::vector<int> values(expected.size());
      program.run_into({x}, {{values.data(), x.bytes()}}, {.threads = round});
      CHECK(values == expected);
    }
  CHECK(program.hits() == 14);
}

TEST_CASE("an executable for memory of its own is none for writing over a base, and comes back") {
  const Program program{
      {placeholder(i32, {-1, 4}), placeholder(i32, {1, 4})},
      [](const Tensor& x, const Tensor& row) { return x.slice_scatter(row, {1}, {2}, {1}, {0}); }};
  const Tensor row = full<int>({1, 4}, -1).eval();
  for (const bool is_given_up : {false, true, true, false, true, false}) {
    Tensor x = iota<int>({1000, 4}).eval();
    const std::vector<int> expected = values_of(x.slice_scatter(row, {1}, {2}, {1}, {0}));
    const int* const data = x.data<int>();
    std::vector<Tensor> inputs;
    if (is_given_up) inputs.push_back(std::move(x));
    else inputs.push_back(x);
    inputs.push_back(row);
    const Tensor y = program.run(std::move(inputs))[0];
    CHECK(values_of(y) == expected);
    CHECK((y.data<int>() == data) == is_given_up);
  }
}

TEST_CASE("one executable runs in several threads at the same time") {
  for (const std::int64_t rows : {10, 1024, 4096}) {
    const Tensor y = evens_replaced(rows);
    const std::vector<int> expected = values_of(evens_replaced(rows));
    const Last last = last_of(y);
    std::vector<int> wrong(4, 0);
    std::vector<std::thread> threads;
    for (std::size_t t = 0; t < wrong.size(); ++t)
      threads.emplace_back([&, t] {
        std::vector<int> values(expected.size());
        for (int i = 0; i < 10; ++i) {
          std::fill(values.begin(), values.end(), 0);
          run(last.executable, OutputTarget{.out = reinterpret_cast<std::byte*>(values.data())},
              {.threads = static_cast<int>(t)});
          wrong[t] += values != expected;
        }
      });
    for (std::thread& thread : threads) thread.join();
    CHECK(wrong == std::vector<int>(4, 0));
  }
}

TEST_CASE(
    "evaluations of one expression at the same time: one takes what is kept, others make one") {
  for (const std::int64_t rows : {10, 1024}) {
    const Tensor y = evens_replaced(rows);
    const std::vector<int> expected = into(y);
    std::vector<int> wrong(6, 0);
    std::vector<std::thread> threads;
    for (std::size_t t = 0; t < wrong.size(); ++t)
      threads.emplace_back([&, t] {
        for (int i = 0; i < 30; ++i) wrong[t] += into(y) != expected;
      });
    for (std::thread& thread : threads) thread.join();
    CHECK(wrong == std::vector<int>(6, 0));
    CHECK(y.node().take_executable());
  }
}

// SPDX-License-Identifier: Apache-2.0
// Plans that are tried by running them: whichever runs, the bits are the same, and it ends.
#include <doctest/doctest.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include <weft/engine/run/executable.h>
#include <weft/engine/run/make_executable.h>
#include <weft/engine/run/workers.h>
#include <weft/weft.h>

using namespace weft;

namespace {

Tensor drawn(const Shape& shape) {
  return (arange(element_count(shape)).astype(f32) * 0.37f).sin().reshape(shape).eval();
}

/// Movement above and below what is computed: several values that may be stored on the way.
Tensor moved_and_computed(const Tensor& x) {
  const Tensor turned = x.transpose({1, 0, 2});
  const Tensor y = turned.roll(1, 0) * 2 + turned.flip(2);
  return maximum(y.transpose({2, 1, 0}).repeat(2, 0), 0.25f).roll(3, 1);
}

struct Best {
  std::size_t passes = 0;
  bool is_sought = false;
};
Best best_of(const Tensor& tensor) {
  std::unique_ptr<Executable> kept = take_executable(tensor.node());
  REQUIRE(kept);
  const Best best{kept->plan.passes.size(), kept->search && !kept->search->is_settled()};
  tensor.node().put_back(std::move(kept));
  return best;
}

void work_for(double seconds) {
  const auto start = std::chrono::steady_clock::now();
  while (std::chrono::steady_clock::now() - start < std::chrono::duration<double>(seconds)) {
  }
}

/// An executable with a search, which finds no other plan.
struct Sought {
  const Tensor tensor = moved_and_computed(drawn({80, 60, 24}));
  const Expression expression{tensor.node_ptr()};
  Executable best{make_plan(expression, {})};

  Sought() {
    best.make_ready(no_bases);
    best.search = PlanSearch::of(best, expression, 0);
    REQUIRE(best.search);
  }
  /// Of evaluations that take so long.
  void run(double by_all, double by_one) {
    best.search->run(
        best, [](StoredVertices&, bool) { return std::optional<Executable>(); },
        [&](Executable&, bool is_by_one) { work_for(is_by_one ? by_one : by_all); });
  }
};

std::vector<float> by_parts(const Tensor& x) {
  const Tensor turned = x.transpose({1, 0, 2}).eval();
  const Tensor y = (turned.roll(1, 0).eval() * 2 + turned.flip(2).eval()).eval();
  const Tensor z = maximum(y.transpose({2, 1, 0}).eval().repeat(2, 0).eval(), 0.25f).eval();
  return z.roll(3, 1).to_vector<float>();
}

}  // namespace

TEST_CASE("plans are sought until all were tried, and each gives the same bits") {
  for (const Shape& shape : {Shape{40, 30, 12}, Shape{80, 60, 24}}) {
    const Tensor x = drawn(shape);
    const Tensor y = moved_and_computed(x);
    const std::vector<float> expected = by_parts(x);
    std::vector<float> values(expected.size());
    eval_into(y, std::span(values));
    CHECK(best_of(y).is_sought);
    int evaluations = 1;
    for (; best_of(y).is_sought && evaluations < 100'000; ++evaluations) {
      values.assign(values.size(), -1);
      eval_into(y, std::span(values));
      REQUIRE(values == expected);
    }
    CHECK_FALSE(best_of(y).is_sought);
    CHECK(evaluations > 10);
    eval_into(y, std::span(values));
    CHECK(values == expected);
  }
}

TEST_CASE("what is divided is tried on one thread, and stays there where that takes less") {
  const auto ends_by_one = [](double by_all, double by_one) {
    Sought sought;
    const Executable& best = sought.best;
    for (int k = 0; k < 1000 && !best.search->is_settled(); ++k) sought.run(by_all, by_one);
    CHECK(best.search->is_settled());
    CHECK(best.search->is_over() == !best.is_by_one);
    return best.is_by_one;
  };
  const bool has_others = has_other_threads();
  CHECK(ends_by_one(200e-6, 50e-6) == has_others);
  CHECK(ends_by_one(150e-6, 120e-6) == has_others);
  CHECK_FALSE(ends_by_one(50e-6, 200e-6));
  CHECK_FALSE(ends_by_one(100e-6, 99e-6));
  CHECK_FALSE(ends_by_one(4e-3, 1e-3));  // too long: it is not tried
}

TEST_CASE("what stays on one thread goes back to all where those take less again") {
  if (!has_other_threads()) return;
  Sought sought;
  const Executable& best = sought.best;
  for (int k = 0; k < 200; ++k) sought.run(1.8e-3, 1e-3);  // others are busy
  CHECK(best.is_by_one);
  for (int k = 0; k < 2000 && !best.search->is_over(); ++k) sought.run(5e-4, 1e-3);
  CHECK(best.search->is_over());
  CHECK_FALSE(best.is_by_one);
}

TEST_CASE("explain tells of the best so far") {
  const Tensor y = moved_and_computed(drawn({40, 30, 12}));
  std::vector<float> values(static_cast<std::size_t>(y.size()));
  do {
    eval_into(y, std::span(values));
    CHECK(plan_summary(y).passes.size() == best_of(y).passes);
  } while (best_of(y).is_sought);
}

TEST_CASE("nothing is sought where it may not be measured, nor for what only moves or is small") {
  const auto is_sought = [](const Tensor& y, const EvalOptions& options = {}) {
    std::vector<float> values(static_cast<std::size_t>(y.size()));
    eval_into(y, std::span(values), options);
    return best_of(y).is_sought;
  };
  const Tensor x = drawn({40, 30, 12});
  CHECK(is_sought(moved_and_computed(x)));
  CHECK_FALSE(is_sought(moved_and_computed(x), {.may_measure = false}));
  CHECK_FALSE(is_sought(moved_and_computed(drawn({4, 3, 2}))));
  CHECK_FALSE(is_sought(x.transpose({2, 1, 0}).roll(1, 0)));
  CHECK_FALSE(is_sought(x * 2 + 1));
}

TEST_CASE("an evaluation with other options takes the best so far, within its limits") {
  const Tensor x = drawn({40, 30, 12});
  const Tensor y = moved_and_computed(x);
  const std::vector<float> expected = by_parts(x);
  std::vector<float> values(expected.size());
  int told = 0;
  const std::function<void(double)> tell = [&](double) { ++told; };
  for (int k = 0; k < 200; ++k) {
    values.assign(values.size(), -1);
    EvalOptions options;
    if (k % 3 == 1) options.threads = 1;
    if (k % 5 == 2) options.progress = &tell;
    if (k % 50 == 49) options.memory_limit = 16 * y.bytes();
    eval_into(y, std::span(values), options);
    REQUIRE(values == expected);
  }
  CHECK(told > 0);
}

TEST_CASE("threads may evaluate one expression while its plans are sought") {
  const Tensor x = drawn({40, 30, 12});
  const Tensor y = moved_and_computed(x);
  const std::vector<float> expected = by_parts(x);
  std::vector<int> wrong(3, 0);
  std::vector<std::thread> threads;
  for (int& each : wrong)
    threads.emplace_back([&] {
      std::vector<float> values(expected.size());
      for (int k = 0; k < 300; ++k) {
        eval_into(y, std::span(values));
        each += values != expected;
      }
    });
  for (std::thread& thread : threads) thread.join();
  CHECK(wrong == std::vector<int>(3, 0));
}

TEST_CASE("data that was given up is written over, whatever is tried") {
  const Tensor u = drawn({60, 70}), turned = u.transpose().eval();
  for (const int evaluations : {1, 5, 20, 60, 200}) {
    CAPTURE(evaluations);
    Tensor x = drawn({70, 60});
    const std::vector<float> expected = (x * 2 + turned).to_vector<float>();
    const float* const memory = x.data<float>();
    const Tensor y = x * 2 + u.transpose();
    x = Tensor();
    std::vector<float> values(expected.size());
    for (int k = 0; k < evaluations; ++k) {
      eval_into(y, std::span(values));
      CHECK(explain(y).find("in place, over") != std::string::npos);
    }
    CHECK(values == expected);
    CHECK(y.data<float>() == memory);
    CHECK(y.to_vector<float>() == expected);
  }
}

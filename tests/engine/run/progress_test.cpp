// SPDX-License-Identifier: Apache-2.0
// What evaluations tell meanwhile: progress, traces, and requests to stop from other threads.
#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include <weft/engine/view/parts.h>
#include <weft/weft.h>

using namespace weft;

namespace {

/// Expressions of all kinds of passes.
std::vector<Tensor> expressions() {
  const Tensor x = iota<float>({1500, 1000}).eval(), w = iota<float>({1000, 300}).eval();
  return {x.roll({3, 5}, {0, 1}).transpose(),
          x * 2.0f + x.flip(0),
          x.softmax(-1),
          (x * x).sum(1),
          matmul(x, w),
          (matmul(x, w) * 2.0f + 1.0f).softmax(-1),
          x.roll(1, 0).stored().roll(1, 1) + 1.0f,
          take(x, (iota<std::int64_t>({1000}) * 7) % 1500, 0).flip(1),
          gather_elements(x, full<std::int64_t>({1500, 1000}, 3), 1),
          x.cumulative_sum(1),
          iota<float>({3}).flip(0),
          x};
}

/// What progress tells, which has to grow to 1, on one thread.
class Told {
 public:
  EvalOptions options() {
    EvalOptions own;
    own.progress = &tell_;
    return own;
  }
  std::vector<double> all{};

 private:
  const std::thread::id caller_ = std::this_thread::get_id();
  const std::function<void(double)> tell_ = [this](double done) {
    CHECK(std::this_thread::get_id() == caller_);
    CHECK(done >= (all.empty() ? 0 : all.back()));
    CHECK(done <= 1);
    all.push_back(done);
  };
};

struct Failure {};

}  // namespace

TEST_CASE("progress grows to 1") {
  for (const Tensor& x : expressions()) {
    CAPTURE(graph_text(x));
    Told told;
    std::vector<std::byte> out(static_cast<std::size_t>(x.bytes()));
    eval_into(x, out.data(), x.bytes(), told.options());
    CHECK(told.all.back() == 1);
    Told again;
    x.eval(again.options());
    CHECK(again.all.back() == 1);
  }
  Told told;
  EvalOptions options = told.options();
  options.threads = 1;  // others might take nearly all of it
  expressions()[1].eval(options);
  CHECK(told.all.size() > 2);
}

TEST_CASE("progress of several tensors, of parts and of programs grows to 1 once") {
  Told together;
  eval(expressions(), together.options());
  CHECK(together.all.back() == 1);
  Told parts;
  EvalOptions options = parts.options();
  options.memory_limit = 1 << 20;
  eval_in_parts(expressions()[0], {}, options, [](const Shape&, const Tensor&) {});
  CHECK(parts.all.size() > 4);
  CHECK(parts.all.back() == 1);
  const Program program({placeholder(f32, {1500, 1000})}, [](const Tensor& x) {
    return std::vector<Tensor>{x.flip(0), x.transpose() * 2.0f};
  });
  Told run;
  static_cast<void>(program.run({iota<float>({1500, 1000}) + 1.0f}, run.options()));
  CHECK(run.all.back() == 1);
}

TEST_CASE("what the progress throws ends the evaluation, and no value is kept") {
  for (const Tensor& x : expressions()) {
    if (x.is_stored()) continue;
    CAPTURE(graph_text(x));
    const std::function<void(double)> fail = [](double) { throw Failure(); };
    EvalOptions options;
    options.progress = &fail;
    CHECK_THROWS_AS(x.eval(options), Failure);
    CHECK_FALSE(x.is_stored());
    x.eval();
  }
}

TEST_CASE("a stop that is requested is Cancelled, soon") {
  using Clock = std::chrono::steady_clock;
  for (const Tensor& made : expressions()) {
    if (made.is_stored() || made.size() < 1000) continue;
    CAPTURE(graph_text(made));
    std::stop_source source;
    EvalOptions options;
    options.stop = source.get_token();
    source.request_stop();
    CHECK_THROWS_AS(made.eval(options), Cancelled);
    CHECK_FALSE(made.is_stored());
  }
  // A product that takes much longer than it takes to ask.
  const Tensor x = full<float>({3000, 3000}, 1.0f).eval();
  const Tensor y = matmul(matmul(x, x), matmul(x, x));
  std::stop_source source;
  Clock::time_point asked;
  std::thread other([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    asked = Clock::now();
    source.request_stop();
  });
  EvalOptions options;
  options.stop = source.get_token();
  CHECK_THROWS_AS(y.eval(options), Cancelled);
  const auto late = Clock::now() - asked;
  other.join();
  CHECK(std::chrono::duration<double>(late).count() < 1);  // 20 ms on a quiet machine
  CHECK_FALSE(y.is_stored());
}

TEST_CASE("a stop that is requested while a plan is made is Cancelled, soon") {
  // Planned for hundreds of milliseconds.
  Tensor x = iota<float>({97, 89, 83}).eval();
  for (std::int64_t k = 0; k < 40; ++k)
    x = x.roll({k, 2 * k, 3 * k}, {0, 1, 2})
            .reshape({89, 83, 97})
            .transpose()
            .reshape({97, 89, 83});
  int asked = 0;
  const std::function<bool()> stop_at_once = [&] { return ++asked == 3; };
  EvalOptions options;
  options.should_stop = &stop_at_once;
  Trace trace;
  options.trace = &trace;
  CHECK_THROWS_AS(x.eval(options), Cancelled);
  CHECK(trace.json().find("\"pass\"") == std::string::npos);
  CHECK_FALSE(x.is_stored());
  PlanCache plans(4);
  options.plans = &plans;
  asked = 0;
  CHECK_THROWS_AS(x.eval(options), Cancelled);
  CHECK(plans.size() == 0);
}

TEST_CASE("a trace is JSON whose events are nested on each thread") {
  Trace trace;
  EvalOptions options;
  options.trace = &trace;
  for (const Tensor& x : expressions()) x.eval(options);
  CHECK(trace.size() > 50);
  const auto document = nlohmann::json::parse(trace.json());
  struct Event {
    double begin, end;
  };
  std::map<int, std::vector<Event>> threads;
  std::set<std::string> categories;
  for (const auto& event : document["traceEvents"]) {
    CHECK(event["ph"] == "X");
    CHECK_FALSE(event["name"].get<std::string>().empty());
    const double begin = event["ts"], lasts = event["dur"];
    CHECK(lasts >= 0.001);
    threads[event["tid"]].push_back({begin, begin + lasts});
    categories.insert(event["cat"]);
  }
  CHECK(categories == std::set<std::string>{"eval", "pass", "task", "kernel"});
  constexpr double rounding = 1e-5;  // of sums of microseconds
  for (auto& [thread, events] : threads) {
    std::sort(events.begin(), events.end(), [](const Event& a, const Event& b) {
      return a.begin != b.begin ? a.begin < b.begin : a.end > b.end;
    });
    std::vector<double> open;
    for (const Event& event : events) {
      while (!open.empty() && open.back() <= event.begin + rounding) open.pop_back();
      if (!open.empty()) CHECK(event.end <= open.back() + rounding);
      open.push_back(event.end);
    }
  }
}

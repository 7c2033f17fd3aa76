// SPDX-License-Identifier: Apache-2.0
// Every allocation of every kind of evaluation fails once, alone and with all that follow: the
// bytes are right at once or at the next attempt, never wrong, and nothing leaks.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <new>
#include <stdexcept>
#include <string>
#include <tbb/global_control.h>
#include <vector>

#include <weft/weft.h>

#include "failing_new.h"
#include "support/values.h"

using namespace weft;
using namespace weft::testing;

namespace {

// So many threads exist, also where there are fewer processors.
constexpr int most_threads = 5;

using Values = std::vector<int>;
/// Values that may be asked for again when that failed.
using Attempt = std::function<Values()>;
struct Kind {
  std::string name;
  std::function<Attempt()> start;
};

// Large enough for several threads, and for stretches that are put together aside.
constexpr int rows = 1200, columns = 1000, large = rows * columns;

Tensor matrix() { return iota<int>({rows, columns}).eval(); }
Tensor even(const Tensor& x) { return x.slice({1}, {rows}, {2}, {0}).flip(1); }

std::vector<Kind> fresh() {
  const auto value = [](const std::function<Tensor(const Tensor&)>& make, int n) {
    return [=]() -> Attempt {
      return [y = make(n == large ? matrix() : iota<int>({n / 10, 10}).eval())] {
        return values_of(y);
      };
    };
  };
  const auto chain = [](const Tensor& x) { return x.roll({3, 4}, {0, 1}).transpose(); };
  const auto painted = [](const Tensor& x) {
    return x.slice_scatter(even(x), {0}, {rows}, {2}).roll(7, 1);
  };
  const auto passes = [](const Tensor& x) {
    return x.roll(1, 1).flatten().roll(5, 0).reshape({-1, 8}).transpose().stored().roll(1, 0);
  };
  const auto picked = [](const Tensor& x) {
    const Tensor index = iota<std::int64_t>(x.shape()[0]).roll(2, 0).flip();
    return x.take(index, 0).roll(1, 1);
  };
  const auto scattered = [](const Tensor& x) {
    const Tensor index = array<std::int64_t>({0, 7, 3, 11, 5, 15, 9, 13, 1, 17}).flip();
    return x.index_put(index, full<int>({10, 10}, -1));
  };
  const auto computed = [](const Tensor& x) {
    const Tensor index = full<std::int64_t>(x.shape(), 1).roll(1, 0);
    return x.roll(1, 0).gather_elements(index, 1).flip(0);
  };
  const auto chosen = [](const Tensor& x) {
    const Tensor mask = full(x.shape(), true).tril().roll(3, 0);
    return where(mask, x.reshape({x.shape()[1], x.shape()[0]}).transpose(), x.flip(1)).roll(1, 1);
  };
  const auto in_parts = [](const Tensor& x) {
    const Tensor turned = x.reshape({x.shape()[1], x.shape()[0]}).transpose();
    return concat({x + turned, x.flip(0), x * 2}, 0);
  };
  const auto of_parts = [=](const Tensor& x) { return in_parts(x) * in_parts(x).roll(1, 1) + 1; };
  const auto multiplied = [](const Tensor& x) {
    const Tensor part = x.narrow(0, 0, std::min<std::int64_t>(x.shape()[0], 200)).flip(0);
    return matmul(part, part.transpose()) + 1;
  };
  return {{"matrices", value(multiplied, 200)},
          {"large matrices", value(multiplied, large)},
          {"a small chain", value(chain, 200)},
          {"a large chain", value(chain, large)},
          {"painted and streamed", value(painted, large)},
          {"several passes", value(passes, 4000)},
          {"large passes", value(passes, large)},
          {"an index", value(picked, 200)},
          {"a large index", value(picked, large)},
          {"scattered places", value(scattered, 200)},
          {"a computation", value(computed, 200)},
          {"a large computation", value(computed, large)},
          {"what is chosen", value(chosen, 200)},
          {"much that is chosen", value(chosen, large)},
          {"what is computed in parts", value(in_parts, 200)},
          {"much that is computed in parts", value(in_parts, large)},
          {"what is computed of parts", value(of_parts, 200)},
          {"much that is computed of parts", value(of_parts, large)},
          {"tril", value([](const Tensor& x) { return x.tril().roll(1, 0); }, large)}};
}

std::vector<Kind> ways() {
  const auto chain = [](const Tensor& x) { return x.roll({3, 4}, {0, 1}).transpose(); };
  return {{"eval_into", [=]() -> Attempt { return [y = chain(matrix())] { return into(y); }; }},
          {"eval_into while plans are tried",
           [=]() -> Attempt {
             const Tensor x = iota<int>({60, 10}).eval();
             const Tensor y = (chain(x) * 2 + x.flip(1).transpose()).transpose().roll(3, 1);
             return [y] {
               const Values first = into(y);
               for (int again = 0; again < 150; ++again)
                 if (into(y) != first) return Values();
               return first;
             };
           }},
          {"eval_into over the source",
           [=]() -> Attempt {
             return [] {
               Values values(1000);
               for (int i = 0; i < 1000; ++i) values[static_cast<std::size_t>(i)] = i;
               const Tensor x = borrow(values.data(), {20, 50});
               eval_into(x.transpose(), values.data(), 4000);
               return values;
             };
           }},
          {"eval_region",
           [=]() -> Attempt {
             return [y = chain(matrix())] { return values_of(eval_region(y, {5, 6}, {70, 80})); };
           }},
          {"several at once",
           [=]() -> Attempt {
             return [x = matrix(), chain] {
               const Tensor a = chain(x), b = a.flip(0), c = x.roll(1, 0);
               eval(a, b, c);
               Values all = values_of(a);
               for (const Tensor& more : {b, c}) {
                 const Values values = values_of(more);
                 all.insert(all.end(), values.begin(), values.end());
               }
               return all;
             };
           }},
          {"a cache of plans",
           [=]() -> Attempt {
             return [cache = std::make_shared<PlanCache>(4), chain] {
               Values values;
               for (int turn = 0; turn < 3; ++turn)
                 values = into(chain(iota<int>({20, 10}).eval()), {.plans = cache.get()});
               return values;
             };
           }},
          {"a program",
           [=]() -> Attempt {
             const Program program({placeholder(i32, {-1, -1}), placeholder(i64, {})},
                                   [](const Tensor& x, const Tensor& shift) {
                                     return std::vector<Tensor>{x.roll(shift, 0).transpose(), x};
                                   });
             return [program, x = iota<int>({20, 10}).eval()] {
               Values values = values_of(program.run({x, scalar<std::int64_t>(3)})[0]);
               std::vector<int> other(200), same(200);
               program.run_into({x, scalar<std::int64_t>(4)},
                                {{other.data(), 800}, {same.data(), 800}});
               values.insert(values.end(), other.begin(), other.end());
               return values;
             };
           }},
          {"a program is made",
           [=]() -> Attempt {
             return [] {
               const Program program({placeholder(i32, {-1, 3})}, [](const Tensor& x) {
                 return concat({x, x.flip(1)}, 0);
               });
               return values_of(program.run({iota<int>({2, 3})})[0]);
             };
           }},
          {"explain", [=]() -> Attempt {
             return [y = chain(matrix())] { return Values(explain(y).size(), 1); };
           }}};
}

std::vector<Kind> in_place() {
  const auto given_up = [](const std::function<Tensor(Tensor &&)>& make, int n,
                           const EvalOptions& options = {}) {
    return [=]() -> Attempt {
      const Tensor y = make(n == large ? matrix() : iota<int>({n / 10, 10}).eval());
      if (!options.in_place && explain(y).find("in place, over") == std::string::npos)
        throw std::logic_error("it is not in place");
      return [y, options] { return values_of(y.eval(options)); };
    };
  };
  const auto update = [](Tensor&& x) {
    const auto n = x.shape()[0];
    return std::move(x).slice_scatter(full<int>({1, x.shape()[1]}, -1), {n / 2}, {n / 2 + 1});
  };
  // The updates are of the data itself, and move.
  const auto moving = [](Tensor&& x) {
    const auto n = x.shape()[0];
    const Tensor u = x.slice({n / 8}, {n / 4}).flip(1);
    return std::move(x).slice_scatter(u, {0}, {n / 8 * 2}, {2});
  };
  const auto moving_columns = [](Tensor&& x) {
    const auto n = x.shape()[1];
    const Tensor u = x.slice({n / 5}, {n / 5 * 2}, {1}, {1});
    return std::move(x).slice_scatter(u, {0}, {n / 5 * 2}, {2}, {1});
  };
  // What is put there is stored by a pass before, which reads the data, too.
  const auto stored_before = [](Tensor&& x) {
    const auto n = x.shape()[1];
    const Tensor u = x.slice({0}, {n / 5}, {1}, {1}).roll({1, 1}, {0, 1}).stored();
    return std::move(x).slice_scatter(u, {0}, {n / 5 * 2}, {2}, {1});
  };
  const auto painted = [](Tensor&& x) {
    const auto n = x.shape()[0];
    const Tensor u = x.slice({n / 16}, {n / 16 + n / 8}).flip(1);
    const Tensor above = full<int>({n / 8, x.shape()[1]}, 5);
    return std::move(x)
        .slice_scatter(u, {0}, {n / 8})
        .slice_scatter(above, {n / 16}, {n / 16 + n / 8});
  };
  const auto rolled = [](Tensor&& x) { return std::move(x).roll({3, 4}, {0, 1}); };
  const auto flipped = [](Tensor&& x) { return std::move(x).flip().roll(1, 1); };
  const auto put = [](Tensor&& x) {
    const Tensor index = array<std::int64_t>({1, 5, 3}).flip();
    return std::move(x).index_put(index, full<int>({3, x.shape()[1]}, -2));
  };
  const auto turned_round = [](Tensor&& x) { return std::move(x).transpose(); };
  const auto computed = [](Tensor&& x) {
    const Tensor given = std::exchange(x, Tensor());
    return (given + 3) * given - full<int>({given.shape()[1]}, 2);
  };
  // A pass before reads the data, too, and what is turned is put aside.
  const auto computed_of_two = [](Tensor&& x) {
    const Tensor given = std::exchange(x, Tensor());
    const Tensor turned = iota<int>({given.shape()[1], given.shape()[0]}).eval().transpose();
    return given * 2 + given.flip().stored() - turned;
  };
  std::vector<Kind> kinds;
  for (const int n : {320, large}) {
    const std::string size = n == large ? ", large" : ", small";
    kinds.push_back({"an update" + size, given_up(update, n)});
    kinds.push_back({"rows that move" + size, given_up(moving, n)});
    kinds.push_back({"columns that move" + size, given_up(moving_columns, n)});
    kinds.push_back({"stored before" + size, given_up(stored_before, n)});
    kinds.push_back({"painted over what moved" + size, given_up(painted, n)});
    kinds.push_back({"a roll" + size, given_up(rolled, n)});
    kinds.push_back({"a flip and a roll" + size, given_up(flipped, n)});
    kinds.push_back({"index_put" + size, given_up(put, n)});
    kinds.push_back({"a program" + size, given_up(computed, n)});
    kinds.push_back({"a program of two passes" + size, given_up(computed_of_two, n)});
    kinds.push_back(
        {"a transpose put aside" + size, given_up(turned_round, n, {.in_place = true})});
  }
  kinds.push_back({"by a program", [=]() -> Attempt {
                     const Program turn({placeholder(i32, {-1, -1})}, [](const Tensor& x) {
                       return x.roll({3, 4}, {0, 1});
                     });
                     const Program move({placeholder(i32, {-1, -1})}, [](const Tensor& x) {
                       return x.slice_scatter(x.slice({5}, {10}), {0}, {10}, {2});
                     });
                     return [turn, move] {
                       Tensor x = matrix();
                       return values_of(move(turn(std::move(x))[0])[0]);
                     };
                   }});
  return kinds;
}

/// One attempt whose allocation `position` fails, and another one after it. Without doctest, which
/// allocates itself.
struct Outcome {
  bool has_failed, is_right;
};
Outcome outcome_of(const Kind& kind, const Values& expected, long position, bool and_all_later) {
  const Attempt attempt = kind.start();
  Outcome outcome{true, true};
  fail_allocation(position, and_all_later);
  try {
    const Values values = attempt();
    outcome.has_failed = stop_failing();
    outcome.is_right = values == expected;
  } catch (const std::bad_alloc&) {
    stop_failing();
  } catch (const MemoryError&) {
    stop_failing();
  }
  outcome.is_right &= attempt() == expected;
  return outcome;
}

/// What went wrong at any position, until none is reached.
struct Outcomes {
  long positions = 0, wrong = -1, leaking = -1;
};
Outcomes outcomes_of(const Kind& kind, bool and_all_later) {
  const Values expected = kind.start()();  // also what is allocated once and for all
  Outcomes all;
  for (;; ++all.positions) {
    release_kept();
    const long before = live_blocks();
    const Outcome outcome = outcome_of(kind, expected, all.positions, and_all_later);
    release_kept();
    if (!outcome.is_right) all.wrong = all.positions;
    if (live_blocks() != before) all.leaking = all.positions;
    if (!outcome.has_failed) return all;
  }
}

void check(const Kind& kind) {
  CAPTURE(kind.name);
  for (const bool and_all_later : {false, true}) {
    CAPTURE(and_all_later);
    const Outcomes outcomes = outcomes_of(kind, and_all_later);
    CHECK(outcomes.positions > 0);
    CHECK(outcomes.wrong == -1);
    CHECK(outcomes.leaking == -1);
  }
}

void check_all(const std::vector<Kind>& kinds) {
  const tbb::global_control more(tbb::global_control::max_allowed_parallelism, most_threads);
  for (const Kind& kind : kinds) check(kind);
}

}  // namespace

TEST_CASE("allocations fail while a value is made in memory of its own") { check_all(fresh()); }
TEST_CASE("allocations fail in every way to evaluate") { check_all(ways()); }
TEST_CASE("allocations fail while data that was given up is written over") {
  check_all(in_place());
}

TEST_CASE("what is kept is evaluated again without an allocation") {
  const Tensor x = iota<int>({24, 10}).eval();
  const Tensor updates = full<int>({12, 10}, 7).eval();
  const Tensor kept[] = {x.roll({3, 4}, {0, 1}).transpose().flip(0),
                         x.slice_scatter(updates, {0}, {24}, {2}).roll(7, 1),
                         x.reshape({4, 6, 10}).transpose({2, 0, 1}).tile({1, 2, 1}),
                         concat({x, updates, x.flip()}, 0),
                         x.reshape({2, 120}).slice({0}, {1}),
                         matrix().roll({3, 4}, {0, 1}).transpose(),
                         matrix().slice_scatter(full<int>({600, 1000}, 7), {0}, {1200}, {2})};
  for (const Tensor& y : kept) {
    Values values(static_cast<std::size_t>(y.size()));
    const EvalOptions options{.threads = 1};
    eval_into(y, values.data(), y.bytes(), options);
    const Values first = values;
    std::fill(values.begin(), values.end(), 0);
    const long before = allocations();
    eval_into(y, values.data(), y.bytes(), options);
    CHECK(allocations() == before);
    CHECK(values == first);
  }
}

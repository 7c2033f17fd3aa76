// SPDX-License-Identifier: Apache-2.0
// What evaluations take is what limits of memory say, also for a moment and by tasks.
#include <doctest/doctest.h>

#include <cstdint>
#include <functional>
#include <tbb/global_control.h>
#include <vector>

#include <weft/weft.h>

#include "failing_new.h"
#include "support/values.h"

using namespace weft;
using namespace weft::testing;

namespace {

constexpr long kibibyte = 1024, mebibyte = 1024 * kibibyte;

/// The most that is allocated while `work` runs, beside what is before.
long most_taken(const std::function<void()>& work) {
  release_kept();
  const std::int64_t kept = set_kept_bytes(0);
  begin_counting();
  const long before = live_bytes();
  work();
  set_kept_bytes(kept);
  return most_live_bytes() - before;
}

/// What evaluating takes for the second time: the steps are there.
long most_taken_again(const Tensor& y, std::vector<int>& out, const EvalOptions& options) {
  eval_into(y, std::span(out), options);
  std::fill(out.begin(), out.end(), -1);
  return most_taken([&] { eval_into(y, std::span(out), options); });
}

}  // namespace

TEST_CASE("joint pieces are not made beyond what planning may take") {
  constexpr std::int64_t n = 35 * 200'000;
  const Tensor holds = full({n}, true).eval(), x = full<std::uint8_t>({n}, 1).eval();
  const auto cut = [&](std::int64_t parts) {
    return x.reshape({parts, n / parts}).transpose().reshape({n});
  };
  std::vector<std::uint8_t> out(n);
  const Tensor y = where(holds, cut(5), cut(7));
  const long taken = most_taken([&] {
    CHECK_THROWS_AS(eval_into(y, std::span(out), {.memory_limit = 512 * kibibyte}), MemoryError);
  });
  CHECK(taken < planning_allowance + mebibyte);
}

TEST_CASE("what tasks put operands aside in is within the limit") {
  const tbb::global_control more(tbb::global_control::max_allowed_parallelism, 5);
  constexpr std::int64_t n = 1000;
  const Tensor x = iota<int>({n, n}).eval(), holds = full({n, n}, true).tril().eval();
  const Tensor y = where(holds, x.transpose(), x.transpose().flip());
  std::vector<int> out(n * n);
  const long freely = most_taken_again(y, out, {});
  CHECK(freely > mebibyte);
  const std::vector<int> expected = out;
  for (const long limit : {600 * kibibyte, 300 * kibibyte, 20 * kibibyte, 1L}) {
    CAPTURE(limit);
    CHECK(most_taken_again(y, out, {.memory_limit = limit}) < limit + 128 * kibibyte);
    CHECK(out == expected);
  }
}

TEST_CASE("a result leaves what its operands are put aside in the rest of the limit") {
  constexpr std::int64_t n = 1000;
  const Tensor x = iota<int>({n, n}).eval(), holds = full({n, n}, true).tril().eval();
  const auto make = [&] { return where(holds, x.transpose(), x.transpose().flip()); };
  const std::vector<int> expected = into(make());
  for (const long beside : {600 * kibibyte, 0L}) {
    CAPTURE(beside);
    const Tensor y = make();
    const long taken = most_taken([&] { y.eval({.memory_limit = 4 * n * n + beside}); });
    CHECK(taken < 4 * mebibyte + beside + 128 * kibibyte);  // large blocks are of 2 MiB
    CHECK(values_of(y) == expected);
  }
}

TEST_CASE("a program over what was given up takes no memory for its result") {
  constexpr std::int64_t n = 1000;
  const Tensor turned = iota<int>({n, n}).eval();
  for (const bool is_held : {true, false}) {
    Tensor x = iota<int>({n, n}).eval();
    const Tensor held = is_held ? x : Tensor();
    const Tensor y = (x + 1) * x - turned.flip(0);
    x = Tensor();
    const long taken = most_taken([&] { y.eval(); });
    CHECK((taken > 4 * n * n) == is_held);
    if (!is_held) CHECK(taken < mebibyte);
  }
}

TEST_CASE("a program over what was stored on the way takes no memory for its result") {
  constexpr std::int64_t n = 1000;
  const Tensor x = iota<int>({n, n}).eval();
  const Tensor y = x.roll({1, 2}, {0, 1}).stored() * 2 + x;
  const std::vector<int> expected = into(y);
  const long taken = most_taken([&] { y.eval({.memory_limit = 4 * n * n + mebibyte}); });
  CHECK(taken > 4 * n * n);
  CHECK(taken < 6 * n * n);
  CHECK(values_of(y) == expected);
}

TEST_CASE("what stretches are put together in is within the limit") {
  const tbb::global_control more(tbb::global_control::max_allowed_parallelism, 5);
  constexpr std::int64_t n = 1600;
  const Tensor x = iota<int>({n, n}).eval();
  const Tensor third = x.slice({0, 1}, {n, n}, {1, 3}).flip(1);
  const Tensor y = x.slice_scatter(third, {0, 1}, {n, n}, {1, 3}).roll(7, 0);
  std::vector<int> out(n * n);
  // A machine that is measured may keep as much in its caches, and put nothing aside.
  const long freely = most_taken_again(y, out, {.may_measure = false});
  CHECK(freely > 200 * kibibyte);
  const std::vector<int> expected = out;
  for (const long limit : {150 * kibibyte, 20 * kibibyte, 1L}) {
    CAPTURE(limit);
    const EvalOptions limited{.memory_limit = limit, .may_measure = false};
    CHECK(most_taken_again(y, out, limited) < limit + 64 * kibibyte);
    CHECK(out == expected);
  }
}

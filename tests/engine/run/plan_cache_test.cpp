// SPDX-License-Identifier: Apache-2.0
// The cache of plans: what is the same structure, what is not, its bound, threads.
#include <doctest/doctest.h>

#include <functional>
#include <memory>
#include <numeric>
#include <thread>
#include <vector>

#include <weft/weft.h>

#include "support/values.h"

using namespace weft;
using weft::testing::into;

namespace {

/// Whether a cache that has seen `first` has a plan for `second`; both are checked.
bool hits(const Tensor& first, const Tensor& second) {
  PlanCache cache(8);
  CHECK(into(first, {.plans = &cache}) == into(first));
  CHECK(into(second, {.plans = &cache}) == into(second));
  return cache.hits() == 1;
}

Tensor leaf(std::int64_t start = 0) { return iota<int>({4, 6}, start); }

}  // namespace

TEST_CASE("expressions of one structure share a plan and not their values") {
  const auto build = [](std::int64_t start) {
    return leaf(start).roll(1, 1).transpose().tile({2, 1}).flip({0}).slice_scatter(
        iota<int>({6, 4}, start + 100), {0}, {12}, {2}, {0});
  };
  CHECK(hits(build(0), build(1000)));
  CHECK(hits(leaf(0).reshape({3, 8}).slice({1}, {3}), leaf(50).reshape({3, 8}).slice({1}, {3})));
  CHECK(hits(leaf(0).expand_dims(1).broadcast_to({4, 2, 6}),
             leaf(7).expand_dims(1).broadcast_to({4, 2, 6})));
}

TEST_CASE("every parameter, shape and type makes another structure") {
  using Build = std::function<Tensor()>;
  const std::vector<Build> builds{
      [] { return leaf().roll(1, 0); },
      [] { return leaf().roll(2, 0); },
      [] { return leaf().roll(1, 1); },
      [] {
        return leaf().roll({1, 1}, {0, 1});
      },
      [] { return leaf().flip({0}); },
      [] { return leaf().flip({1}); },
      [] { return leaf().flip(); },
      [] { return leaf().transpose(); },
      [] {
        return iota<int>({6, 4}).transpose();
      },
      [] {
        return iota<int>({2, 2, 2}).transpose({1, 0, 2});
      },
      [] {
        return iota<int>({2, 2, 2}).transpose({0, 2, 1});
      },
      [] {
        return leaf().tile({1, 2});
      },
      [] {
        return leaf().tile({2, 1});
      },
      [] {
        return leaf().reshape({8, 3});
      },
      [] {
        return leaf().reshape({3, 8});
      },
      [] {
        return leaf().slice({0, 0}, {2, 6});
      },
      [] {
        return leaf().slice({1, 0}, {3, 6});
      },
      [] { return leaf().slice({0}, {4}, {2}); },
      [] {
        return iota<int>({1, 4}).broadcast_to({4, 4});
      },
      [] {
        return iota<int>({4, 1}).broadcast_to({4, 4});
      },
      [] {
        return leaf().slice_scatter(iota<int>({1, 6}), {0}, {1});
      },
      [] {
        return leaf().slice_scatter(iota<int>({1, 6}), {1}, {2});
      },
      [] {
        return leaf().slice_scatter(iota<int>({2, 6}), {0}, {4}, {2});
      },
      [] {
        return leaf().slice_scatter(iota<int>({2, 6}), {0}, {2});
      },
      [] { return leaf().roll(1, 0).roll(1, 0); },
      [] { return leaf().roll(1, 0).eval().roll(1, 1); },
  };
  for (std::size_t a = 0; a < builds.size(); ++a)
    for (std::size_t b = 0; b < builds.size(); ++b) {
      // Rolled once by a stored leaf is the same structure, whatever made the leaf.
      const bool is_same = a == b || (a == 2 && b == 25) || (a == 25 && b == 2);
      CHECK_MESSAGE(hits(builds[a](), builds[b]()) == is_same, a, " then ", b);
    }
  PlanCache cache(8);
  iota<int>({6}).flip().eval({.plans = &cache});
  iota<std::int64_t>({6}).flip().eval({.plans = &cache});
  iota<float>({6}).flip().eval({.plans = &cache});
  CHECK(cache.hits() == 0);
  iota<int>({6}).flip().eval({.memory_limit = 1000, .plans = &cache});
  CHECK(cache.hits() == 0);
}

TEST_CASE("which operands are one node is part of the structure") {
  const Tensor one = leaf(), other = leaf(100);
  CHECK_FALSE(hits(one.slice_scatter(one.slice({0}, {1}), {2}, {3}),
                   one.slice_scatter(other.slice({0}, {1}), {2}, {3})));
  const auto shared = [](const Tensor& x) {
    const Tensor y = x.roll(1, 0);
    return y.slice_scatter(y.slice({0}, {1}), {2}, {3});
  };
  const auto apart = [](const Tensor& x) {
    return x.roll(1, 0).slice_scatter(x.roll(1, 0).slice({0}, {1}), {2}, {3});
  };
  CHECK(hits(shared(one), shared(other)));
  CHECK_FALSE(hits(shared(one), apart(one)));
}

TEST_CASE("a cache holds what was used last, and no tensors") {
  PlanCache cache(2);
  auto owner = std::make_shared<std::vector<int>>(6, 1);
  const std::weak_ptr<std::vector<int>> alive = owner;
  const int* const elements = owner->data();
  borrow(elements, {6}, std::move(owner)).roll(1, 0).eval({.plans = &cache});
  CHECK(alive.expired());
  const auto use = [&](std::int64_t shift) {
    const std::size_t before = cache.hits();
    iota<int>({6}).roll(shift, 0).eval({.plans = &cache});
    CHECK(cache.size() <= 2);
    return cache.hits() > before;
  };
  CHECK(use(1));
  CHECK_FALSE(use(2));
  CHECK(use(1));
  CHECK_FALSE(use(3));  // 2 goes
  CHECK(use(1));
  CHECK_FALSE(use(2));
  CHECK(cache.size() == 2);
  PlanCache none(0);
  CHECK(into(iota<int>({3}).flip(), {.plans = &none}) == std::vector<int>{2, 1, 0});
  CHECK(none.size() == 0);
}

TEST_CASE("threads share a cache") {
  PlanCache cache(3);
  std::vector<int> wrong(4, 0);
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < wrong.size(); ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 400; ++i) {
        const int start = static_cast<int>(t) * 1000 + i;
        const int shift = 1 + i % 5;
        std::vector<int> expected(6);
        for (int k = 0; k < 6; ++k) expected[static_cast<std::size_t>((k + shift) % 6)] = start + k;
        wrong[t] += into(iota<int>({6}, start).roll(shift, 0), {.plans = &cache}) != expected;
      }
    });
  for (std::thread& thread : threads) thread.join();
  CHECK(wrong == std::vector<int>(4, 0));
  CHECK(cache.size() <= 3);
}

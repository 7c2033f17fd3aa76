// SPDX-License-Identifier: Apache-2.0
// Small expressions without a plan: the same bits as by one, and nothing is written where a plan is
// needed.
#include <doctest/doctest.h>

#include <cstring>
#include <vector>

#include <weft/engine/kernels/compute/core_links.h>
#include <weft/engine/run/at_once.h>
#include <weft/weft.h>

#include "support/nests.h"
#include "support/values.h"

using namespace weft;
using weft::testing::on_every_target;
using weft::testing::values_of;

namespace {

constexpr std::byte untouched{0xa5};

/// What an expression makes at once; empty where nothing is.
std::vector<std::byte> made_at_once(const Tensor& x) {
  std::vector<std::byte> out(static_cast<std::size_t>(x.bytes()) + 64, untouched);
  const bool is_made = compute_at_once(x.node_ptr(), out.data());
  for (std::size_t k = is_made ? out.size() - 64 : 0; k < out.size(); ++k)
    REQUIRE(out[k] == untouched);
  out.resize(is_made ? out.size() - 64 : 0);
  return out;
}

std::vector<std::byte> made_by_plan(const Tensor& x) {
  std::vector<std::byte> out(static_cast<std::size_t>(x.bytes()));
  eval_into(x, out.data(), x.bytes(), {.may_measure = false});
  return out;
}

bool is_made_right(const Tensor& x) {
  const auto made = made_at_once(x);
  return !made.empty() && made == made_by_plan(x);
}

Tensor small(const Shape& shape, float first = -3) {
  return (iota<float>(shape) * 0.75f + first).eval();
}

}  // namespace

TEST_CASE("at once: operands of the whole shape, of its last axes, and of one element") {
  on_every_target([] {
    for (const Shape& shape : {Shape{}, Shape{1}, Shape{3}, Shape{2, 3, 4}, Shape{1, 16},
                               Shape{5, 7, 8}, Shape{31, 2, 16}, Shape{64, 32}}) {
      const Tensor x = small(shape), y = small(shape, 0.5f);
      CHECK(is_made_right((x + y) * x - y / 3));
      CHECK(is_made_right(where(x < y, x.astype(i8), 3)));
      CHECK(is_made_right(-x));
      CHECK(is_made_right(x.astype(bf16) * y.astype(f16).astype(bf16)));
      CHECK(is_made_right(logical_not(x.astype(bool_))));
      if (shape.size() < 2) continue;
      const Tensor last = small({shape.back()});
      const Tensor wide = small({1, shape.back()}).astype(f64).eval();
      // Groups hold it whole, again and again.
      if (core_links(Width::word).group % shape.back() == 0)
        CHECK(is_made_right((x + last) * last));
      if (core_links(Width::wide).group % shape.back() == 0)
        CHECK(is_made_right(x.astype(f64) + wide));
    }
  });
}

TEST_CASE("at once: what else is left to a plan, and nothing is written") {
  const Tensor x = small({4, 6});
  CHECK(made_at_once(x.transpose() + 1).empty());
  CHECK(made_at_once(x + x.roll(1, 0)).empty());
  CHECK(made_at_once(x + small({4, 1})).empty());
  CHECK(made_at_once(x.astype(f64) + small({1, 6}).astype(f64)).empty());
  CHECK(made_at_once(x + small({6})).empty());  // no group holds six whole
  CHECK(made_at_once(small({4, 1}) + small({1, 4})).empty());
  CHECK(made_at_once(small({128, 64}) + 1).empty());
  CHECK(made_at_once(sin(cos(sin(cos(sin(small({64, 60}))))))).empty());
  CHECK(made_at_once(x.astype(c64) * x.astype(c64)).empty());
  CHECK(made_at_once(sum(x)).empty());
}

TEST_CASE("at once: memory of the caller that overlaps an operand is written last") {
  std::vector<float> memory(40);
  for (std::size_t k = 0; k < memory.size(); ++k) memory[k] = static_cast<float>(k);
  const std::vector<float> before = memory;
  const Tensor x = borrow(memory.data(), {20});
  for (const std::size_t at : {0, 1, 19}) {
    memory = before;
    CHECK_FALSE(
        compute_at_once((x + 1).node_ptr(), reinterpret_cast<std::byte*>(memory.data() + at)));
    CHECK(memory == before);
    eval_into((x + 1) * 2, memory.data() + at, 20 * sizeof(float));
    for (std::size_t k = 0; k < 20; ++k) CHECK(memory[at + k] == (before[k] + 1) * 2);
  }
  CHECK(compute_at_once((x + 1).node_ptr(), reinterpret_cast<std::byte*>(memory.data() + 20)));
  // One element that is read again and again.
  memory = before;
  eval_into(borrow(memory.data() + 2, {1}) + borrow(memory.data() + 20, {4}), memory.data(), 16);
  CHECK(std::vector<float>(memory.begin(), memory.begin() + 4) ==
        std::vector<float>{22, 23, 24, 25});
}

TEST_CASE("at once: operands that were given up are written over still") {
  Tensor x = small({2, 3, 4});
  const void* const memory = x.node().value().get();
  CHECK_FALSE(value_at_once((Tensor(x) + 1).node_ptr()) == nullptr);  // x holds it
  Tensor y = x * 2 + x;
  x = Tensor();
  CHECK(value_at_once(y.node_ptr()) == nullptr);
  y.eval();
  CHECK(y.node().value().get() == memory);
  // One element is no operand that a program is over.
  CHECK((scalar(2.f) * y).eval().node().value().get() != memory);
}

TEST_CASE("at once: a value is made again where a leaf was written meanwhile") {
  std::vector<int> memory{1, 2, 3};
  const Tensor x = borrow(memory.data(), {3});
  CHECK(values_of(x + 1) == std::vector<int>{2, 3, 4});
  memory = {4, 5, 6};
  CHECK(values_of(x + 1) == std::vector<int>{5, 6, 7});
}

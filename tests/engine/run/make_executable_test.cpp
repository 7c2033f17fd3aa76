// SPDX-License-Identifier: Apache-2.0
// Values that are stored on the way where one movement of all would be slow.
#include <doctest/doctest.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <weft/engine/run/make_executable.h>
#include <weft/weft.h>

#include "support/values.h"

using namespace weft;
using weft::testing::values_with;

namespace {

using Values = std::vector<std::uint8_t>;

Tensor counted(const Shape& shape) {
  return arange(element_count(shape)).astype(u8).reshape(shape).eval();
}

Values values_of(const Tensor& tensor) {
  const std::span<const std::uint8_t> span = tensor.span<std::uint8_t>();
  return {span.begin(), span.end()};
}

/// Turned and rolled, with every second of a few rows replaced by the next: bytes that lie apart,
/// one by one.
Tensor turned_and_replaced(const Tensor& x, const auto& after_each) {
  const Tensor y = after_each(after_each(x.transpose({2, 0, 3, 1})).roll(115, 3));
  const Tensor updates = after_each(y.slice({0}, {2}, {1}, {2}));
  return y.slice_scatter(updates, {0}, {4}, {2}, {2});
}
Tensor turned_and_replaced(const Tensor& x) {
  return turned_and_replaced(x, [](const Tensor& y) { return y; });
}
Tensor one_by_one(const Tensor& x) {
  return turned_and_replaced(x, [](const Tensor& y) { return y.eval(); });
}

bool stores_on_the_way(const Tensor& x) {
  return explain(x).find("all at once would be moved in pieces") != std::string::npos;
}

}  // namespace

TEST_CASE("what would be moved in small pieces is stored on the way, whoever asks for it") {
  const Tensor x = counted({53, 153, 16, 4});
  const Values expected = values_of(one_by_one(x));
  const Tensor y = turned_and_replaced(x);
  CHECK(stores_on_the_way(y));
  CHECK(values_with<std::uint8_t>(y, 1) == expected);
  CHECK(values_with<std::uint8_t>(y, 2) == expected);
  CHECK(values_of(turned_and_replaced(x)) == expected);
  PlanCache plans(4);
  for (int k = 0; k < 2; ++k)
    CHECK(values_of(turned_and_replaced(x).eval({.plans = &plans})) == expected);
  CHECK(plans.hits() == 1);
}

TEST_CASE("small results are moved at once, and what moves well") {
  CHECK_FALSE(stores_on_the_way(turned_and_replaced(counted({5, 5, 16, 4}))));
  CHECK_FALSE(stores_on_the_way(counted({53, 153, 16, 4}).transpose({2, 0, 3, 1})));
}

TEST_CASE("what would be moved in small pieces is stored on the way to what is computed, too") {
  // Bytes that lie 104 apart, each for three channels.
  const auto made = [](const auto& after_each) {
    const Tensor y = after_each(counted({20, 390, 2, 52}).transpose({2, 3, 0, 1}));
    const Tensor part = after_each(y.slice({0, 0, 0, 61}, {1, 52, 20, 376}));
    const Tensor wide = after_each(part.transpose({0, 3, 1, 2})).broadcast_to({3, 315, 52, 20});
    return after_each(wide.transpose({3, 2, 1, 0})) + 1;
  };
  const Tensor y = made([](const Tensor& x) { return x; });
  CHECK(make_executable(Expression(y.node_ptr()), {}, {}).plan.passes.size() >
        make_plan(y.node_ptr()).passes.size());
  const Values expected = values_of(made([](const Tensor& x) { return x.eval(); }));
  CHECK(values_with<std::uint8_t>(y, 1) == expected);
  CHECK(values_with<std::uint8_t>(y, 2) == expected);
  Values values(expected.size());
  eval_into(y, values.data(), y.bytes(), {.memory_limit = y.bytes() + 1000});
  CHECK(values == expected);
}

TEST_CASE("plans are tried where so many evaluations make up for planning") {
  const Tensor turned = counted({29, 3, 3, 28}).astype(f64).eval().trunc().transpose({1, 2, 3, 0});
  const Expression expression(turned.repeat(2, 3).repeat(2, 0).abs().node_ptr());
  const auto passes = [&](bool is_once, double evaluations) {
    return make_executable(expression, {}, {}, {}, is_once, evaluations).plan.passes.size();
  };
  CHECK(passes(false, often) > passes(false, 1));
  CHECK(passes(true, often) == passes(false, 1));
}

TEST_CASE("nothing is stored on the way for which there is no memory") {
  // What is stored there asks for a value below it that is larger.
  const Values elements = values_of(counted({5, 3, 59, 89 * 3}));
  const Tensor x = borrow(elements.data(), opaque(3), {5, 3, 59, 89});
  const Tensor wide =
      x.repeat(4, 3).reshape({5, 3, 21004}).slice({0, 0, 21002}, {5, 3, -21005}, {1, 1, -1});
  const Tensor third = wide.slice({0, 0, 0}, {5, 2, 21003}, {1, 1, 3});
  const Tensor replaced = third.slice_scatter(third.slice({0, 0, 5787}, {5, 2, 7001}), {0, 0, 1194},
                                              {5, 2, 6048}, {1, 1, 4});
  const Tensor y = concat({replaced, replaced.roll(2, 0)}, 0);
  Values expected;
  for (const std::int64_t limit :
       {std::int64_t{0}, y.bytes() + 1000, 2 * y.bytes(), 4 * y.bytes()}) {
    Values values(static_cast<std::size_t>(y.bytes()));
    eval_into(y, values.data(), y.bytes(), {.memory_limit = limit});
    if (limit == 0) expected = values;
    CHECK(values == expected);
  }
}

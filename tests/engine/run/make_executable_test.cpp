// SPDX-License-Identifier: Apache-2.0
// Values that are stored on the way where one movement of all would be slow.
#include <doctest/doctest.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

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

TEST_CASE("nothing is stored on the way that leaves too little memory, or of small results") {
  const Tensor x = counted({53, 153, 16, 4});
  const Tensor y = turned_and_replaced(x);
  const Values expected = values_of(one_by_one(x));
  CHECK(values_of(y.eval({.memory_limit = 3 * y.bytes()})) == expected);
  CHECK_FALSE(stores_on_the_way(turned_and_replaced(counted({5, 5, 16, 4}))));
  CHECK_FALSE(stores_on_the_way(x.transpose({2, 0, 3, 1})));
}

// SPDX-License-Identifier: Apache-2.0
// any, all and count_nonzero.
#include "ops/reduce/cells.h"

using namespace weft;
using namespace weft::testing;

namespace {

template <class T>
bool is_true(T x) {
  return !(static_cast<Computed<T>>(x) == 0);
}

TEST_CASE("any, all, count_nonzero: of every real type") {
  for_each_type<RealTypes>([]<class T>(T) {
    const auto mostly_zero = [](const Tensor& x) { return where(x > T(1), x, T(0)); };
    const auto kept = [](T x) { return static_cast<Computed<T>>(x) > 1 ? x : T(0); };
    check_reduction<T, bool>(
        700,
        [&](const Tensor& x, const Ints& axes, bool keepdims) {
          return any(mostly_zero(x), axes, keepdims);
        },
        [&](bool made, const std::vector<T>& cell) {
          CHECK(made ==
                std::any_of(cell.begin(), cell.end(), [&](T x) { return is_true(kept(x)); }));
        },
        20);
    check_reduction<T, bool>(
        720,
        [&](const Tensor& x, const Ints& axes, bool keepdims) { return all(x, axes, keepdims); },
        [&](bool made, const std::vector<T>& cell) {
          CHECK(made == std::all_of(cell.begin(), cell.end(), is_true<T>));
        },
        20);
    check_reduction<T, std::int64_t>(
        740,
        [&](const Tensor& x, const Ints& axes, bool keepdims) {
          return count_nonzero(mostly_zero(x), axes, keepdims);
        },
        [&](std::int64_t made, const std::vector<T>& cell) {
          CHECK(made ==
                std::count_if(cell.begin(), cell.end(), [&](T x) { return is_true(kept(x)); }));
        },
        20);
  });
}

TEST_CASE("any, all, count_nonzero: of nothing, of NaN, of bytes that are true") {
  expect<bool>(any(zeros({0, 2}), 0), {2}, {false, false});
  expect<bool>(all(zeros({0, 2}), 0), {2}, {true, true});
  expect<std::int64_t>(count_nonzero(zeros({0}, bool_)), {}, {0});
  expect<bool>(any(array({0.0f, std::numeric_limits<float>::quiet_NaN()})), {}, {true});
  const std::vector<std::uint8_t> bytes{0, 7, 1, 200};
  const Tensor x = copy_from(bytes.data(), bool_, {4});
  expect<std::int64_t>(count_nonzero(x), {}, {3});
  expect<bool>(all(x), {}, {false});
}

}  // namespace

// SPDX-License-Identifier: Apache-2.0
// Logic of bools and of bits, and shifts.
#include "ops/elementwise/values.h"

using namespace weft;
using namespace weft::testing;

namespace {

template <class Op, class Function>
void check_bits(const Op& op, const Function& function) {
  for_each_type<IntegerTypes>([&]<class T>(T) {
    check_of_two<T>(
        op, [&](T x, T y) { return static_cast<T>(function(x, y)); }, telling_values<T>());
  });
}

}  // namespace

TEST_CASE("logical ops and bitwise ones of bool: a table of truth") {
  const Tensor x = array({false, false, true, true}), y = array({false, true, false, true});
  for (const std::int64_t times : {1, 100}) {
    const Tensor a = x.tile({times}), b = y.tile({times});
    const auto check = [&](const Tensor& made, const std::vector<std::uint8_t>& expected) {
      std::vector<std::uint8_t> all;
      for (std::int64_t k = 0; k < times; ++k)
        all.insert(all.end(), expected.begin(), expected.end());
      CHECK(made.dtype() == bool_);
      CHECK(made.eval().view_as(u8).to_vector<std::uint8_t>() == all);
    };
    on_every_target([&] {
      check(logical_and(a, b), {0, 0, 0, 1});
      check(logical_or(a, b), {0, 1, 1, 1});
      check(logical_xor(a, b), {0, 1, 1, 0});
      check(logical_not(a), {1, 1, 0, 0});
      check(a & b, {0, 0, 0, 1});
      check(a | b, {0, 1, 1, 1});
      check(a ^ b, {0, 1, 1, 0});
      check(~a, {1, 1, 0, 0});
      check(logical_and(less(iota<double>(4 * times), 1e9), logical_not(b)), {1, 0, 1, 0});
    });
  }
  expect<bool>(logical_and(x, true), {4}, {false, false, true, true});
  expect<bool>(logical_or(true, x), {4}, {true, true, true, true});
}

TEST_CASE("logic: any byte but 0 is true") {
  const std::uint8_t bytes[] = {0, 1, 2, 128};
  const Tensor x = copy_from(bytes, bool_, {4});
  expect<bool>(logical_not(x), {4}, {true, false, false, false});
  expect<bool>(x & array({true}), {4}, {false, true, true, true});
  expect<bool>(x ^ x.flip(), {4}, {true, false, false, true});
}

TEST_CASE("bitwise ops: of integers of every width") {
  check_bits([](const Tensor& x, const Tensor& y) { return bitwise_and(x, y); },
             [](auto x, auto y) { return x & y; });
  check_bits([](const Tensor& x, const Tensor& y) { return bitwise_or(x, y); },
             [](auto x, auto y) { return x | y; });
  check_bits([](const Tensor& x, const Tensor& y) { return bitwise_xor(x, y); },
             [](auto x, auto y) { return x ^ y; });
  for_each_type<IntegerTypes>([]<class T>(T) {
    check_of_one<T>([](const Tensor& x) { return bitwise_invert(x); },
                    [](T x) { return static_cast<T>(~x); }, telling_values<T>());
  });
}

TEST_CASE("shifts: by the width or more, or below 0, 0 or the sign is left") {
  check_bits([](const Tensor& x, const Tensor& y) { return bitwise_left_shift(x, y); },
             []<class T>(T x, T y) {
               const bool is_within = y >= 0 && static_cast<std::uint64_t>(y) < 8 * sizeof(T);
               return is_within ? static_cast<std::uint64_t>(x) << y : std::uint64_t{0};
             });
  check_bits([](const Tensor& x, const Tensor& y) { return bitwise_right_shift(x, y); },
             []<class T>(T x, T y) {
               const bool is_within = y >= 0 && static_cast<std::uint64_t>(y) < 8 * sizeof(T);
               return is_within ? static_cast<T>(x >> y) : static_cast<T>(x < 0 ? -1 : 0);
             });
  expect<std::int8_t>(array({std::int8_t{-128}}) >> 9, {1}, {-1});
  expect<std::uint8_t>(array({std::uint8_t{255}}) << 9, {1}, {0});
  expect<int>(1 << array({0, 4, 31, 32, -1}), {5}, {1, 16, std::numeric_limits<int>::min(), 0, 0});
}

namespace weft::testing {

// Of integers alone: leaves have bools of any byte, which where moves as they are, and what
// computes makes 0 or 1.
void draw_bitwise(Drawing& drawing) {
  Random& random = drawing.random();
  if (!drawing.dtype_of(drawing.x()).is_integer()) return;
  if (random.one_in(4)) drawing.add("bitwise_invert", {drawing.x()}, {});
  else if (random.one_in(2))
    draw_of_two(drawing, any_of(random, {"bitwise_left_shift", "bitwise_right_shift"}));
  else draw_of_two(drawing, any_of(random, {"bitwise_and", "bitwise_or", "bitwise_xor"}));
}

/// Of what comparisons make, as a condition.
void draw_logic(Drawing& drawing) {
  if (!is_real(drawing.dtype_of(drawing.x()))) return;
  Random& random = drawing.random();
  const std::size_t x = drawing.x(), y = drawing.value_like(drawing.shape());
  const std::size_t first = drawing.add("less", {x, y}, {}), second = drawing.add("isinf", {y}, {});
  std::size_t holds = drawing.add(
      any_of(random, {"logical_and", "logical_or", "logical_xor", "bitwise_and", "bitwise_xor"}),
      {first, second}, {});
  if (random.one_in(3))
    holds = drawing.add(any_of(random, {"logical_not", "bitwise_invert"}), {holds}, {});
  drawing.add("where", {holds, x, y}, {});
}

}  // namespace weft::testing

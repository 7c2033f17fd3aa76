// SPDX-License-Identifier: Apache-2.0
// Values into memory of the caller, by type, and several at once.
#include <doctest/doctest.h>

#include <array>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include <weft/weft.h>

#include "support/values.h"

namespace weft::testing {
namespace {

template <class Out>
concept TakenByEvalInto = requires(const Tensor& x, Out out) {
  eval_into(x, out);
};
static_assert(TakenByEvalInto<std::span<int>>);
static_assert(TakenByEvalInto<std::span<float, 4>>);
static_assert(!TakenByEvalInto<std::span<const int>>);
static_assert(std::is_constructible_v<Destination, std::span<int>>);
static_assert(!std::is_constructible_v<Destination, std::span<const int>>);
static_assert(std::is_void_v<decltype(eval(std::span<const Tensor>()))>);

TEST_CASE("eval of several tensors returns them, with their values") {
  const Tensor x = iota<int>({2, 3});
  const auto [a, b, c] = eval(x.flip(), x.transpose(), x.roll(1, 0));
  static_assert(std::is_base_of_v<std::array<Tensor, 3>, decltype(eval(x, x, x))>);
  // An element of a temporary is one, too: it has no data to point at.
  static_assert(std::is_same_v<decltype(eval(x, x)[0]), Tensor>);
  for (const Tensor* each : {&a, &b, &c}) CHECK(each->is_stored());
  CHECK(values_of(a) == std::vector<int>{5, 4, 3, 2, 1, 0});
  CHECK(values_of(b) == std::vector<int>{0, 3, 1, 4, 2, 5});
  CHECK(values_of(c) == std::vector<int>{3, 4, 5, 0, 1, 2});
  eval(a, b);  // as a statement, too
  CHECK(eval(x.flip())[0].is_stored());
}

TEST_CASE("eval_into a span writes elements of the tensor's type and of no other") {
  const Tensor y = iota<int>({2, 2}).transpose();
  std::vector<int> out(4, -1);
  eval_into(y, std::span(out));
  CHECK(out == std::vector<int>{0, 2, 1, 3});
  std::array<int, 4> fixed{};
  eval_into(y, std::span(fixed));
  CHECK(fixed == std::array{0, 2, 1, 3});

  std::vector<float> floats(4, 0.5f);
  CHECK_THROWS_WITH_AS(eval_into(y, std::span(floats)),
                       "eval_into: f32 was asked for, the elements are i32", DtypeError);
  CHECK_THROWS_AS(eval_into(y, std::span(out).first(3)), ShapeError);
  CHECK(floats == std::vector<float>(4, 0.5f));
}

TEST_CASE("the memory of the caller does not count for memory_limit, what weft takes does") {
  const Tensor y = iota<int>({100, 100}).transpose();
  std::vector<int> out(10000);
  eval_into(y, std::span(out), {.memory_limit = 100});
  CHECK(out[1] == 100);
  CHECK_THROWS_AS(y.eval({.memory_limit = 100}), MemoryError);
  const Tensor on_the_way = iota<int>({100, 100}).roll(1, 0).stored().transpose();
  CHECK_THROWS_AS(eval_into(on_the_way, std::span(out), {.memory_limit = 100}), MemoryError);
  eval_into(on_the_way, std::span(out), {.memory_limit = 40000});
  CHECK(out[1] == 0);
  // Over memory that is read the value is made aside, in memory of weft's.
  CHECK_THROWS_AS(
      eval_into(borrow(out.data(), {100, 100}).transpose(), std::span(out), {.memory_limit = 100}),
      MemoryError);
}

Program transposed() {
  return Program({placeholder(i32, {"n", "m"})}, [](const Tensor& x) { return x.transpose(); });
}

TEST_CASE("run_into takes spans, and refuses those of another type") {
  const Program program({placeholder(i32, {"n", 2}), placeholder(f32, {2})},
                        [](const Tensor& x, const Tensor& y) {
                          return std::vector<Tensor>{x.transpose(), y.flip()};
                        });
  const Tensor x = iota<int>({2, 2}), y = iota<float>(2);
  std::vector<int> first(4);
  std::array<float, 2> second{};
  program.run_into({x, y}, {std::span(first), std::span(second)});
  CHECK(first == std::vector<int>{0, 2, 1, 3});
  CHECK(second == std::array{1.0f, 0.0f});
  CHECK_THROWS_WITH_AS(program.run_into({x, y}, {std::span(second), std::span(first)}),
                       "program: destination 0 is of f32, output 0 is i32", DtypeError);
  CHECK_THROWS_AS(program.run_into({x, y}, {std::span(first).first(2), std::span(second)}),
                  ShapeError);
  // Bytes are of any type.
  program.run_into({x, y}, {{first.data(), 16}, {second.data(), 8}});
  CHECK(first == std::vector<int>{0, 2, 1, 3});
}

TEST_CASE("run_into takes the span of the only output as it is") {
  std::vector<int> out(6);
  transposed().run_into({iota<int>({2, 3})}, std::span(out));
  CHECK(out == std::vector<int>{0, 3, 1, 4, 2, 5});
}

TEST_CASE("the memory of run_into does not count, unless it overlaps an input") {
  const Program program = transposed();
  std::vector<int> from(10000), out(10000);
  for (int k = 0; k < 10000; ++k) from[static_cast<std::size_t>(k)] = k;
  const Tensor x = borrow(from.data(), {100, 100});
  program.run_into({x}, std::span(out), {.memory_limit = 100});
  CHECK(out[1] == 100);
  CHECK_THROWS_AS(program.run_into({x}, std::span(from), {.memory_limit = 100}), MemoryError);
  CHECK(from[1] == 1);
  program.run_into({x}, std::span(from), {.memory_limit = 40000});
  CHECK(from == out);
}

TEST_CASE("an error of memory names the op and its shape") {
  const auto message = [](auto&& call) -> std::string {
    try {
      call();
    } catch (const MemoryError& error) {
      return error.what();
    }
    return "";
  };
  const std::int64_t many = std::int64_t{1} << 50;
  CHECK(message([&] { return iota<int>(many); }).starts_with("iota [1125899906842624]: "));
  CHECK(message([&] { return full<int>(many, 1).eval(); }).find("[1125899906842624]") !=
        std::string::npos);
  const char byte = 0;
  CHECK(message([&] {
          return copy_from(&byte, u8, many);
        }).starts_with("copy_from [1125899906842624]: "));
}

}  // namespace
}  // namespace weft::testing

// SPDX-License-Identifier: Apache-2.0
// Programs: open shapes, parameters that are inputs, plans found again, in place, errors.
#include <doctest/doctest.h>
#include <weft/weft.h>

#include <thread>

#include "support/recipe.h"
#include <weft/testing/reference.h>

namespace weft::testing {
namespace {

bool is_same(const Tensor& a, const Tensor& b) {
  return a.dtype() == b.dtype() && a.shape() == b.shape() &&
         reference_value(a) == reference_value(b);
}

TEST_CASE("a program runs with any shift and any size") {
  const Program turn(
      {placeholder(i32, {"batch", 4}), placeholder(i64, {})},
      [](const Tensor& x, const Tensor& shift) { return x.roll(shift, 1).transpose(); });
  for (const int batch : {0, 1, 3, 7})
    for (const int shift : {0, 1, -9}) {
      const Tensor x = leaf(i32, {batch, 4});
      const std::vector<Tensor> got = turn(x, scalar(std::int64_t{shift}));
      REQUIRE(got.size() == 1);
      CHECK(is_same(got[0], x.roll(shift, 1).transpose()));
    }
  CHECK(turn.hits() == 0);
  turn(leaf(i32, {3, 4}), scalar(std::int64_t{1}));
  CHECK(turn.hits() == 1);
}

TEST_CASE("a program prints one value a line") {
  const Program program({placeholder(f32, {"batch", Dim(1, 64), -1}, "x"), placeholder(i64, {1})},
                        [](const Tensor& x, const Tensor& shift) {
                          return x.roll(shift, {0}).tile({2, 1, 1}).transpose();
                        });
  CHECK(to_string(program) ==
        "%0 = input x  f32 [batch, 1..64, ?]\n"
        "%1 = input  i64 [1]\n"
        "%2 = roll(%0, shift=%1, axes=[0])  f32 [batch, 1..64, ?]\n"
        "%3 = tile(%2, repeats=[2, 1, 1])  f32 [?, 1..64, ?]\n"
        "%4 = transpose(%3)  f32 [?, 1..64, ?]\n"
        "return %4\n");
}

TEST_CASE("an input that is given up is written in place") {
  const Program step({placeholder(i32, {8, 3}), placeholder(i32, {1, 3}), placeholder(i64, {1}),
                      placeholder(i64, {1})},
                     [](const Tensor& cache, const Tensor& update, const Tensor& start,
                        const Tensor& stop) { return cache.slice_scatter(update, start, stop); });
  Tensor cache = full<int>({8, 3}, 0).eval();
  cache = cache.slice_scatter(full<int>({1, 3}, 7), {0}, {1}).eval();
  const int* const before = cache.data<int>();
  const Tensor update = full<int>({1, 3}, 5).eval();
  cache = step(std::move(cache), update, array<std::int64_t>({2}), array<std::int64_t>({3}))[0];
  CHECK(cache.data<int>() == before);
  CHECK(cache.data<int>()[6] == 5);
  CHECK(cache.data<int>()[0] == 7);
  const Tensor other = step(cache, update, array<std::int64_t>({3}), array<std::int64_t>({4}))[0];
  CHECK(other.data<int>() != before);
  CHECK(cache.data<int>()[9] == 0);
}

TEST_CASE("a call whose shape no tensor has is refused when it is recorded") {
  const Tensor x = placeholder(u8, PartialShape::any());
  const Ints extents{std::int64_t{1} << 32, std::int64_t{1} << 32};
  CHECK_THROWS_AS(x.reshape(extents), OverflowError);
  CHECK_THROWS_AS(x.broadcast_to(extents), OverflowError);
  CHECK_THROWS_WITH_AS(x.broadcast_to(std::vector<int>(17, 1)),
                       "broadcast_to: the result would have rank 17, at most 16 is allowed",
                       ParameterError);
}

TEST_CASE("parameters too large to be told apart are planned anew") {
  const Program program(
      {placeholder(i32, {"n"}), placeholder(i64, {"axes"}), placeholder(i64, {"axes"})},
      [](const Tensor& x, const Tensor& shift, const Tensor& axes) { return x.roll(shift, axes); });
  const Tensor x = iota<int>(5), ones = full<std::int64_t>({600}, 1).eval();
  const Tensor axes = full<std::int64_t>({600}, 0).eval();
  for (int i = 0; i < 2; ++i) CHECK(is_same(program(x, ones, axes)[0], x.roll(600, 0)));
  CHECK(program.hits() == 0);
}

TEST_CASE("a program turns an input that is given up within its memory") {
  const Program turn({placeholder(i32, {-1, -1}), placeholder(i64, {})},
                     [](const Tensor& x, const Tensor& shift) { return x.roll(shift, 0).flip(1); });
  Tensor x = iota<int>({5, 6});
  const int* const memory = x.data<int>();
  const Tensor shift = scalar(std::int64_t{2});
  const Tensor held = turn(x, shift)[0];
  CHECK(held.data<int>() != memory);
  const Tensor y = turn(std::move(x), shift)[0];
  CHECK(y.data<int>() == memory);
  CHECK(reference_value(y) == reference_value(iota<int>({5, 6}).roll(2, 0).flip(1)));
  CHECK(reference_value(held) == reference_value(y));
}

TEST_CASE("a program explains what a run does") {
  const Program program({placeholder(i32, {-1, 3}, "cache"), placeholder(i32, {1, 3})},
                        [](const Tensor& cache, const Tensor& row) {
                          return std::vector<Tensor>{cache.slice_scatter(row, {1}, {2}), row};
                        });
  CHECK(program.explain({iota<int>({4, 3}), iota<int>({1, 3})}) ==
        "output 1: input 1, nothing to do\n"
        "output 0, i32 [4, 3]: 1 pass, 3 boxes, 48 B read, 48 B written, 0 temporaries\n"
        "in place, over input 0 (cache), where that is given up\n"
        "pass 1: result [4, 3], 3 boxes\n"
        "  run               12 B  from source 1, out 0 src 0 (3: 1, 1)\n"
        "  run               12 B  from source 0, out 3 src 0 (3: 1, 1)\n"
        "  run               24 B  from source 1, out 6 src 6 (6: 1, 1)\n");
}

}  // namespace
}  // namespace weft::testing

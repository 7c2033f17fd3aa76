// SPDX-License-Identifier: Apache-2.0
// Passes that go together, row by row or as what is reduced is made: the same bits as one after the
// other, and no memory for what lies between them.
#include <cstdint>
#include <cstring>
#include <doctest/doctest.h>
#include <functional>
#include <string>
#include <vector>

#include <weft/engine/run/executable.h>
#include <weft/weft.h>

#include "support/random.h"
#include "support/values.h"

using namespace weft;
using weft::testing::Random;
using weft::testing::values_with;

namespace {

Tensor numbers(Random& random, const Shape& shape) {
  std::vector<float> values(static_cast<std::size_t>(element_count(shape)));
  for (float& value : values) value = static_cast<float>(random.in(-1000, 1000)) / 512.0f;
  return from_vector(values, shape).eval();
}

std::vector<std::uint32_t> bits_of(const Tensor& x) {
  std::vector<std::uint32_t> bits(static_cast<std::size_t>(x.size()));
  std::memcpy(bits.data(), x.data<float>(), bits.size() * sizeof(std::uint32_t));
  return bits;
}

/// One of compositions of rows, each step through `pass`.
template <class Through>
Tensor composed(std::uint64_t seed, const Through& pass) {
  Random random(seed);
  Shape shape{random.in(1, 4), random.in(8, 200), random.in(1, 300)};
  if (random.one_in(3)) shape = {random.in(8, 900), random.in(1, 400)};
  if (random.one_in(6)) shape = {random.in(1, 4), random.in(30000, 90000)};
  const Tensor x = numbers(random, shape);
  const auto rank = static_cast<std::int64_t>(shape.size());
  const auto axis = [&] { return random.one_in(3) ? random.in(0, rank - 1) : rank - 1; };
  Tensor y = x;
  for (std::int64_t k = random.in(1, 5); k > 0; --k) {
    switch (random.below(9)) {
      case 0:
        y = pass(y.roll(random.in(-5, 5), axis()));
        break;
      case 1:
        y = pass(y.flip(axis()));
        break;
      case 2: {
        const std::int64_t own = axis();
        y = pass(y - pass(y.mean(own, true)));
        break;
      }
      case 3: {
        const std::int64_t own = axis();
        y = pass(y * pass(rsqrt(pass(pass(pass(y * y).mean(own, true)) + 0.01f))));
        break;
      }
      case 4:
        y = pass(exp(pass(y * 0.125f)));
        break;
      case 5:
        y = pass(y + x);
        break;
      case 6: {
        const std::int64_t half = y.extent(-1) / 2;
        y = pass(concat(
            {y.slice({half}, {y.extent(-1)}, {1}, {-1}), pass(-y.slice({0}, {half}, {1}, {-1}))},
            -1));
        break;
      }
      case 7:
        y = pass(maximum(y, pass(pass(y.min(axis(), true)) + 1.0f)));
        break;
      default:
        y = pass(y.softmax(axis()));
    }
  }
  switch (random.below(6)) {
    case 0:
      return pass(y.sum());
    case 1:
      return pass(y.sum(axis()));
    case 2:
      return pass(pass(y * y).sum(axis()));
    case 3:
      return pass(y.reshape({-1}).roll(7, 0).max());
    default:
      return y;
  }
}

TEST_CASE("rows of passes that go together have the bits of passes one after the other") {
  std::size_t by_rows = 0, fed = 0, found = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    CAPTURE(seed);
    const Tensor together = composed(seed, [](const Tensor& x) { return x; });
    const std::string text = explain(together);
    by_rows += text.find("rows at a time") != std::string::npos;
    fed += text.find("as it is reduced,") != std::string::npos;
    found += text.find("read where it lies as it is reduced") != std::string::npos;
    const Tensor apart = composed(seed, [](const Tensor& x) { return x.eval(); });
    CHECK(bits_of(together.eval()) == bits_of(apart.eval()));
  }
  CHECK(by_rows > 60);
  CHECK(fed > 15);
  CHECK(found > 3);
}

/// A product, or some, and what is computed of it.
template <class Through>
Tensor multiplied(std::uint64_t seed, const Through& pass) {
  Random random(seed);
  const std::int64_t rows = random.in(2, 300), inner = random.in(1, 300),
                     columns = random.in(2, 700);
  const std::int64_t batch = random.one_in(2) ? random.in(1, 9) : 1;
  const Tensor x = numbers(random, {batch, rows, inner}), w = numbers(random, {inner, columns});
  Tensor y = pass(x.matmul(w));
  for (std::int64_t k = random.in(1, 3); k > 0; --k) {
    switch (random.below(9)) {
      case 0:
        y = pass(y + numbers(random, {columns}));
        break;
      case 1:
        y = pass(y * numbers(random, {rows, 1}));
        break;
      case 2:
        y = pass(gelu(y));
        break;
      case 3:
        y = pass(y.softmax(-1));
        break;
      case 4:
        y = pass(y.flip(random.in(1, 2)));
        break;
      case 5:
        y = pass(y.roll(random.in(-9, 9), random.in(0, 2)));
        break;
      case 6:
        y = pass(y + pass(y.mean(-1, true)));
        break;
      case 7:
        y = pass(y.layer_norm(full({columns}, 1.5f), full({columns}, 0.25f)));
        break;
      default:
        y = pass(y * pass(numbers(random, {rows, 9}).matmul(numbers(random, {9, columns}))));
    }
  }
  if (random.one_in(4)) return pass(y.sum(-1));
  if (random.one_in(4)) return pass(pass(y.astype(f16)).astype(f32));
  return y;
}

TEST_CASE("what is computed of a product as its rows are made has the bits of passes apart") {
  std::size_t behind = 0, over = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    CAPTURE(seed);
    const Tensor together = multiplied(seed, [](const Tensor& x) { return x; });
    const std::string text = explain(together);
    behind += text.find("makes them") != std::string::npos;
    over += text.find("makes them, over pass") != std::string::npos;
    const auto apart = bits_of(multiplied(seed, [](const Tensor& x) { return x.eval(); }));
    CHECK(bits_of(together.eval({.threads = static_cast<int>(seed % 4)})) == apart);
    std::vector<float> callers(static_cast<std::size_t>(together.size()));
    eval_into(multiplied(seed, [](const Tensor& x) { return x; }), std::span(callers));
    std::vector<std::uint32_t> bits(callers.size());
    std::memcpy(bits.data(), callers.data(), bits.size() * sizeof(float));
    CHECK(bits == apart);
  }
  CHECK(behind > 150);
  CHECK(over > 60);
}

TEST_CASE("any number of threads makes the same bits of passes that go together") {
  Random random(7);
  const Tensor x = numbers(random, {600, 500});
  const Tensor square = x * x;
  for (const Tensor& each :
       {x.softmax(-1), x * rsqrt(square.mean(-1, true) + 1e-5f), x.roll({3, 5}, {0, 1}).sum(0),
        square.sum(0), square.sum(), x.roll(3, 1).flip(0).sum()}) {
    const std::vector<float> one = values_with<float>(each, 1);
    for (const int threads : {2, 3, 8, 16}) CHECK(values_with<float>(each, threads) == one);
  }
}

TEST_CASE("what lies between passes that go together takes no memory") {
  Random random(8);
  const Tensor x = numbers(random, {2048, 512});
  const std::int64_t result = x.bytes();
  EvalOptions options;
  options.memory_limit = result + (std::int64_t{2} << 20);
  const Tensor softmax = x.softmax(-1);
  CHECK(explain(softmax).find("0 temporaries") != std::string::npos);
  CHECK_NOTHROW(softmax.eval(options));
  options.memory_limit = x.bytes() + 1024;
  CHECK_NOTHROW((x * x).sum(0).eval(options));
  CHECK_NOTHROW((x * x).sum().eval(options));
}

TEST_CASE("the memory of all passes that go together counts before the first one begins") {
  Random random(11);
  const Tensor x = numbers(random, {2048, 512});
  const Tensor stored = exp(x).stored(), squares = stored.roll(1, 0) * stored,
               y = squares / squares.sum(-1, true);
  // One and the result at once, whoever lets go of what: 8 MiB.
  EvalOptions options;
  options.memory_limit = std::int64_t{7} << 20;
  CHECK_THROWS_AS(y.eval(options), MemoryError);
  options.memory_limit = std::int64_t{10} << 20;
  CHECK_NOTHROW(y.eval(options));
}

TEST_CASE("what others read as well is stored, row by row") {
  Random random(9);
  const Tensor x = numbers(random, {1024, 300});
  const Tensor e = exp(x), s = e.sum(-1, true), y = e / s;
  eval(std::vector<Tensor>{e, y});
  CHECK(bits_of(e) == bits_of(exp(x).eval()));
  const Tensor stored = exp(x).eval();
  CHECK(bits_of(y) == bits_of((stored / stored.sum(-1, true).eval()).eval()));
}

TEST_CASE("rows that read others than their own do not go together with them") {
  Random random(10);
  const Tensor x = numbers(random, {1024, 300});
  const Tensor e = exp(x), m = e.max(-1, true), y = e.roll(1, 0) - m;
  const Tensor stored = exp(x).eval();
  CHECK(bits_of(y.eval()) ==
        bits_of((stored.roll(1, 0).eval() - stored.max(-1, true).eval()).eval()));
}

TEST_CASE("what a reduction has made for it piece by piece may be larger than memory") {
  Random random(31);
  const Tensor x = numbers(random, {2048, 1024});  // 8 MiB
  EvalOptions options;
  options.memory_limit = std::int64_t{2} << 20;
  const auto value_of = [&](const Tensor& y, const EvalOptions& own = {}) {
    std::vector<float> out(static_cast<std::size_t>(y.size()));
    eval_into(y, std::span(out), own);
    return out;
  };
  for (const auto& make : std::vector<std::function<Tensor()>>{
           [&] { return (x * x).sum(); }, [&] { return (x * x).sum(0); },
           [&] { return (x + 1.0f).sum(1); },
           [&] {
             return x.roll({3, 5}, {0, 1}).max(1);
           },
           [&] { return (x * x).roll(7, 0).sum(1); }})
    CHECK(value_of(make(), options) == value_of(make()));
  // Here it has to be stored, and somebody says so.
  CHECK_THROWS_WITH_AS(value_of((x * x).cumulative_sum(1), options), doctest::Contains("multiply"),
                       MemoryError);
}

}  // namespace

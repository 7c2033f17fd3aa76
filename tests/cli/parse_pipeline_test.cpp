// SPDX-License-Identifier: Apache-2.0
// Pipelines as text make what the calls make, and say where they are wrong.
#include <cmath>
#include <cstring>
#include <doctest/doctest.h>
#include <limits>
#include <string>
#include <vector>

#include <weft/cli/parse_pipeline.h>
#include <weft/ops/op_table.h>
#include <weft/weft.h>

#include "support/random.h"

using namespace weft;
using weft::testing::Random;

namespace {

const Tensor x = iota<float>({2, 3, 4}).eval(), y = iota<float>({2, 3, 4}, 100).eval();
constexpr float infinity = std::numeric_limits<float>::infinity();
const PipelineInputs inputs{
    {"_", x}, {"y", y}, {"i", from_vector(std::vector<std::int64_t>{1, 0})}, {"two", full({}, 2)}};

void check_same(std::string_view text, const Tensor& expected) {
  CAPTURE(text);
  const Tensor made = parse_pipeline(text, inputs).eval(), other = expected.eval();
  REQUIRE(made.shape() == other.shape());
  REQUIRE(made.dtype() == other.dtype());
  CHECK(std::memcmp(made.node().value().get(), other.node().value().get(),
                    static_cast<std::size_t>(other.bytes())) == 0);
}

/// What is wrong, and at which byte.
void check_refused(std::string_view text, std::string_view what, std::size_t where) {
  CAPTURE(text);
  std::size_t at = 1000;
  try {
    static_cast<void>(parse_pipeline(text, inputs, &at));
    FAIL("nothing was thrown");
  } catch (const Error& error) {
    CHECK(std::string(error.what()).find(what) != std::string::npos);
    CHECK(at == where);
  }
}

}  // namespace

TEST_CASE("pipelines are the calls that they name") {
  check_same("roll([1], [2])", x.roll(1, 2));
  check_same(" roll( shift = -1,axes=[0] )|transpose ", x.roll(-1, 0).transpose());
  check_same("transpose(order=[2, 0, 1]) | flip(0)", x.transpose({2, 0, 1}).flip(0));
  check_same("concat(_, y, axis=0)", concat({x, y}, 0));
  check_same("concat([y, _], axis=1)", concat({y, x}, 1));
  check_same("concat(y)", concat({x, y}));
  check_same("y | reshape([6, 4])", y.reshape({6, 4}));
  check_same("y | roll(1, 0) | add(_, roll(_, [1], [1]))", y.roll(1, 0) + y.roll(1, 0).roll(1, 1));
  check_same("subtract(1, _)", 1 - x);
  check_same("multiply(2) | add(0.5)", x * 2 + 0.5f);
  check_same("minimum(inf) | maximum(-inf)", minimum(maximum(x, -infinity), infinity));
  check_same("pad([0, 0, 1], [1, 0, 0], inf)", x.pad({0, 0, 1}, {1, 0, 0}, infinity));
  check_same("where(greater(_, 3), _, nan)", where(x > 3, x, std::nanf("")));
  check_same("where(greater(_, 3), _, y)", where(x > 3, x, y));
  check_same("clip(1, 9) | astype(i32)", clip(x, 1, 9).astype(i32));
  check_same("pad([0, 0, 1], [1, 0, 0], 7)", x.pad({0, 0, 1}, {1, 0, 0}, 7));
  check_same("pad([0, 0, 1], [1, 0, 0], 0, 'edge')", x.pad({0, 0, 1}, {1, 0, 0}, "edge"));
  check_same("rearrange('a (b c) d -> c a (b d)', c=3)",
             x.rearrange("a (b c) d -> c a (b d)", {{"c", 3}}));
  check_same("take(i, axis=1)", x.take(from_vector(std::vector<std::int64_t>{1, 0}), 1));
  check_same("take([1, 0], axis=1)", x.take(from_vector(std::vector<std::int64_t>{1, 0}), 1));
  check_same("roll(two, [0])", x.roll(2, 0));
  check_same("sum(axes=none, keepdims=true)", x.sum(none, true));
  check_same("var(axes=[1], correction=1)", x.var(1, 1.0));
  check_same("einsum(y, \"a b c, a b d -> a c d\")", einsum({x, y}, "a b c, a b d -> a c d"));
}

TEST_CASE("what is wrong with a pipeline is told with its place") {
  check_refused("", "a step is missing", 0);
  check_refused("roll(1, 0) | ", "a step is missing", 13);
  check_refused("| roll(1, 0)", "a step is missing", 0);
  check_refused("roll(1, 0) || flip", "a step is missing", 12);
  check_refused("roll(1, 0", "')' is expected", 9);
  check_refused("roll(1, 0))", "'|' or the end", 10);
  check_refused("rol(1, 0)", "did you mean roll?", 0);
  check_refused("zzzzz(1)", "there is no op zzzzz", 0);
  check_refused("flip | roll(1, 0, 2)", "more arguments", 18);
  check_refused("roll(1, axs=0)", "it has no argument axs", 8);
  check_refused("roll(1, 0, axes=0)", "given twice", 11);
  check_refused("roll(shift=1, 0)", "cannot follow", 14);
  check_refused("roll('a', 0)", "shift is integers", 5);
  check_refused("roll(1.5, 0)", "shift is integers", 5);
  check_refused("roll(1)", "axes is missing", 0);
  check_refused("add(z)", "there is no input z", 4);
  check_refused("add(1e-999)", "too large or too small", 4);
  check_refused(std::string(90000, 'x'), "there is no op " + std::string(60, 'x'), 0);
  check_refused("add(" + std::string(90000, 'x') + "=1)", "no argument " + std::string(60, 'x'), 4);
  check_refused("astype(f33)", "dtype is a type", 7);
  check_refused("roll(99999999999999999999, 0)", "too large", 5);
  check_refused("roll(12abc, 0)", "is no number", 5);
  check_refused("rearrange('a b c", "a text has no end", 10);
  check_refused("concat()  | roll(1, 5)", "axis 5", 12);
  check_refused(std::string(100, '(') + "1", "the name of an op", 0);
  std::string deep = "add(";
  for (int k = 0; k < 100; ++k) deep += "[";
  check_refused(deep, "more than 64 brackets", 4 + 63);
}

TEST_CASE("every op is found by its name, and refuses a call of nothing") {
  for (const Op* const op : op_table()) {
    CAPTURE(std::string(op->name));
    CHECK_THROWS_AS(static_cast<void>(parse_pipeline(std::string(op->name) + "()", {})),
                    PipelineError);
  }
}

TEST_CASE("texts that are changed at random are refused or carried out") {
  const std::vector<std::string> whole{
      "roll([1], [2]) | transpose([2, 0, 1])",
      "concat(_, y, axis=0) | pad([0, 0, 1], [1, 0, 0], 7)",
      "where(greater(_, 3), _, y) | rearrange('a (b c) d -> c a (b d)', c=3)",
      "sum(axes=none, keepdims=true) | add(1.5e0)"};
  const std::string_view characters = "()[]|,=_'\"-+.e019 aroly\n\t\xff";
  Random random(42);
  for (int k = 0; k < 20000; ++k) {
    std::string text = whole[random.below(whole.size())];
    for (std::size_t changes = 1 + random.below(4); changes > 0; --changes) {
      const std::size_t at = random.below(text.size() + 1);
      if (random.one_in(3) && at < text.size()) text.erase(at, 1 + random.below(3));
      else text.insert(at, 1, characters[random.below(characters.size())]);
    }
    CAPTURE(text);
    try {
      static_cast<void>(parse_pipeline(text, inputs));
    } catch (const InternalError& error) {
      FAIL(error.what());
    } catch (const Error&) {
    }
  }
}

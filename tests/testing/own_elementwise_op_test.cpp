// SPDX-License-Identifier: Apache-2.0
// Elementwise ops that are not weft's: of all types, fused with movement and with weft's own, in
// programs, and refused as weft's are.
#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <functional>
#include <vector>

#include <weft/elementwise_op.h>
#include <weft/io/program_json.h>
#include <weft/testing/check.h>
#include <weft/weft.h>

#include "support/computed_graph.h"
#include "support/nests.h"
#include "testing/own_vector_op.h"

namespace {

using namespace weft;
using weft::testing::difference;

extern const Op twice_op, within_op, mixed_op, same_op;

/// Integers that wrap, floating-point and complex numbers.
struct Twice : EntryOf<1, kinds::numbers> {
  static constexpr std::string_view name = "twice";
  static constexpr const Op& op = twice_op;

  template <class T>
  static T value(T x) {
    if constexpr (std::is_integral_v<T>)
      return static_cast<T>(2 * static_cast<std::make_unsigned_t<T>>(x));
    else return x + x;
  }
};

/// Makes bools.
struct Within : EntryOf<2, kinds::reals> {
  static constexpr std::string_view name = "within";
  static constexpr const Op& op = within_op;
  static constexpr bool makes_bool = true;

  template <class T>
  static bool value(T x, T bound) {
    return x <= bound && bound >= 0;
  }
};

struct Mixed : EntryOf<3, kinds::floats> {
  static constexpr std::string_view name = "mixed";
  static constexpr const Op& op = mixed_op;
  static constexpr std::array<std::string_view, 3> names{"x", "y", "share"};
  static constexpr float cost = 0.1f;

  // Not a template: one function of each type.
  static float value(float x, float y, float share) { return x + (y - x) * share; }
  static double value(double x, double y, double share) { return x + (y - x) * share; }
};

struct Same : EntryOf<2, kinds::booleans> {
  static constexpr std::string_view name = "same";
  static constexpr const Op& op = same_op;
  static constexpr bool makes_bool = true;

  static bool value(std::uint32_t x, std::uint32_t y) { return x == y; }
};

constinit const Op twice_op = op_of<OwnElementwise<Twice>>();
constinit const Op within_op = op_of<OwnElementwise<Within>>();
constinit const Op mixed_op = op_of<OwnElementwise<Mixed>>();
constinit const Op same_op = op_of<OwnElementwise<Same>>();

Tensor twice(const Tensor& x) { return build<OwnElementwise<Twice>>(x); }
Tensor within(const Tensor& x, const Tensor& bound) {
  return build<OwnElementwise<Within>>(x, bound);
}
Tensor mixed(const Tensor& x, const Tensor& y, const Tensor& share) {
  return build<OwnElementwise<Mixed>>(x, y, share);
}
Tensor same(const Tensor& x, const Tensor& y) { return build<OwnElementwise<Same>>(x, y); }

const DType integers[] = {i8, i16, i32, i64, u8, u16, u32, u64};
const DType floats[] = {f16, bf16, f32, f64};

/// Elements of both signs, some of them large.
Tensor some(DType type, const Shape& shape, std::uint32_t state) {
  std::vector<float> elements(static_cast<std::size_t>(element_count(shape)));
  for (float& element : elements) {
    state = state * 1664525u + 1013904223u;
    element = (static_cast<float>(state >> 8) / 8388608.0f - 1.0f) * (state % 5 == 0 ? 3e4f : 90.f);
  }
  const Tensor drawn = from_vector(elements, shape);
  return (type == bool_ ? drawn > 0 : drawn.astype(type)).eval();
}

/// An expression made as one, and op by op, has the same bits, on each instruction set, and is what
/// its ops mean.
using Passing = std::function<Tensor(const Tensor&)>;
void check(const std::function<Tensor(const Passing&)>& make) {
  const Tensor by_one = make([](const Tensor& x) { return x.eval(); }).eval();
  testing::on_every_target([&] {
    const Tensor fused = make([](const Tensor& x) { return x; });
    CHECK(testing::disagreement(fused) == "");
    CHECK_FALSE(difference(by_one, fused.eval()));
  });
}

TEST_CASE("a function of one element is an op of all types that it takes") {
  for (const DType type : integers)
    check([&](const Passing& pass) { return pass(twice(some(type, {7, 301}, 1))); });
  for (const DType type : {f16, bf16, f32, f64, c64, c128})
    check([&](const Passing& pass) { return pass(twice(some(type, {7, 301}, 2))); });
  for (const DType type : floats)
    check([&](const Passing& pass) {
      return pass(mixed(some(type, {3, 200}, 3), some(type, {200}, 4), some(type, {}, 5)));
    });
  check([&](const Passing& pass) {
    return pass(same(some(bool_, {3, 200}, 6), some(bool_, {3, 1}, 7)));
  });
}

TEST_CASE("it is a step of one pass with what moves and computes its operands and its result") {
  for (const DType type : {i8, u8, i16, u32, i64, f16, bf16, f32, f64}) {
    const Tensor x = some(type, {40, 300}, 8), y = some(type, {300, 40}, 9),
                 z = some(type, {1, 300}, 10);
    const auto chain = [&](const Passing& pass) {
      const Tensor left = pass(twice(pass(pass(x.roll(3, 1)) + pass(y.transpose()))));
      const Tensor right = pass(pass(z.flip(1)) - pass(twice(x)));
      const Tensor holds = pass(within(pass(twice(left)), right));
      return pass(where(pass(holds & pass(left > z)), left, right).slice({2}, {39}));
    };
    check(chain);
    const Tensor one = chain([](const Tensor& t) { return t; });
    CHECK(explain(one).find("1 pass") != std::string::npos);
  }
}

TEST_CASE("types that meet are cast before it, numbers take the tensor's type") {
  const Tensor x = some(f16, {5, 5}, 1), y = some(bf16, {5, 5}, 2);
  const Tensor made = mixed(x, y, scalar(0.5f));
  CHECK(made.dtype() == f32);
  CHECK(testing::disagreement(made) == "");
  CHECK(within(x, weak("within", 1, x)).dtype() == bool_);
}

TEST_CASE("it refuses what weft's ops refuse, in its own name") {
  CHECK_THROWS_WITH_AS(mixed(some(f32, {2}, 1), some(i32, {2}, 1), scalar(0.5f)),
                       "mixed: i32, expected a floating-point type: cast it (x.astype(f32))",
                       DtypeError);
  CHECK_THROWS_WITH_AS(within(some(u64, {2}, 1), some(i8, {2}, 1)),
                       "within: u64 and i8, which no type holds: cast one of them (x.astype(i64))",
                       DtypeError);
  CHECK_THROWS_WITH_AS(same(some(bool_, {2, 3}, 1), some(bool_, {4}, 1)),
                       "same: shapes [2, 3], [4] do not broadcast to one", ShapeError);
  CHECK_THROWS_WITH_AS(twice(Tensor()),
                       "twice: x is an empty tensor, default-constructed or moved from",
                       EmptyError);
}

TEST_CASE("programs keep it, and load it where it is given") {
  const Program program({placeholder(f32, {"n", 3}), placeholder(f32, {3})},
                        [](const Tensor& x, const Tensor& y) {
                          return mixed(twice(x.flip()), y, scalar(0.25f)) + y;
                        });
  static constexpr const Op* own[] = {&twice_op, &mixed_op};
  const Program loaded = program_from_json(to_json(program), own);
  CHECK(loaded == program);
  const Tensor x = some(f32, {2, 3}, 1), y = some(f32, {3}, 2);
  CHECK_FALSE(
      difference(loaded(x, y)[0].eval(), (mixed(twice(x.flip()), y, scalar(0.25f)) + y).eval()));
  CHECK_THROWS_WITH_AS(program_from_json(to_json(program)),
                       "program: /calls/1/op: there is no such op", FormatError);
}

TEST_CASE("one with vectors, compiled for each instruction set, is a step like the others") {
  for (const DType type : floats)
    check([&](const Passing& pass) {
      const Tensor x = some(type, {9, 150}, 1), y = some(type, {150, 9}, 2);
      const Tensor both = pass(testing::damped(pass(x * pass(y.transpose())), x));
      return pass(twice(both));
    });
  CHECK_THROWS_WITH_AS(testing::damped(some(i32, {2}, 1), some(i32, {2}, 1)),
                       "damped: i32, expected a floating-point type: cast it (x.astype(f32))",
                       DtypeError);
}

}  // namespace

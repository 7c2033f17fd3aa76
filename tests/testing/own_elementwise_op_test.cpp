// SPDX-License-Identifier: Apache-2.0
// Elementwise ops that are not weft's: of all types, fused with movement and with weft's own, in
// programs, and refused as weft's are.
#include <doctest/doctest.h>

#include <array>
#include <atomic>
#include <cmath>
#include <functional>
#include <limits>
#include <vector>

#include <weft/elementwise_op.h>
#include <weft/engine/run/bind_program.h>
#include <weft/graph/plan/plan.h>
#include <weft/io/program_json.h>
#include <weft/testing/check.h>
#include <weft/weft.h>

#include "support/computed_graph.h"
#include "support/nests.h"
#include "testing/own_vector_op.h"

namespace {

using namespace weft;
using weft::testing::difference;

extern const Op twice_op, within_op, mixed_op, same_op, halfway_op, shrunk_op, above_op;

Tensor twice(const Tensor& x);

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
  static Tensors adjoint(const Tensor& cotangent, const Tensor&, const Tensor&) {
    return {twice(cotangent)};
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

/// Between two integers, rounded down; of small ones as they are.
struct Halfway : EntryOf<2, kinds::integers> {
  static constexpr std::string_view name = "halfway";
  static constexpr const Op& op = halfway_op;
  static constexpr bool takes_small = true;

  template <class T>
  static T value(T x, T y) {
    return static_cast<T>((x & y) + ((x ^ y) >> 1));
  }
};

std::atomic<std::int64_t> elements_shrunk;

/// Is told a number, and has a function of arrays.
struct Shrunk : EntryOf<2, kinds::floats> {
  static constexpr std::string_view name = "shrunk";
  static constexpr const Op& op = shrunk_op;
  static constexpr std::size_t numbers = 1;
  static constexpr std::array<std::string_view, 3> names{"x", "by"};

  template <class T>
  static T value(T x, T by) {
    return x > by ? x - by : x < -by ? x + by : x * 0;
  }
  template <class T>
  static void values(const T* x, const T* by, T* out, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) out[i] = value(x[i], by[i]);
    elements_shrunk += static_cast<std::int64_t>(n);
  }
};

/// The same of what makes bools, of integers as well.
struct Above : EntryOf<2, kinds::reals> {
  static constexpr std::string_view name = "above";
  static constexpr const Op& op = above_op;
  static constexpr bool makes_bool = true, takes_small = true;
  static constexpr std::size_t numbers = 1;
  static constexpr std::array<std::string_view, 3> names{"x", "bound"};

  template <class T>
  static bool value(T x, T bound) {
    return x > bound;
  }
  template <class T, class Bool>
  static void values(const T* x, const T* bound, Bool* out, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) out[i] = x[i] > bound[i];
  }
};

constinit const Op twice_op = op_of<OwnElementwise<Twice>>();
constinit const Op within_op = op_of<OwnElementwise<Within>>();
constinit const Op mixed_op = op_of<OwnElementwise<Mixed>>();
constinit const Op same_op = op_of<OwnElementwise<Same>>();
constinit const Op halfway_op = op_of<OwnElementwise<Halfway>>();
constinit const Op shrunk_op = op_of<OwnElementwise<Shrunk>>();
constinit const Op above_op = op_of<OwnElementwise<Above>>();

Tensor halfway(const Tensor& x, const Tensor& y) { return build<OwnElementwise<Halfway>>(x, y); }
Tensor shrunk(const Tensor& x, double by) { return build<OwnElementwise<Shrunk>>(x, by); }
Tensor above(const Tensor& x, double bound) { return build<OwnElementwise<Above>>(x, bound); }

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
      const Tensor left = pass(twice(pass(pass(x.roll(3, 0)) + pass(y.transpose()))));
      const Tensor right = pass(pass(z.flip(1)) - pass(twice(x)));
      const Tensor holds = pass(within(pass(twice(left)), right));
      return pass(where(pass(holds & pass(left > z)), left, right).slice({2}, {39}));
    };
    check(chain);
    const Tensor one = chain([](const Tensor& t) { return t; });
    CHECK(explain(one).find("1 pass") != std::string::npos);
  }
}

TEST_CASE("it has an adjoint where its entry has one") {
  const auto instruction_of = [](const Tensor& made) -> const Instruction& {
    return made.node().operation().as<Elementwise>()->instruction();
  };
  const Tensor x = some(f32, {30}, 1), made = twice(x);
  const bool has_one = instruction_of(made).adjoint,
             has_none = !instruction_of(mixed(x, x, x)).adjoint;
  CHECK(has_none);
  REQUIRE(has_one);
  const Tensors adjoints = instruction_of(made).adjoint(x, made, {x});
  REQUIRE(adjoints.size() == 1);
  CHECK_FALSE(difference(adjoints[0].eval(), (x + x).eval()));
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

/// Whether it is one pass, of lanes that are as wide as what it computes with.
bool is_in_lanes(Width width, const Tensor& tensor) {
  const Plan plan = make_plan(tensor.node_ptr());
  return plan.passes.size() == 1 &&
         bind_program(plan.passes[0].programs[0], false).core == &core_links(width);
}

TEST_CASE("small integers may be computed as they are, in lanes of their width") {
  for (const DType type : {i8, u8, i16, u16}) {
    const Tensor x = some(type, {9, 700}, 1), y = some(type, {700, 9}, 2);
    const auto chain = [&](const Passing& pass) {
      const Tensor between = pass(halfway(pass(x + 3), pass(y.transpose())));
      return pass(where(pass(above(between, 7)), between, pass(halfway(x, between))));
    };
    check(chain);
    const Tensor fused = chain([](const Tensor& t) { return t; });
    CHECK(is_in_lanes(type.size() == 1 ? Width::byte : Width::half, fused));
    // Among wider ones they are wider.
    check([&](const Passing& pass) {
      return pass(pass(pass(halfway(x, y.transpose())).astype(f32)) + some(f32, {9, 1}, 3));
    });
    CHECK(is_in_lanes(Width::word, twice(x)));
  }
  check([&](const Passing& pass) {
    const Tensor x = some(u8, {900}, 1), y = some(i16, {900}, 2);
    return pass(halfway(pass(halfway(x, x.flip()).astype(i16)), y));
  });
}

TEST_CASE("a function of arrays is what programs call") {
  for (const DType type : floats) {
    const std::int64_t before = elements_shrunk;
    check([&](const Passing& pass) {
      return pass(shrunk(pass(twice(some(type, {9, 77}, 4))), 20));
    });
    CHECK(elements_shrunk - before >= 2 * 9 * 77);
  }
  for (const DType type : {i8, u8, i16, u16, i32, u32, i64, u64, f16, bf16, f32, f64})
    check([&](const Passing& pass) {
      const Tensor x = some(type, {5, 133}, 5);
      return pass(where(pass(above(x, 3)), x, pass(twice(x))));
    });
}

TEST_CASE("numbers that it is told are arguments of its call, and take the type of the tensors") {
  const Tensor x = some(f32, {300}, 1);
  const auto by = [&](double number) { return shrunk(x, number).eval().to_vector<float>(); };
  const std::vector<float> from = x.to_vector<float>(), one = by(1.5), two = by(30);
  for (std::size_t i = 0; i < from.size(); ++i) {
    CHECK(one[i] == Shrunk::value(from[i], 1.5f));
    CHECK(two[i] == Shrunk::value(from[i], 30.0f));
  }
  CHECK(above(array({1, 5, 9}), 5).to_vector<bool>() == std::vector<bool>{false, false, true});
  CHECK_THROWS_WITH_AS(above(array({1, 5}), 0.5),
                       "above: i32 and the number 0.5, expected one kind: cast the tensor "
                       "(x.astype(f32))",
                       DtypeError);
  CHECK_THROWS_WITH_AS(above(some(u8, {2}, 1), 256),
                       "above: the number 256 is beyond the range of u8", ParameterError);
  CHECK_THROWS_WITH_AS(above(placeholder(u8, {"n"}), -1),
                       "above: the number -1 is beyond the range of u8", ParameterError);
}

TEST_CASE("programs keep numbers that it is told, infinite ones as well") {
  static constexpr const Op* own[] = {&shrunk_op, &above_op};
  for (const double number : {0.1, -2.0, std::numeric_limits<double>::infinity()}) {
    const Program program({placeholder(f32, {"n"})}, [&](const Tensor& x) {
      return where(above(x, number), shrunk(x, number), x * 2);
    });
    const Program loaded = program_from_json(to_json(program), own);
    CHECK(loaded == program);
    const Tensor x = some(f32, {40}, 3);
    CHECK_FALSE(
        difference(loaded(x)[0].eval(), where(above(x, number), shrunk(x, number), x * 2).eval()));
  }
  const Program program({placeholder(f32, {"n"})}, [](const Tensor& x) { return shrunk(x, 0.75); });
  CHECK(to_string(program) ==
        "%0 = input  f32 [n]\n"
        "%1 = shrunk(%0, by=0.75)  f32 [n]\n"
        "return %1\n");
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

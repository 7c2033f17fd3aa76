// SPDX-License-Identifier: Apache-2.0
// Types and shapes that meet, numbers beside tensors, operators, and what is refused, word by word.
#include <complex>

#include "ops/elementwise/values.h"

using namespace weft;
using namespace weft::testing;

namespace {

Tensor of(DType type) { return leaf(type, {2}); }
DType met(DType a, DType b) { return add(of(a), of(b)).dtype(); }

template <class Call>
void refuses_type(std::string_view message, Call&& call, Where at = Where::current()) {
  refuses<DtypeError>("dtype_mismatch", message, call, at);
}

}  // namespace

TEST_CASE("types: of one kind become the one that holds both") {
  for (const DType type : {i8, i16, i32, i64, u8, u16, u32, u64, f16, bf16, f32, f64, c64, c128})
    CHECK(met(type, type) == type);
  CHECK(met(i8, i32) == i32);
  CHECK(met(u16, u8) == u16);
  CHECK(met(u8, i8) == i16);
  CHECK(met(i16, u8) == i16);
  CHECK(met(u32, i8) == i64);
  CHECK(met(i64, u32) == i64);
  CHECK(met(f16, bf16) == f32);
  CHECK(met(bf16, f32) == f32);
  CHECK(met(f64, f16) == f64);
  CHECK(met(c64, c128) == c128);
  CHECK(less(of(u8), of(i8)).dtype() == bool_);
  CHECK(fma(of(u8), of(i8), of(i32)).dtype() == i32);
  expect<std::int16_t>(array({std::uint8_t{200}}) + array({std::int8_t{-100}}), {1}, {100});
}

TEST_CASE("astype: to and among complex numbers; from them by their parts") {
  using C = std::complex<float>;
  expect<C>(array({1.5, -2.0}).astype(c64), {2}, {C(1.5f), C(-2)});
  expect<C>(array({true, false}).astype(c64), {2}, {C(1), C(0)});
  expect<C>(array({std::complex<double>(1, 2)}).astype(c64), {1}, {C(1, 2)});
  expect<std::complex<double>>(array({C(1, 2)}).flip().astype(c128), {1}, {{1, 2}});
  refuses_type("astype: c64 to f32, expected a complex type: real, imag or abs",
               [] { of(c64).astype(f32); });
  refuses_type("astype: struct of 3 bytes to u8, expected bool or numbers",
               [] { of(opaque(3)).astype(u8); });
}

TEST_CASE("types: kinds that differ are told the cast") {
  refuses_type("add: i32 and f32, expected one kind: cast one of them (x.astype(f32))",
               [] { add(of(i32), of(f32)); });
  refuses_type("multiply: f16 and u8, expected one kind: cast one of them (x.astype(f16))",
               [] { multiply(of(f16), of(u8)); });
  refuses_type("less: u64 and i32, which no type holds: cast one of them (x.astype(i64))",
               [] { less(of(u64), of(i32)); });
  refuses_type("add: f32 and c64, expected one kind: cast one of them (x.astype(c64))",
               [] { add(of(f32), of(c64)); });
  refuses_type("equal: bool and i32, expected one kind: cast one of them (x.astype(i32))",
               [] { equal(of(bool_), of(i32)); });
}

TEST_CASE("types: an op says which it takes, and the cast") {
  refuses_type("exp: i32, expected a floating-point type: cast it (x.astype(f32))",
               [] { exp(of(i32)); });
  refuses_type("exp: bool, expected a floating-point type: cast it (x.astype(f32))",
               [] { exp(of(bool_)); });
  refuses_type("exp: c64, expected a floating-point type", [] { exp(of(c64)); });
  refuses_type(
      "divide: i32, expected a floating-point or a complex type: floor_divide, or cast it "
      "(x.astype(f32))",
      [] { divide(of(i32), of(i32)); });
  refuses_type(
      "divide: u8, expected a floating-point or a complex type: floor_divide, or cast it "
      "(x.astype(f32))",
      [] { divide(of(u8), 255); });
  refuses_type(
      "add: bool, expected an integer, a floating-point or a complex type: cast it (x.astype(u8))",
      [] { add(of(bool_), of(bool_)); });
  refuses_type("add: struct of 3 bytes, expected an integer, a floating-point or a complex type",
               [] { add(of(opaque(3)), of(opaque(3))); });
  refuses_type("less: c64, expected an integer or a floating-point type",
               [] { less(of(c64), of(c64)); });
  refuses_type("logical_and: i32, expected bool", [] { logical_and(of(i32), of(i32)); });
  refuses_type("bitwise_invert: f32, expected bool or an integer type",
               [] { bitwise_invert(of(f32)); });
  refuses_type("bitwise_left_shift: bool, expected an integer type: cast it (x.astype(u8))",
               [] { bitwise_left_shift(of(bool_), of(bool_)); });
  refuses_type("conj: f32, expected a complex type", [] { conj(of(f32)); });
  refuses_type(
      "positive: bool, expected an integer, a floating-point or a complex type: cast it "
      "(x.astype(u8))",
      [] { positive(of(bool_)); });
}

TEST_CASE("numbers: take the type of the tensor that they stand beside") {
  const Tensor bytes = array({std::uint8_t{1}, std::uint8_t{2}});
  CHECK((bytes + 1).dtype() == u8);
  CHECK((of(f16) * 2).dtype() == f16);
  CHECK((of(bf16) / 0.5).dtype() == bf16);
  CHECK((of(f32) < 3).dtype() == bool_);
  expect<float>(bytes.astype(f32) / 255, {2}, {1 / 255.0f, 2 / 255.0f});
  refuses_type("divide: u8 and the number 255, expected one kind: cast the tensor (x.astype(f32))",
               [&] { bytes / 255.f; });
  refuses_type("add: i32 and the number 0.5, expected one kind: cast the tensor (x.astype(f32))",
               [] { 0.5 + of(i32); });
  refuses<ParameterError>("bad_value", "add: the number 256 is beyond the range of u8",
                          [&] { bytes + 256; });
  refuses<ParameterError>("bad_value", "greater: the number -1 is beyond the range of u8",
                          [&] { bytes > -1; });
  refuses<ParameterError>("bad_value", "multiply: the number 1e+39 is beyond the range of f32",
                          [] { of(f32) * 1e39; });
  refuses<EmptyError>("empty_tensor",
                      "add: x is an empty tensor, default-constructed or moved from",
                      [] { add(Tensor(), of(f32)); });
}

TEST_CASE("operators: each is its op, numbers on either side") {
  const Tensor x = array({7, -3, 0}), y = array({2, 5, -1});
  expect_same(x + y, add(x, y));
  expect_same(x - 2, subtract(x, 2));
  expect_same(2 - x, subtract(2, x));
  expect_same(x * y, multiply(x, y));
  expect_same(x % y, remainder(x, y));
  expect_same(9 % y, remainder(9, y));
  expect_same(-x, negative(x));
  expect_same(~x, bitwise_invert(x));
  expect_same(x & 3, bitwise_and(x, 3));
  expect_same(x | y, bitwise_or(x, y));
  expect_same(6 ^ y, bitwise_xor(6, y));
  expect_same(x << 2, bitwise_left_shift(x, 2));
  expect_same(x >> 1, bitwise_right_shift(x, 1));
  expect<double>(1 / array({4.0, -0.5}), {2}, {0.25, -2.0});
  expect<bool>(x == y, {3}, {false, false, false});
  expect<bool>(x != 7, {3}, {false, true, true});
  expect<bool>(7 == x, {3}, {true, false, false});
  expect<bool>(x < y, {3}, {false, true, false});
  expect<bool>(0 <= x, {3}, {true, false, true});
  expect<bool>(x > 0, {3}, {true, false, false});
  expect<bool>(x >= y, {3}, {true, false, true});
}

template <class T>
concept IsBool = requires(T x) {
  x ? 1 : 0;
}
|| requires(T x) { !x; }
|| requires(T x) { x&& x; }
|| requires(T x) { x || x; }
|| std::convertible_to<T, bool>;
static_assert(!IsBool<Tensor>);
static_assert(sizeof(Tensor) == sizeof(NodePtr));

TEST_CASE("methods: each is the function of its name") {
  const Tensor x = array({0.25f, -1.5f}), y = array({2.0f, -4.0f}), m = array({6, 3}),
               b = array({true, false});
  expect_same(x.add(y), add(x, y));
  expect_same(x.subtract(1), subtract(x, 1));
  expect_same(x.multiply(y).divide(2), x * y / 2);
  expect_same(x.fma(y, 1), fma(x, y, 1));
  expect_same(x.negative().abs().sign().square().positive(), square(sign(abs(-x))));
  expect_same(x.floor_divide(y), floor_divide(x, y));
  expect_same(x.remainder(2), remainder(x, 2));
  expect_same(x.reciprocal(), reciprocal(x));
  expect_same(x.minimum(y).maximum(-1), maximum(minimum(x, y), -1));
  expect_same(x.clip(-1, 1), clip(x, -1, 1));
  expect_same(x.floor() + x.ceil() + x.round() + x.trunc(),
              floor(x) + ceil(x) + round(x) + trunc(x));
  expect_same(y.square().sqrt(), sqrt(y * y));
  check_made<float>(x.exp().log1p().tanh(), tanh(log1p(exp(x))).to_vector<float>());
  check_made<float>(x.pow(2).gelu_tanh(), gelu_tanh(pow(x, 2)).to_vector<float>());
  expect_same(x.less(y).logical_not(), logical_not(x < y));
  expect_same(x.equal(y).logical_or(x.not_equal(0)), logical_or(x == y, x != 0));
  expect_same(x.isnan().logical_xor(x.isfinite()), logical_xor(isnan(x), isfinite(x)));
  expect_same(m.bitwise_and(2).bitwise_left_shift(3), (m & 2) << 3);
  expect_same(b.logical_and(true).bitwise_invert(), ~logical_and(b, true));
  expect_same(x.copysign(y).signbit(), signbit(copysign(x, y)));
}

TEST_CASE("shapes: are broadcast, and those that do not meet are told") {
  const Tensor x = iota<int>({2, 1, 3}), y = iota<int>({2, 1});
  CHECK((x + y).has_shape({2, 2, 3}));
  CHECK((x + iota<int>({0, 1, 1, 1})).has_shape({0, 2, 1, 3}));
  expect<int>(scalar(1) + scalar(2), {}, {3});
  refuses<ShapeError>("shape_mismatch", "add: shapes [2, 3], [2] do not broadcast to one", [] {
    iota<int>({2, 3}) + iota<int>(2);
  });
  refuses<ShapeError>("shape_mismatch", "clip: shapes [2], [3], [2] do not broadcast to one",
                      [] { clip(iota<int>(2), iota<int>(3), iota<int>(2)); });
}

TEST_CASE("shapes: open ones in programs") {
  const auto shape_of_sum = [](PartialShape a, PartialShape b) {
    return shape_of(open(std::move(a)) + open(std::move(b)));
  };
  CHECK(shape_of_sum({"n", 3}, {3}) == "[n, 3]");
  CHECK(shape_of_sum({"n"}, {"m", 1}) == "[m, n]");
  CHECK(shape_of_sum({"n"}, {"n"}) == "[n]");
  CHECK(shape_of(exp(open({"n", -1}))) == "[n, ?]");
  CHECK((open({"n"}) < 0).dtype() == bool_);
  refuses_type("add: f32 and i64, expected one kind: cast one of them (x.astype(f32))",
               [] { open({"n"}) + integers({"n"}); });
  const Program program({open({"n", 3}), open({3})}, [](const Tensor& x, const Tensor& y) {
    return ((x - y) * 2).maximum(0).flip(1);
  });
  const Tensor made = program.run({iota<float>({2, 3}), array({1.0f, 2.0f, 5.0f})})[0];
  expect<float>(made, {2, 3}, {0.0f, 0.0f, 0.0f, 0.0f, 4.0f, 4.0f});
}

TEST_CASE("elementwise ops: fused with what moves, whatever the types") {
  const Tensor image = leaf(u8, {5, 7, 3}), mean = array({0.5f, 0.25f, 0.125f});
  const Tensor planes = ((image.flip(1).astype(f32) / 255 - mean) * 2).transpose({2, 0, 1});
  CHECK(disagreement(planes) == "");
  CHECK(disagreement(planes.astype(bf16)) == "");
  CHECK(disagreement(where(planes > 0, planes, -planes).astype(f16)) == "");
  for (const DType type : {i8, u16, i64, f16, f64}) {
    INFO(type.name());
    const Tensor x = leaf(type, {6, 5}), y = leaf(type, {5, 6}, 1);
    CHECK(
        disagreement([&] { return (x.roll(2, 0) * y.transpose() - x).clip(0, 100).reshape({-1}); },
                     (x.roll(2, 0) * y.transpose() - x).clip(0, 100).reshape({-1})) == "");
  }
}

// SPDX-License-Identifier: Apache-2.0
// Numbers as elements of every type: exact or rounded where they fit, refused where not.
#include <array>
#include <complex>

#include "ops/expect.h"

using namespace weft;
using namespace weft::testing;

namespace {

void refuses_value(const Scalar& value, DType dtype, const std::string& text) {
  refuses<DtypeError>("dtype_mismatch",
                      "pad: the value " + text + " is no element of type " + dtype.name(),
                      [&] { (void)value.as(dtype, "pad"); });
}

/// Both ends of an integer type are elements, what lies one beyond is not.
template <std::integral T>
void expect_ends() {
  using Limits = std::numeric_limits<T>;
  expect<T>(Scalar(Limits::min()).as(dtype_of<T>, "pad"), {}, {Limits::min()});
  expect<T>(Scalar(Limits::max()).as(dtype_of<T>, "pad"), {}, {Limits::max()});
  if constexpr (sizeof(T) < 8) {
    const auto below = std::int64_t{Limits::min()} - 1, above = std::int64_t{Limits::max()} + 1;
    refuses_value(below, dtype_of<T>, std::to_string(below));
    refuses_value(above, dtype_of<T>, std::to_string(above));
  }
}

template <class T>
void pads(T expected) {
  const Tensor x = full({1}, T(5));
  expect<T>(x.pad(1, 0, 3), {2}, {expected, T(5)});
  expect<T>(pad(x, 0, 1, 3), {2}, {T(5), expected});
}

}  // namespace

TEST_CASE("scalar: an integer is an element of an integer type within its range alone") {
  expect_ends<std::int8_t>();
  expect_ends<std::int16_t>();
  expect_ends<std::int32_t>();
  expect_ends<std::int64_t>();
  expect_ends<std::uint8_t>();
  expect_ends<std::uint16_t>();
  expect_ends<std::uint32_t>();
  expect_ends<std::uint64_t>();
  refuses_value(-1, u64, "-1");
  refuses_value(lowest, u64, "-9223372036854775808");
  refuses_value(std::uint64_t{1} << 63, i64, "9223372036854775808");
  refuses_value(UINT64_MAX, i64, "18446744073709551615");
  refuses_value(UINT64_MAX, i8, "18446744073709551615");
}

TEST_CASE("scalar: a floating-point number is no integer, bool or struct, not even a whole one") {
  for (const DType dtype : all_types()) {
    const bool is_float =
        !(dtype == bool_ || dtype.is_integer() || dtype.kind() == DType::Kind::opaque);
    if (is_float) CHECK(Scalar(2.0).as(dtype, "pad").dtype() == dtype);
    else refuses_value(0.5, dtype, "0.5"), refuses_value(2.0f, dtype, "2");
  }
}

TEST_CASE("scalar: bool is whether a number is not 0, a struct takes 0 alone") {
  for (const std::int64_t value : {std::int64_t{-1}, std::int64_t{300}, lowest})
    expect<bool>(Scalar(value).as(bool_, "pad"), {}, {true});
  expect<bool>(Scalar(UINT64_MAX).as(bool_, "pad"), {}, {true});
  expect<bool>(Scalar(0).as(bool_, "pad"), {}, {false});
  using Rgb = std::array<std::uint8_t, 3>;
  expect<Rgb>(Scalar(0).as(opaque(3), "pad"), {}, {Rgb{0, 0, 0}});
  refuses_value(1, opaque(3), "1");
}

TEST_CASE("scalar: floating-point elements are the nearest, complex ones have no imaginary part") {
  expect<float>(Scalar(16777217).as(f32, "pad"), {}, {16777216.0f});
  expect<float>(Scalar(0.1).as(f32, "pad"), {}, {0.1f});
  expect<double>(Scalar(UINT64_MAX).as(f64, "pad"), {}, {18446744073709551616.0});
  expect<float16_t>(Scalar(2049).as(f16, "pad"), {}, {float16_t(2048)});
  expect<bfloat16_t>(Scalar(float16_t(0.5f)).as(bf16, "pad"), {}, {bfloat16_t(0.5f)});
  expect<std::complex<float>>(Scalar(-2).as(c64, "pad"), {}, {{-2, 0}});
  expect<std::complex<double>>(Scalar(0.5).as(c128, "pad"), {}, {{0.5, 0}});
}

TEST_CASE("scalar: pad takes a number for every type") {
  expect<bool>(array({false}).pad(1, 0, 3), {2}, {true, false});
  pads<std::int8_t>(3);
  pads<std::int16_t>(3);
  pads<std::int32_t>(3);
  pads<std::int64_t>(3);
  pads<std::uint8_t>(3);
  pads<std::uint16_t>(3);
  pads<std::uint32_t>(3);
  pads<std::uint64_t>(3);
  pads<float16_t>(float16_t(3));
  pads<bfloat16_t>(bfloat16_t(3));
  pads<float>(3);
  pads<double>(3);
  pads<std::complex<float>>(3);
  pads<std::complex<double>>(3);
  refuses<DtypeError>("dtype_mismatch", "pad: the value 300 is no element of type u8",
                      [] { (void)full({1}, std::uint8_t{1}).pad(0, 1, 300); });
  refuses<DtypeError>("dtype_mismatch", "pad: the value -1 is no element of type u8",
                      [] { (void)full({1}, std::uint8_t{1}).pad(0, 1, -1); });
}

TEST_CASE("scalar: where a number stands for a tensor of where, it takes the other's type") {
  const Tensor mask = array({true, false, true}), x = array({1.5f, 2.5f, 3.5f});
  expect<float>(where(mask, x, 0.f), {3}, {1.5f, 0, 3.5f});
  expect<float>(where(mask, 0, x), {3}, {0, 2.5f, 0});
  expect<float>(x.where(mask, -0.5), {3}, {1.5f, -0.5f, 3.5f});
  expect<std::uint8_t>(where(mask, 255, array<std::uint8_t>({1, 2, 3})), {3}, {255, 2, 255});
  expect<int>(where(mask, 1, 0), {3}, {1, 0, 1});
  expect<double>(where(mask, 1.0, 0.0), {3}, {1, 0, 1});
  refuses<DtypeError>("dtype_mismatch", "where: the value 300 is no element of type u8", [&] {
    (void)where(mask, array<std::uint8_t>({1, 2, 3}), 300);
  });
  refuses<DtypeError>("dtype_mismatch", "where: the value 0.5 is no element of type i32", [&] {
    (void)where(mask, 0.5, array({1, 2, 3}));
  });
}

TEST_CASE("scalar: where waits for open tensors with the number's element") {
  const Tensor condition = placeholder(bool_, {"n"});
  const Tensor y = where(condition, placeholder(f32, {"n"}), 0.f);
  CHECK(y.dtype() == f32);
  CHECK(shape_of(y) == "[n]");
}

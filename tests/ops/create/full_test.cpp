// SPDX-License-Identifier: Apache-2.0
// full: one value everywhere, of any size for one element.
#include <array>

#include "ops/expect.h"

using namespace weft;
using namespace weft::testing;

TEST_CASE("full: the value stands at every index") {
  expect<int>(full({2, 3}, 7), {2, 3}, {7, 7, 7, 7, 7, 7});
  expect<float>(full<float>(3, 0.5f), {3}, {0.5f, 0.5f, 0.5f});
  expect<bool>(full({2}, true), {2}, {true, true});
}

TEST_CASE("full: rank 0 is one value, an extent of 0 none") {
  expect<int>(full({}, 7), {}, {7});
  expect<int>(full({3, 0}, 7), {3, 0}, {});
  expect<int>(full({0, highest}, 7), {0, highest}, {});
}

TEST_CASE("full: the bits of the value survive, NaN payloads and -0.0 too") {
  float nan;
  const std::uint32_t bits = 0x7f800123;
  std::memcpy(&nan, &bits, sizeof(nan));
  expect<float>(full({3}, nan), {3}, std::vector<float>(3, nan));
  expect<double>(full({3}, -0.0), {3}, {-0.0, -0.0, -0.0});
}

TEST_CASE("full: any trivially copyable struct is a value") {
  using Three = std::array<std::uint8_t, 3>;
  using Twelve = std::array<float, 3>;
  using TwentyFour = std::array<double, 3>;
  expect<Three>(full<Three>({40}, {1, 2, 3}), {40}, std::vector<Three>(40, {1, 2, 3}));
  expect<Twelve>(full<Twelve>({40}, {1, 2, 3}), {40}, std::vector<Twelve>(40, {1, 2, 3}));
  expect<TwentyFour>(full<TwentyFour>({40}, {1, 2, 3}), {40},
                     std::vector<TwentyFour>(40, {1, 2, 3}));
}

TEST_CASE("full: a number is kept as it was given until it is an element of the type asked for") {
  expect<std::uint8_t>(full<std::uint8_t>({2}, 255), {2}, {255, 255});
  expect<float>(full<float>({1}, 7), {1}, {7.0f});
  expect<bool>(full<bool>({1}, 300), {1}, {true});
  expect<float16_t>(full<float16_t>({1}, 0.5), {1}, {float16_t(0.5f)});
  expect<std::complex<float>>(full<std::complex<float>>({1}, 3), {1}, {{3, 0}});
  expect<std::complex<float>>(full<std::complex<float>>({1}, {1, 2}), {1}, {{1, 2}});
  expect<double>(full({1}, 3, f64), {1}, {3.0});
  refuses<DtypeError>("dtype_mismatch", "full: the value 300 is no element of type u8",
                      [] { (void)full<std::uint8_t>({2}, 300); });
  refuses<DtypeError>("dtype_mismatch", "full: the value -1 is no element of type u64",
                      [] { (void)full<std::uint64_t>({2}, -1); });
  refuses<DtypeError>("dtype_mismatch", "full: the value 0.5 is no element of type i32",
                      [] { (void)full<int>({2}, 0.5); });
  refuses<DtypeError>("dtype_mismatch", "full: the value 300 is no element of type u8",
                      [] { (void)full({2}, 300, u8); });
}

TEST_CASE("full: any size costs one element") {
  const Tensor x = full<std::int8_t>({std::int64_t{1} << 62}, 5);
  CHECK(x.bytes() == std::int64_t{1} << 62);
  CHECK(x.slice({-1}, {highest}).item<std::int8_t>() == 5);
}

TEST_CASE("full: mixes with other operands") {
  expect<int>(iota<int>(4).slice_scatter(full({2}, -1), {1}, {3}), {4}, {0, -1, -1, 3});
  expect<int>(full({4}, -1).slice_scatter(iota<int>(2), {1}, {3}), {4}, {-1, 0, 1, -1});
}

TEST_CASE("full: the shape may be of any integer type, also a tensor") {
  for (const DType dtype : {i8, i16, i32, i64, u8, u16, u32, u64})
    for (const int rank : {0, 1}) CHECK(full(ints_of(dtype, rank, {6}), 1).shape() == Shape{6});
  CHECK(full(array<std::uint8_t>({2, 3}), 1).shape() == Shape{2, 3});
}

TEST_CASE("full: a wrong shape is refused in its own name") {
  refuses<DtypeError>("dtype_mismatch", "full: shape is f32, expected an integer type",
                      [] { (void)full(ints_of(f32, 1, {2}), 1); });
  refuses<ParameterError>("bad_rank", "full: shape has rank 2, expected a scalar or a list",
                          [] { (void)full(array({{2}}), 1); });
  refuses<ParameterError>("bad_rank", "full: shape is none, expected a scalar or a list",
                          [] { (void)full(none, 1); });
  refuses<ParameterError>("bad_rank", "full: the result would have rank 17, at most 16 is allowed",
                          [] { (void)full(Shape(17, 1), 1); });
  refuses<ShapeError>("shape_mismatch", "full: extent -1 in shape [2, -1], expected 0 or more", [] {
    (void)full({2, -1}, 1);
  });
  refuses<OverflowError>(
      "overflow",
      "full: a tensor of shape [9223372036854775807] and type i32 would have more "
      "than 2^62 bytes",
      [] { (void)full({highest}, 1); });
  refuses<OverflowError>("overflow",
                         "full: extent 18446744073709551615 in shape [0, 18446744073709551615] is "
                         "beyond int64",
                         [] {
                           (void)full(u64s({0, 18446744073709551615u}), 1);
                         });
}

TEST_CASE("full: rank 16 is made") { CHECK(full(Shape(16, 1), 3).item<int>() == 3); }

// SPDX-License-Identifier: Apache-2.0
// Floats of two bytes: every one of them, and every place where rounding changes its mind, against
// the compiler's own conversions and Eigen's.
#include <doctest/doctest.h>

#include <Eigen/Core>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include <weft/eigen.h>
#include <weft/weft.h>

#include "support/random.h"

using namespace weft;
using weft::testing::Random;

namespace {

template <class T>
std::uint16_t bits(T value) {
  return std::bit_cast<std::uint16_t>(value);
}
bool is_nan(float value) { return std::isnan(value); }

/// Same number, or both NaN of one sign.
bool agree(float a, float b) {
  if (is_nan(a) || is_nan(b)) return is_nan(a) && is_nan(b) && std::signbit(a) == std::signbit(b);
  return std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b);
}

/// Floats at which rounding to Half changes: each number, each middle of two, and their neighbours.
template <class Half>
std::vector<float> telling_floats() {
  std::vector<float> floats;
  const float infinity = std::numeric_limits<float>::infinity();
  for (std::uint32_t k = 0; k < 0x10000; ++k) {
    const float value = std::bit_cast<Half>(static_cast<std::uint16_t>(k));
    const float next = std::bit_cast<Half>(static_cast<std::uint16_t>(k + 1));
    const float middle = static_cast<float>((double{value} + double{next}) / 2);
    for (const float at : {value, middle})
      for (const float x : {std::nextafter(at, -infinity), at, std::nextafter(at, infinity)})
        floats.push_back(x);
  }
  // Between the largest half and infinity there is no middle to be had as above.
  for (const float at : {65519.996f, 65520.0f, 65520.004f, 65535.0f, 65536.0f, 3.4e38f,
                         3.3961775e38f, std::numeric_limits<float>::max(), infinity})
    for (const float x : {at, -at}) floats.push_back(x);
  return floats;
}

template <class Half, class Other>
void expect_rounded_alike(float value) {
  const std::uint16_t ours = bits(Half(value)), theirs = bits(static_cast<Other>(value));
  if (is_nan(value)) {
    CHECK(is_nan(float{std::bit_cast<Half>(ours)}));
    CHECK((ours & 0x8000) == (std::bit_cast<std::uint32_t>(value) >> 16 & 0x8000));
  } else if (ours != theirs) {
    FAIL_CHECK("rounding " << value << " makes " << ours << ", expected " << theirs);
  }
}

/// A double rounded to nearest, ties to even, by looking at the two numbers around it.
template <class Half>
std::uint16_t nearest(double value) {
  std::uint16_t low = 0;
  const auto number = [](std::uint16_t at) { return double{float{std::bit_cast<Half>(at)}}; };
  const double magnitude = std::abs(value);
  for (int bit = 14; bit >= 0; --bit) {
    const auto higher = static_cast<std::uint16_t>(low | 1 << bit);
    if (number(higher) <= magnitude) low = higher;
  }
  const auto high = static_cast<std::uint16_t>(low + 1);
  if (std::isfinite(number(low))) {
    // The number after the largest would be as far from it as the one before.
    const double next = std::isfinite(number(high))
                            ? number(high)
                            : 2 * number(low) - number(static_cast<std::uint16_t>(low - 1));
    const double below = magnitude - number(low), above = next - magnitude;
    if (above < below || (above == below && low % 2 == 1)) low = high;
  }
  return static_cast<std::uint16_t>(low | (std::signbit(value) ? 0x8000 : 0));
}

}  // namespace

TEST_CASE("every float of two bytes becomes the float that Eigen makes of it, and comes back") {
  for (std::uint32_t k = 0; k < 0x10000; ++k) {
    const auto at = static_cast<std::uint16_t>(k);
    const float half = std::bit_cast<float16_t>(at), brain = std::bit_cast<bfloat16_t>(at);
    if (!agree(half, static_cast<float>(std::bit_cast<Eigen::half>(at)))) FAIL_CHECK("f16 " << k);
    if (!agree(brain, static_cast<float>(std::bit_cast<Eigen::bfloat16>(at))))
      FAIL_CHECK("bf16 " << k);
    // A signalling NaN comes back quiet.
    if (bits(float16_t(half)) != (is_nan(half) ? at | 0x200 : at)) FAIL_CHECK("f16 back " << k);
    if (bits(bfloat16_t(brain)) != (is_nan(brain) ? at | 0x40 : at)) FAIL_CHECK("bf16 back " << k);
  }
}

TEST_CASE("wherever rounding changes its mind, it does so as Eigen's") {
  for (const float value : telling_floats<float16_t>())
    expect_rounded_alike<float16_t, Eigen::half>(value);
  for (const float value : telling_floats<bfloat16_t>())
    expect_rounded_alike<bfloat16_t, Eigen::bfloat16>(value);
}

TEST_CASE("random floats are rounded as Eigen rounds them") {
  Random random(2024);
  for (int i = 0; i < 1'000'000; ++i) {
    const float value = std::bit_cast<float>(static_cast<std::uint32_t>(random.bits()));
    expect_rounded_alike<float16_t, Eigen::half>(value);
    expect_rounded_alike<bfloat16_t, Eigen::bfloat16>(value);
  }
}

#ifdef WEFT_HAS_NATIVE_FLOAT16
TEST_CASE("the compiler's half floats say the same of each, and are f16") {
  for (std::uint32_t k = 0; k < 0x10000; ++k) {
    const auto at = static_cast<std::uint16_t>(k);
    const auto native = static_cast<float>(std::bit_cast<NativeFloat16>(at));
    if (!agree(std::bit_cast<float16_t>(at), native)) FAIL_CHECK("f16 " << k);
  }
  for (const float value : telling_floats<float16_t>())
    expect_rounded_alike<float16_t, NativeFloat16>(value);
  Random random(7);
  for (int i = 0; i < 1'000'000; ++i) {
    const double value = std::ldexp(random.in(-1'000'000'000, 1'000'000'000), random.in(-60, -10));
    if (bits(float16_t(value)) != bits(static_cast<NativeFloat16>(value))) FAIL_CHECK(value);
  }
  const Tensor x = from_vector(std::vector<NativeFloat16>{1, 2, 3});
  CHECK(x.dtype() == f16);
  const Tensor turned = x.flip();
  CHECK(turned.data<NativeFloat16>()[0] == NativeFloat16(3));
  CHECK(turned.data<float16_t>()[0] == 3);
}
#endif

TEST_CASE("doubles and integers are rounded once") {
  Random random(11);
  for (int i = 0; i < 200'000; ++i) {
    // A number of two bytes or the middle of two, and something that is lost in a float.
    const auto at = static_cast<std::uint16_t>(random.below(0x7bff));
    const auto brain = static_cast<std::uint16_t>(random.below(0x7f7f));
    const double tiny =
        random.one_in(3) ? 0.0 : std::ldexp(1.0, static_cast<int>(random.in(-52, -26)));
    const double sign = random.one_in(2) ? -1 : 1, side = random.one_in(2) ? 1 - tiny : 1 + tiny;
    const auto middle = [](auto low, auto high) { return (double{low} + double{high}) / 2; };
    const double half = middle(float{std::bit_cast<float16_t>(at)},
                               float{std::bit_cast<float16_t>(static_cast<std::uint16_t>(at + 1))});
    const double other =
        middle(float{std::bit_cast<bfloat16_t>(brain)},
               float{std::bit_cast<bfloat16_t>(static_cast<std::uint16_t>(brain + 1))});
    if (bits(float16_t(sign * side * half)) != nearest<float16_t>(sign * side * half))
      FAIL_CHECK("f16 of " << sign * side * half);
    if (bits(bfloat16_t(sign * side * other)) != nearest<bfloat16_t>(sign * side * other))
      FAIL_CHECK("bf16 of " << sign * side * other);
  }
  CHECK(float{float16_t(2049)} == 2048);  // a tie
  CHECK(float{float16_t(2051)} == 2052);
  CHECK(bits(float16_t(65519)) == 0x7bff);
  CHECK(bits(float16_t(65520)) == 0x7c00);
  CHECK(bits(float16_t(INT64_MIN)) == 0xfc00);
  CHECK(bits(float16_t(1e300)) == 0x7c00);
  CHECK(bits(float16_t(-1e-300)) == 0x8000);
  // The middle of two brain floats at 2^62, and one more: by way of a double that were a tie.
  const std::int64_t tie = (std::int64_t{1} << 62) + (std::int64_t{1} << 54);
  CHECK(bits(bfloat16_t(tie)) == 0x5e80);
  CHECK(bits(bfloat16_t(tie + 1)) == 0x5e81);
  CHECK(bits(bfloat16_t(-tie - 1)) == 0xde81);
  CHECK(bits(bfloat16_t(UINT64_MAX)) == 0x5f80);
}

TEST_CASE("they are numbers: compared, computed with as floats, and elements") {
  const float16_t a(1.5f), b(2);
  CHECK(a < b);
  CHECK(a + b == 3.5f);
  CHECK(float16_t(0.0f) == float16_t(-0.0f));
  static_assert(float16_t(1.0f) == 1.0f && bfloat16_t(3) == 3.0f);
  static_assert(dtype_of<float16_t> == f16 && dtype_of<const bfloat16_t> == bf16);
  static_assert(dtype_of<Eigen::half> == f16 && dtype_of<Eigen::bfloat16> == bf16);
  static_assert(!std::is_convertible_v<float, float16_t>, "rounding is asked for");
  const Tensor x = array({a, b}).roll(1, 0);
  CHECK(x.dtype() == f16);
  CHECK(x.data<float16_t>()[0] == 2);
  CHECK(x.data<Eigen::half>()[1] == Eigen::half(1.5f));
  CHECK(to_string(x) == "[2.  1.5]");
  CHECK(full({2}, bfloat16_t(0.5f)).to_vector<bfloat16_t>()[1] == 0.5f);
  CHECK(iota<float16_t>({3}).to_vector<float16_t>()[2] == 2);
}

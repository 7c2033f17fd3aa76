// SPDX-License-Identifier: Apache-2.0
// Floating-point numbers of two bytes: conversions, for elements are only moved.
#pragma once

#include <bit>
#include <concepts>
#include <cstdint>
#include <type_traits>

namespace weft {
namespace detail {

/// The float nearest to `value`, but where that is not exact one of the two around it that has an
/// odd last bit: rounding it to half its digits makes what rounding `value` itself would.
constexpr float rounded_to_odd(double value) {
  const auto cut = static_cast<float>(value);
  std::uint32_t bits = std::bit_cast<std::uint32_t>(cut);
  const auto back = static_cast<double>(cut);
  // Infinities and NaN stay what they are; an odd one of the largest floats rounds up to infinity.
  if (back == value || (bits & 0x7f800000) == 0x7f800000) return cut;
  const auto magnitude = [](double x) { return x < 0 ? -x : x; };
  if (magnitude(back) > magnitude(value)) --bits;
  return std::bit_cast<float>(bits | 1);
}

/// The same of an integer: a double that has its digits, but for those beyond, which make the last
/// one odd.
template <std::integral T>
constexpr float rounded_to_odd(T value) {
  const bool is_negative = value < 0;
  std::uint64_t magnitude = static_cast<std::uint64_t>(value);
  if (is_negative) magnitude = 0 - magnitude;
  const int beyond = std::bit_width(magnitude) - 53;
  if (beyond > 0) {
    const bool loses = (magnitude & ((std::uint64_t{1} << beyond) - 1)) != 0;
    magnitude = ((magnitude >> beyond) | std::uint64_t{loses}) << beyond;
  }
  const auto exact = static_cast<double>(magnitude);
  return rounded_to_odd(is_negative ? -exact : exact);
}

/// `bits` without the lowest `count` of them, rounded to nearest, ties to even.
constexpr std::uint32_t round_off(std::uint32_t bits, int count) {
  const std::uint32_t half = std::uint32_t{1} << (count - 1);
  return (bits + half - 1 + ((bits >> count) & 1)) >> count;
}

constexpr std::uint16_t f16_bits(float value) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t sign = bits >> 16 & 0x8000, magnitude = bits & 0x7fffffff;
  std::uint32_t half;
  if (magnitude > 0x7f800000) half = 0x7e00 | (magnitude >> 13 & 0x3ff);  // NaN, made quiet
  else if (magnitude >= 0x47800000) half = 0x7c00;                        // from 2^16 on
  else if (magnitude >= 0x38800000) half = round_off(magnitude - 0x38000000, 13);
  else if (magnitude < 0x33000000) half = 0;  // less than half of the smallest, 2^-24
  else half = round_off((magnitude & 0x7fffff) | 0x800000, 126 - static_cast<int>(magnitude >> 23));
  return static_cast<std::uint16_t>(sign | half);
}

constexpr float from_f16_bits(std::uint16_t bits) {
  const std::uint32_t sign = (bits & std::uint32_t{0x8000}) << 16;
  const std::uint32_t exponent = bits >> 10 & 31, mantissa = bits & 0x3ff;
  if (exponent == 0) {
    const float magnitude = static_cast<float>(mantissa) * 0x1p-24f;
    return sign != 0 ? -magnitude : magnitude;
  }
  if (exponent < 31)
    return std::bit_cast<float>(sign | ((exponent + 112) << 23) | (mantissa << 13));
  const std::uint32_t quiet = mantissa != 0 ? 0x400000 : 0;
  return std::bit_cast<float>(sign | 0x7f800000 | quiet | (mantissa << 13));
}

constexpr std::uint16_t bf16_bits(float value) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
  if ((bits & 0x7fffffff) > 0x7f800000) return static_cast<std::uint16_t>(bits >> 16 | 0x40);
  return static_cast<std::uint16_t>(round_off(bits, 16));
}

constexpr float from_bf16_bits(std::uint16_t bits) {
  const std::uint32_t quiet = (bits & 0x7fff) > 0x7f80 ? 0x400000 : 0;
  return std::bit_cast<float>(std::uint32_t{bits} << 16 | quiet);
}

}  // namespace detail

// The two types have an implicit conversion to float, which is exact, and explicit ones from
// numbers, which round to nearest, ties to even, once; beyond the largest number is infinity. NaNs
// are made quiet and keep their sign and what fits of their payload. They compare as floats do.

/// A number of 5 bits of exponent and 10 of fraction (IEEE 754 binary16): elements of f16.
class float16_t {
 public:
  float16_t() = default;
  constexpr explicit float16_t(float value) noexcept : bits_(detail::f16_bits(value)) {}
  constexpr explicit float16_t(double value) noexcept : float16_t(detail::rounded_to_odd(value)) {}
  template <std::integral T>
  constexpr explicit float16_t(T value) noexcept : float16_t(detail::rounded_to_odd(value)) {}
  constexpr operator float() const noexcept { return detail::from_f16_bits(bits_); }

 private:
  std::uint16_t bits_;
};

/// A number of 8 bits of exponent and 7 of fraction, the upper half of a float: elements of bf16.
class bfloat16_t {
 public:
  bfloat16_t() = default;
  constexpr explicit bfloat16_t(float value) noexcept : bits_(detail::bf16_bits(value)) {}
  constexpr explicit bfloat16_t(double value) noexcept
      : bfloat16_t(detail::rounded_to_odd(value)) {}
  template <std::integral T>
  constexpr explicit bfloat16_t(T value) noexcept : bfloat16_t(detail::rounded_to_odd(value)) {}
  constexpr operator float() const noexcept { return detail::from_bf16_bits(bits_); }

 private:
  std::uint16_t bits_;
};

static_assert(std::is_trivially_copyable_v<float16_t> && sizeof(float16_t) == 2);
static_assert(std::is_trivially_copyable_v<bfloat16_t> && sizeof(bfloat16_t) == 2);

#if defined(__FLT16_MANT_DIG__) && (!defined(__clang__) || __clang_major__ >= 15)
#define WEFT_HAS_NATIVE_FLOAT16 1
/// The compiler's own half float, where it has one.
__extension__ typedef _Float16 NativeFloat16;
#endif

}  // namespace weft

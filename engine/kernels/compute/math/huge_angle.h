// SPDX-License-Identifier: Apache-2.0
// What is left of a huge angle after quarter turns are taken away, exactly (Payne and Hanek).
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

namespace weft::math {

/// angle = (4 k + quarters) * pi / 2 + rest + rest_low, |rest| <= pi / 4.
struct ReducedAngle {
  double rest, rest_low, quarters;
};

/// For finite angles from 2^19 on; in integers, so that it is the same everywhere.
inline ReducedAngle reduced_huge_angle(double angle) {
  // Sixty-four zeros, then the bits of 2 / pi.
  static constexpr std::uint64_t two_over_pi[] = {
      0x0000000000000000, 0xA2F9836E4E441529, 0xFC2757D1F534DDC0, 0xDB6295993C439041,
      0xFE5163ABDEBBC561, 0xB7246E3A424DD2E0, 0x06492EEA09D1921C, 0xFE1DEB1CB129A73E,
      0xE88235F52EBB4484, 0xE99C7026B45F7E41, 0x3991D639835339F4, 0x9C845F8BBDF9283B,
      0x1FF897FFDE05980F, 0xEF2F118B5A0A6D1F, 0x6D367ECF27CB09B7, 0x4F463F669E5FEA2D,
      0x7527BAC7EBE5F17B, 0x3D0739F78A5292EA, 0x6BFB5FB11F8D5D08, 0x56033046FC7B6BAB,
      0xF0CFBC209AF4361D};
  __extension__ using Wide = unsigned __int128;
  const auto bits = std::bit_cast<std::uint64_t>(angle);
  const std::uint64_t mantissa = (bits & 0xFFFFFFFFFFFFF) | 0x10000000000000;
  const int exponent = static_cast<int>(bits >> 52 & 0x7FF) - 1075;
  // Bits of 2 / pi before `first` give multiples of four quarters; 192 from there are enough.
  const auto first = static_cast<unsigned>(64 + exponent - 2);
  const auto word = [first](unsigned i) {
    const std::uint64_t* const at = two_over_pi + first / 64 + i;
    const unsigned shift = first % 64;
    return shift == 0 ? at[0] : at[0] << shift | at[1] >> (64 - shift);
  };
  // The product's low 192 bits: two of the quarters, 190 of a fraction of one.
  const Wide low = Wide{mantissa} * word(2);
  const Wide middle = Wide{mantissa} * word(1) + static_cast<std::uint64_t>(low >> 64);
  const std::uint64_t high = mantissa * word(0) + static_cast<std::uint64_t>(middle >> 64);
  std::uint64_t quarters = high >> 62;
  Wide fraction = Wide{high << 2 | static_cast<std::uint64_t>(middle) >> 62} << 64 |
                  (static_cast<std::uint64_t>(middle) << 2 | static_cast<std::uint64_t>(low) >> 62);
  std::uint64_t beyond = static_cast<std::uint64_t>(low) << 2;
  // To the nearest quarter: the fraction as a signed number.
  const bool is_negative = fraction >> 127 != 0;
  if (is_negative) {
    ++quarters;
    beyond = ~beyond + 1;
    fraction = ~fraction + (beyond == 0 ? 1 : 0);
  }
  const auto top = static_cast<std::uint64_t>(fraction >> 64);
  const int zeros = top != 0 ? std::countl_zero(top) : 64;  // no double is nearer to a quarter
  if (zeros == 64) fraction = fraction << 64 | beyond;
  else if (zeros > 0) fraction = fraction << zeros | beyond >> (64 - zeros);
  // Times pi / 4, the upper 128 bits.
  constexpr std::uint64_t p1 = 0xC90FDAA22168C234, p0 = 0xC4C6628B80DC1CD1;
  const auto f1 = static_cast<std::uint64_t>(fraction >> 64),
             f0 = static_cast<std::uint64_t>(fraction);
  const Wide cross = Wide{f1} * p0, other = Wide{f0} * p1;
  const Wide carried =
      (Wide{f0} * p0 >> 64) + static_cast<std::uint64_t>(cross) + static_cast<std::uint64_t>(other);
  const Wide product = Wide{f1} * p1 + (cross >> 64) + (other >> 64) + (carried >> 64);
  constexpr int rest_bits = 75;
  const double rest =
      std::ldexp(static_cast<double>(static_cast<std::uint64_t>(product >> rest_bits)),
                 rest_bits - 127 - zeros);
  const Wide remaining = product & ((Wide{1} << rest_bits) - 1);
  const double rest_low = std::ldexp(
      static_cast<double>(static_cast<std::uint64_t>(remaining >> 11)), 11 - 127 - zeros);
  const bool turns = is_negative != (angle < 0);
  if (angle < 0) quarters = ~quarters + 1;
  return {turns ? -rest : rest, turns ? -rest_low : rest_low, static_cast<double>(quarters & 3)};
}

}  // namespace weft::math

// SPDX-License-Identifier: Apache-2.0
// Links: what a program is made of when it runs. Each takes eight vectors in registers, does one
// thing to them, and goes on to the next by a jump, so that a group of elements passes through a
// whole program without leaving the registers but where it says so.
//
// A group is as many elements as eight vectors of the widest type of the program hold; narrower
// ones are in fewer vectors then. Each link is compiled for all types and instruction sets that it
// is for, and knows nothing of the others.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace weft {

/// Where a link finds an operand, or puts what it was given; cache lines, but for memory of users.
struct Place {
  std::byte* at;
  std::int64_t step;  ///< bytes from group to group; 0 for what stays
};

/// How elements are while they are computed: bytes where a program has no wider ones, 16 bits where
/// it has none but integers of up to those; else small integers and bool are as 32 bits, and f16
/// and bf16 as f32. Last, beside elements of 64 bits, the same in half as many vectors.
enum class Lanes : std::uint8_t {
  byte_i8,
  byte_u8,
  half_i16,
  half_u16,
  word_i32,
  word_u32,
  word_f32,
  wide_i32,
  wide_u32,
  wide_f32,
  wide_i64,
  wide_u64,
  wide_f64
};
inline constexpr std::size_t lane_kinds = 13;

struct Link {
  /// Of the type of its own lanes; see links-inl.h.
  using Run = void (*)();
  Run run = nullptr;
  std::array<std::uint16_t, 2> places{};  ///< what it reads beside the registers, or writes
  static constexpr std::uint8_t none = 255;
  std::uint8_t loads = none;  ///< the number of the type of elements that it loads where they lie
};

/// An op for each kind of lanes; null where there is none. Operand 0 is in registers, those behind
/// it in places; where it says so, they are the other way round.
struct LinkTable {
  std::array<Link::Run, lane_kinds> run{}, reversed{};
  /// The same of two operands that are one.
  std::array<Link::Run, lane_kinds> with_itself{};
  /// The same of two operands where that in the place is a constant; null where that is no faster.
  std::array<Link::Run, lane_kinds> by_constant{}, of_constant{};
};

/// Runs groups [begin, end) of a program: links, the first of which loads, the last of which ends.
using RunGroups = void (*)(const Link* links, const Place* places, std::int64_t begin,
                           std::int64_t end);

}  // namespace weft

// SPDX-License-Identifier: Apache-2.0
// Turning and reversing within memory, against the same by another way.
#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include <weft/engine/kernels/move/in_place.h>

#include "support/random.h"

namespace weft::testing {
namespace {

constexpr std::byte sentinel{0xA5};

/// Bytes that differ from their neighbours, between two sentinels.
std::vector<std::byte> guarded(std::int64_t bytes) {
  std::vector<std::byte> memory(static_cast<std::size_t>(bytes) + 2, sentinel);
  for (std::int64_t i = 0; i < bytes; ++i)
    memory[static_cast<std::size_t>(i) + 1] = static_cast<std::byte>(i % 251);
  return memory;
}

void check_rotation(std::int64_t left, std::int64_t right) {
  std::vector<std::byte> memory = guarded(left + right), expected = memory;
  std::rotate(expected.begin() + 1, expected.begin() + 1 + left, expected.end() - 1);
  rotate_in_place(memory.data() + 1, left, right);
  INFO(left, " bytes behind ", right);
  CHECK(memory == expected);
}

void check_reversal(std::int64_t n, std::int64_t unit) {
  std::vector<std::byte> memory = guarded(n * unit), expected = memory;
  for (std::int64_t i = 0; i < n; ++i)
    std::copy_n(memory.begin() + 1 + i * unit, unit, expected.begin() + 1 + (n - 1 - i) * unit);
  reverse_in_place(memory.data() + 1, n, unit);
  INFO(n, " units of ", unit);
  CHECK(memory == expected);
}

TEST_CASE("bytes are rotated in their memory, small parts and large") {
  for (std::int64_t left = 0; left < 20; ++left)
    for (std::int64_t right = 0; right < 20; ++right) check_rotation(left, right);
  constexpr std::int64_t aside = 32 * 1024;
  for (const std::int64_t left : {aside - 1, aside, aside + 1, 3 * aside + 7, 10 * aside})
    for (const std::int64_t right : {std::int64_t{1}, aside, aside + 1, 4 * aside - 5, 9 * aside}) {
      check_rotation(left, right);
      check_rotation(right, left);
    }
  Random random(7);
  for (int round = 0; round < 50; ++round)
    check_rotation(random.in(1, 500'000), random.in(1, 500'000));
}

TEST_CASE("units are reversed in their memory, of any size and number") {
  for (std::int64_t n = 0; n < 70; ++n)
    for (std::int64_t unit = 1; unit < 35; ++unit) check_reversal(n, unit);
  for (const std::int64_t unit : {1, 2, 3, 4, 8, 12, 127, 128, 129, 1000, 32768, 32769, 100000})
    for (const std::int64_t n : {2, 3, 8, 9, 33}) check_reversal(n, unit);
  for (const std::int64_t unit : {1, 2, 4, 8, 16})
    for (const std::int64_t n : {65535, 65536, 65537, 100001}) check_reversal(n, unit);
}

}  // namespace
}  // namespace weft::testing

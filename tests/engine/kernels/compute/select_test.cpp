// SPDX-License-Identifier: Apache-2.0
// The select kernel against elements chosen one by one: every size, count and place.
#include <doctest/doctest.h>

#include <array>
#include <cstring>
#include <vector>

#include <weft/engine/kernels/compute.h>
#include <weft/engine/kernels/counters.h>
#include <weft/graph/value/error.h>

#include "support/nests.h"
#include "support/random.h"

using namespace weft;
using weft::testing::on_every_target;
using weft::testing::Random;

namespace {

constexpr std::byte untouched{0xEE};
constexpr std::int64_t pad = 64;

struct Block {
  std::int64_t element, rows, columns;
  std::array<bool, 3> is_still;
  bool streams;
  std::int64_t shift, gap;  // where the output begins, and bytes between rows
};

/// Runs the kernel, and compares every byte of the output with what it should be.
bool is_right(const Block& asked, Random& random) {
  ComputeForm form{asked.element,  3,  {1, asked.element, asked.element},
                   asked.is_still, {}, asked.streams};
  form.is_far.fill(asked.gap > 0);
  const std::int64_t row_bytes = asked.columns * asked.element + asked.gap;
  std::array<std::vector<std::byte>, 3> from;
  ComputeBlock block{asked.rows, asked.columns, nullptr, row_bytes, {}, {}};
  for (std::size_t k = 0; k < 3; ++k) {
    block.pitch[k] = (asked.is_still[k] ? 1 : asked.columns) * form.bytes[k] + asked.gap;
    // Exactly as much as the rows have, so that reading beyond them is seen by sanitizers.
    const std::int64_t bytes = block.pitch[k] * asked.rows - asked.gap;
    for (std::int64_t i = 0; i < bytes; ++i)
      from[k].push_back(static_cast<std::byte>(k == 0 ? random.below(3) * 64 : random.below(256)));
    block.at[k] = from[k].data();
  }
  std::vector<std::byte> out(
      static_cast<std::size_t>(2 * pad + asked.rows * row_bytes + asked.shift), untouched);
  std::vector<std::byte> expected = out;
  const auto line = 64 - reinterpret_cast<std::uintptr_t>(out.data()) % 64;
  const std::size_t start = line + static_cast<std::size_t>(asked.shift);
  block.out = out.data() + start;
  for (std::int64_t r = 0; r < asked.rows; ++r)
    for (std::int64_t c = 0; c < asked.columns; ++c) {
      const auto at = [&](std::size_t k) {
        return block.at[k] + r * block.pitch[k] + (asked.is_still[k] ? 0 : c) * form.bytes[k];
      };
      std::memcpy(expected.data() + start + r * row_bytes + c * asked.element,
                  *at(0) != std::byte{0} ? at(1) : at(2), static_cast<std::size_t>(asked.element));
    }
  carry_out(compute_kernel("select"), form, block);
  finish_streams();
  return out == expected;
}

std::int64_t offset(Random& random) { return static_cast<std::int64_t>(random.below(8)); }

/// The same where the output is an operand.
bool is_right_over(const Block& asked, std::size_t over, Random& random) {
  ComputeForm form{asked.element, 3, {1, asked.element, asked.element}, {}, {}, asked.streams};
  const std::int64_t pitch = asked.columns * asked.element + asked.gap;
  std::array<std::vector<std::byte>, 3> from;
  ComputeBlock block{asked.rows, asked.columns, nullptr, pitch, {}, {}};
  for (std::size_t k = 0; k < 3; ++k) {
    block.pitch[k] = k == over ? pitch : asked.columns * form.bytes[k];
    from[k].resize(static_cast<std::size_t>(asked.shift + asked.rows * block.pitch[k]));
    for (std::byte& each : from[k])
      each = static_cast<std::byte>(k == 0 ? random.below(3) * 64 : random.below(256));
    block.at[k] = from[k].data() + asked.shift;
  }
  const auto shift = static_cast<std::size_t>(asked.shift);
  std::vector<std::byte> expected = from[over];
  for (std::int64_t r = 0; r < asked.rows; ++r)
    for (std::int64_t c = 0; c < asked.columns; ++c) {
      const auto at = [&](std::size_t k) {
        return block.at[k] + r * block.pitch[k] + c * form.bytes[k];
      };
      std::memcpy(expected.data() + shift + r * pitch + c * asked.element,
                  *at(0) != std::byte{0} ? at(1) : at(2), static_cast<std::size_t>(asked.element));
    }
  block.out = from[over].data() + shift;
  carry_out(compute_kernel("select"), form, block);
  finish_streams();
  return from[over] == expected;
}

}  // namespace

TEST_CASE("select: elements of every size, of every count, however operands lie") {
  on_every_target([] {
    Random random(7);
    for (const std::int64_t element :
         {1, 2, 3, 4, 5, 6, 7, 8, 12, 15, 16, 17, 24, 31, 32, 48, 63, 64, 65, 100})
      for (std::int64_t columns = 1; columns < 150; columns += columns < 40 ? 1 : 13)
        for (const unsigned still : {0u, 1u, 2u, 3u, 4u, 5u, 6u, 7u}) {
          const Block block{element,
                            2,
                            columns,
                            {(still & 1) != 0, (still & 2) != 0, (still & 4) != 0},
                            random.one_in(2),
                            static_cast<std::int64_t>(random.below(8)) * element,
                            static_cast<std::int64_t>(random.below(3)) * 5};
          INFO(element, " ", columns, " ", still);
          CHECK(is_right(block, random));
        }
  });
}

TEST_CASE("select: rows that follow one another, and long ones, also past the caches") {
  on_every_target([] {
    Random random(8);
    for (const std::int64_t element : {1, 2, 3, 4, 8, 12, 16, 24})
      for (const bool streams : {false, true})
        for (const std::int64_t shift : {0, 1, 3}) {
          CHECK(is_right({element, 1, 3001, {}, streams, shift, 0}, random));
          CHECK(is_right({element, 7, 113, {}, streams, shift, 0}, random));
        }
  });
}

TEST_CASE("select: over any operand that is as wide as the result") {
  on_every_target([] {
    Random random(10);
    for (const std::int64_t element : {1, 2, 3, 4, 5, 8, 12, 16, 24, 100})
      for (std::int64_t columns = 1; columns < 300; columns += columns < 70 ? 1 : 13)
        for (const std::size_t over : {0u, 1u, 2u})
          if (over > 0 || element == 1) {
            INFO(element, " ", columns, " over ", over);
            CHECK(is_right_over({element, 2, columns, {}, random.one_in(2), offset(random), 5},
                                over, random));
          }
  });
}

TEST_CASE("select: what it says it moves it counts") {
  if (!counts_kernels()) return;
  Random random(9);
  reset_kernel_counts();
  CHECK(is_right({4, 3, 50, {false, true, false}, false, 0, 8}, random));
  const ComputeForm form{4, 3, {1, 4, 4}, {false, true, false}, {}, false};
  CHECK(traffic_of(form, 3, 50) == Traffic{3 * (50 + 4 + 200), 600});
  CHECK(kernel_counts() == std::vector<KernelCount>{{"select", 1, traffic_of(form, 3, 50)}});
}

TEST_CASE("a kernel that nobody has written is asked for in vain") {
  CHECK_THROWS_AS(compute_kernel("none of them"), InternalError);
}

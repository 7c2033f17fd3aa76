// SPDX-License-Identifier: Apache-2.0
// The weave kernel against plain loops: sources that end where a step does, sentinels around.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <hwy/highway.h>
#include <hwy/targets.h>
#include <vector>

#include <weft/engine/kernels/move/kernels.h>
#include <weft/engine/memory/buffer.h>

using namespace weft;

namespace {

constexpr std::int64_t margin = 128;

/// Exactly the bytes that may be read, so that a sanitizer sees any other.
std::vector<std::byte> numbered(std::int64_t size, std::int64_t seed) {
  std::vector<std::byte> bytes(static_cast<std::size_t>(size));
  for (std::int64_t i = 0; i < size; ++i)
    bytes[static_cast<std::size_t>(i)] = static_cast<std::byte>((i * 131 + (i >> 8) + seed) & 0xFF);
  return bytes;
}

std::int64_t reach(const Weave::Side& outer, std::int64_t outer_stride, const Weave::Side& inner,
                   std::int64_t inner_stride, std::int64_t unit) {
  return (outer.extent - 1) * outer_stride + (inner.extent - 1) * inner_stride + unit;
}

/// On every instruction set that this machine has, with ordinary and with streaming stores.
void check(Weave weave, std::int64_t start) {
  const auto& [unit, outer, inner, streams] = weave;
  const auto first = numbered(reach(outer, outer.first, inner, inner.first, unit), 1);
  const auto second = numbered(reach(outer, outer.second, inner, inner.second, unit), 77);
  const std::int64_t size =
      reach(outer, outer.dst, inner, inner.dst, 2 * unit) + 2 * margin + start;
  const std::shared_ptr<std::byte> expected = allocate(size), got = allocate(size);
  std::fill_n(expected.get(), size, std::byte{0xEE});
  for (std::int64_t i = 0; i < outer.extent; ++i)
    for (std::int64_t j = 0; j < inner.extent; ++j) {
      std::byte* const to = expected.get() + margin + start + i * outer.dst + j * inner.dst;
      std::copy_n(first.data() + i * outer.first + j * inner.first, unit, to);
      std::copy_n(second.data() + i * outer.second + j * inner.second, unit, to + unit);
    }
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
    CAPTURE(hwy::TargetName(target));
    hwy::SetSupportedTargetsForTest(target);
    for (const bool streamed : {false, true}) {
      std::fill_n(got.get(), size, std::byte{0xEE});
      weave.streams = streamed;
      weave_units(weave, got.get() + margin + start, first.data(), second.data());
      if (streamed) finish_streams();
      CHECK(std::memcmp(got.get(), expected.get(), static_cast<std::size_t>(size)) == 0);
    }
  }
  hwy::SetSupportedTargetsForTest(0);
}

}  // namespace

TEST_CASE("weaves of every count and source stride") {
  for (const std::int64_t unit : {1, 2, 3, 4, 8, 12, 16})
    for (const std::int64_t a : {1, 2, 3})
      for (const std::int64_t b : {1, 2, 4})
        for (std::int64_t count = 1; count <= 132; count += count < 70 ? 1 : 7) {
          const std::int64_t row = 2 * count * unit;
          check({unit,
                 {2, row + unit, a * count * unit, b * count * unit},
                 {count, 2 * unit, a * unit, b * unit}},
                0);
        }
}

TEST_CASE("weaves that start anywhere in a line") {
  for (const std::int64_t unit : {1, 2, 4, 8, 6})
    for (const std::int64_t a : {1, 2})
      for (const std::int64_t b : {1, 2})
        for (std::int64_t start = 0; start < 64; ++start)
          for (const std::int64_t count : {1, 63, 130})
            check({unit, {1, 0, 0, 0}, {count, 2 * unit, a * unit, b * unit}}, start);
}

TEST_CASE("weaves longer than what is put together at once") {
  for (const std::int64_t unit : {3, 12, 100})
    check({unit, {2, 20000 / unit * unit, 5, 7}, {9000 / unit, 2 * unit, 3 * unit, unit}}, 8);
}

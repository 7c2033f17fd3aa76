// SPDX-License-Identifier: Apache-2.0
// The fill kernel: one unit repeated, from a pattern that stays in the first cache.
#include <algorithm>
#include <cstring>
#include <numeric>

#include <weft/engine/kernels/move/kernels.h>

namespace weft {
namespace {

// Where the last cache keeps the output, copies of several KiB out of the first write without
// fetching what they replace and faster than streaming stores do (W5: 0.61 copies, 0.69 streamed,
// 0.74 by pieces of 4 KiB); where it does not they are slower (W5c: 0.73, streamed 0.39).
constexpr std::int64_t pattern_bytes = 16 * 1024;

void copy_bytes(std::byte* dst, const std::byte* src, std::int64_t bytes) {
  std::memcpy(dst, src, static_cast<std::size_t>(bytes));
}

/// `total` bytes of repetitions of `unit` bytes.
void repeat(std::byte* dst, const std::byte* src, std::int64_t unit, std::int64_t total) {
  copy_bytes(dst, src, unit);
  for (std::int64_t done = unit; done < total; done *= 2)
    copy_bytes(dst + done, dst, std::min(done, total - done));
}

}  // namespace

void fill(const Tile& tile, std::byte* dst, const std::byte* src) {
  const std::int64_t total = tile.inner.extent * tile.unit;
  // Whole lines where so many units are few; the next repetition then starts at a line too.
  const std::int64_t lines = std::lcm(tile.unit, std::int64_t{64});
  const std::int64_t period = lines <= pattern_bytes ? lines : tile.unit;
  const std::int64_t whole = pattern_bytes / period * period;
  alignas(64) std::byte pattern[pattern_bytes];
  for (std::int64_t i = 0; i < tile.outer.extent; ++i) {
    std::byte* const to = dst + i * tile.outer.dst;
    const std::byte* const from = src + i * tile.outer.src;
    if (whole == 0) {  // the unit is longer than the pattern
      for (std::int64_t done = 0; done < total; done += tile.unit)
        copy_bytes(to + done, from, tile.unit);
    } else if (total < 2 * whole && (tile.outer.src != 0 || tile.outer.extent == 1)) {
      repeat(to, from, tile.unit, total);
    } else {
      if (i == 0 || tile.outer.src != 0) repeat(pattern, from, tile.unit, std::min(whole, total));
      for (std::int64_t done = 0; done < total; done += whole)
        copy_run(to + done, pattern, std::min(whole, total - done), tile.is_vast);
    }
  }
}

}  // namespace weft

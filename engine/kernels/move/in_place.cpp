// SPDX-License-Identifier: Apache-2.0
// Turning and reversing units within the memory they are in, with little beside it.
#include <weft/engine/kernels/move/in_place.h>

#include <algorithm>
#include <array>
#include <cstring>

#include <weft/engine/kernels/kernel.h>

namespace weft {
namespace {

// Memory aside, in bytes; on the stack, so that nothing can fail half-way.
constexpr std::int64_t aside_bytes = 32 * 1024;
using Aside = std::array<std::byte, aside_bytes>;

std::size_t size(std::int64_t bytes) { return static_cast<std::size_t>(bytes); }

/// The units from `src` backwards.
void copy_reversed(std::byte* dst, const std::byte* src, std::int64_t n, std::int64_t unit) {
  Nest nest{.element = unit, .unit = unit, .loops = {{n, unit, {-unit}}}};
  Bound bound;
  bind_cheapest(nest, {}, bound);
  src += (n - 1) * unit;
  carry_out(bound, dst, &src);
}

void reverse_long_units(std::byte* data, std::int64_t n, std::int64_t unit) {
  for (std::int64_t i = 0; i < n / 2; ++i)
    std::swap_ranges(data + i * unit, data + (i + 1) * unit, data + (n - 1 - i) * unit);
}

}  // namespace

void rotate_in_place(std::byte* data, std::int64_t left, std::int64_t right) {
  Aside aside;
  // While neither part fits aside the shorter one is swapped to its place.
  while (std::min(left, right) > aside_bytes) {
    if (left <= right) {
      std::swap_ranges(data, data + left, data + right);
      right -= left;
    } else {
      std::swap_ranges(data, data + right, data + left);
      data += right;
      left -= right;
    }
  }
  if (left <= right) {
    copy_run(aside.data(), data, left, false);
    std::memmove(data, data + left, size(right));
    copy_run(data + right, aside.data(), left, false);
  } else {
    copy_run(aside.data(), data + left, right, false);
    std::memmove(data + right, data, size(left));
    copy_run(data, aside.data(), right, false);
  }
}

void reverse_in_place(std::byte* data, std::int64_t n, std::int64_t unit) {
  if (n < 2) return;
  // Blocks from both ends change places; what is left in the middle is a shorter one.
  const std::int64_t most = aside_bytes / unit;
  if (most == 0) return reverse_long_units(data, n, unit);
  Aside aside;
  std::byte* end = data + n * unit;
  while (n > 1) {
    const std::int64_t block = std::min(most, n / 2);
    end -= block * unit;
    copy_reversed(aside.data(), end, block, unit);
    copy_reversed(end, data, block, unit);
    copy_run(data, aside.data(), block * unit, false);
    data += block * unit;
    n -= 2 * block;
  }
}

}  // namespace weft

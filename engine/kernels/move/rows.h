// SPDX-License-Identifier: Apache-2.0
// Rows of a turned nest: its innermost loop writes units side by side, these are read so.
#pragma once

#include <weft/engine/kernels/kernel.h>

namespace weft {

/// Kernels of channels take fewer pixels than this one by one.
inline constexpr std::int64_t few_pixels = 16;
/// Those of fewer than that are moved sooner without a call for each row (u8, 2 channels: of 2
/// pixels 2.6 ns a unit, 1.8 so; of 8 0.76 and 0.51. 4 bytes, 8 pixels: 0.63 and 0.51; 16: 0.3).
inline bool are_very_few(std::int64_t pixels, std::int64_t unit) {
  return pixels < 8 || pixels * unit < 16;
}

/// From its last step to its first.
inline void turn_around(Nest& nest, std::size_t k) {
  NestLoop& loop = nest.loops[k];
  nest.of[0].dst += (loop.extent - 1) * loop.dst;
  nest.of[0].src += (loop.extent - 1) * loop.src[0];
  loop.dst = -loop.dst;
  loop.src[0] = -loop.src[0];
}

/// Takes the rows, which are read forwards then.
inline ByteLoop take_rows(Nest& nest) {
  if (nest.loops[nest.rows].src[0] < 0) turn_around(nest, nest.rows);
  return nest.take(nest.rows);
}

}  // namespace weft

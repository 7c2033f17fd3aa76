// SPDX-License-Identifier: Apache-2.0
// Rows of a turned nest: its innermost loop writes units side by side, these are read so.
#pragma once

#include <weft/engine/kernels/kernel.h>

namespace weft {

/// Kernels of channels take fewer pixels than this one by one.
inline constexpr std::int64_t few_pixels = 16;

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

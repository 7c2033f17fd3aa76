// SPDX-License-Identifier: Apache-2.0
// Where a nest turns: its innermost loop writes units side by side, another reads them so.
#pragma once

#include <weft/engine/kernels/kernel.h>

namespace weft {

inline constexpr std::size_t no_loop = static_cast<std::size_t>(-1);

/// The loop that steps through the source by `stride` bytes, if any.
inline std::size_t loop_along_source(const Nest& nest, std::int64_t stride) {
  for (std::size_t k = 0; k < nest.loops.size(); ++k)
    if (nest.loops[k].src[0] == stride && nest.loops[k].is_plain()) return k;
  return no_loop;
}

/// Of a packed nest, the loop whose steps are neighbours in the source, forwards or backwards; not
/// the innermost.
inline std::size_t loop_over_rows(const Nest& nest) {
  if (nest.loops.size() < 2 || nest.unit >= long_unit) return no_loop;
  std::size_t k = loop_along_source(nest, nest.unit);
  if (k == no_loop) k = loop_along_source(nest, -nest.unit);
  return k + 1 == nest.loops.size() ? no_loop : k;
}

/// From its last step to its first.
inline void turn_around(Nest& nest, std::size_t k) {
  NestLoop& loop = nest.loops[k];
  nest.of[0].dst += (loop.extent - 1) * loop.dst;
  nest.of[0].src += (loop.extent - 1) * loop.src[0];
  loop.dst = -loop.dst;
  loop.src[0] = -loop.src[0];
}

/// Takes rows that are read forwards, by turning them around where they are not.
inline ByteLoop take_rows(Nest& nest, std::size_t k) {
  if (nest.loops[k].src[0] < 0) turn_around(nest, k);
  return nest.take(k);
}

}  // namespace weft

// SPDX-License-Identifier: Apache-2.0
// Kernels over short units far apart: strided copies and tables.
#include <weft/engine/kernels/move/kernels.h>
#include <weft/graph/value/unit.h>

namespace weft {

void copy_strided(const Tile& tile, std::byte* dst, const std::byte* src) {
  with_unit(tile.unit, [&](auto unit) {
    for (std::int64_t i = 0; i < tile.outer.extent; ++i) {
      std::byte* to = dst + i * tile.outer.dst;
      const std::byte* from = src + i * tile.outer.src;
      for (std::int64_t j = 0; j < tile.inner.extent; ++j)
        unit.move(to + j * tile.inner.dst, from + j * tile.inner.src);
    }
  });
}

void gather_table(const Tile& tile, std::byte* dst, const std::byte* src) {
  with_unit(tile.unit, [&](auto unit) {
    for (std::int64_t i = 0; i < tile.outer.extent; ++i) {
      std::byte* to = dst + i * tile.outer.dst;
      const std::byte* from = src + i * tile.outer.src;
      for (std::int64_t j = 0; j < tile.inner.extent; ++j)
        unit.move(to + (tile.dst_table ? tile.dst_table[j] * tile.element : j * tile.inner.dst),
                  from + (tile.src_table ? tile.src_table[j] * tile.element : j * tile.inner.src));
    }
  });
}

}  // namespace weft

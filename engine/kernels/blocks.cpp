// Kernels over short units far apart: transposes in blocks, strided copies, tables.
#include <algorithm>

#include <weft/engine/kernels/kernels.h>
#include <weft/engine/kernels/unit.h>

namespace weft {

void transpose_blocks(const Tile& tile, std::byte* dst, const std::byte* src) {
  // Blocks of a few cache lines a side: every line read is used whole while it is still in cache.
  constexpr std::int64_t rows = 32;
  const std::int64_t columns = std::max<std::int64_t>(8, 256 / tile.unit);
  with_unit(tile.unit, [&](auto unit) {
    for (std::int64_t j0 = 0; j0 < tile.inner.extent; j0 += columns) {
      const std::int64_t j1 = std::min(tile.inner.extent, j0 + columns);
      for (std::int64_t i0 = 0; i0 < tile.outer.extent; i0 += rows) {
        const std::int64_t i1 = std::min(tile.outer.extent, i0 + rows);
        for (std::int64_t i = i0; i < i1; ++i) {
          std::byte* to = dst + i * tile.outer.dst;
          const std::byte* from = src + i * unit.size();
          for (std::int64_t j = j0; j < j1; ++j)
            unit.move(to + j * unit.size(), from + j * tile.inner.src);
        }
      }
    }
  });
}

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

// The fill kernel: one unit repeated.
#include <algorithm>
#include <cstring>

#include <weft/engine/kernels/kernels.h>

namespace weft {

void fill(const Tile& tile, std::byte* dst, const std::byte* src) {
  const std::int64_t total = tile.inner.extent * tile.unit;
  // Doubling reads what was just written, so it stays within what a cache holds.
  constexpr std::int64_t largest_step = 16 * 1024;
  for (std::int64_t i = 0; i < tile.outer.extent; ++i) {
    std::byte* row = dst + i * tile.outer.dst;
    std::memcpy(row, src + i * tile.outer.src, static_cast<std::size_t>(tile.unit));
    std::int64_t step = tile.unit;
    for (std::int64_t done = tile.unit; done < total;) {
      const std::int64_t more = std::min(step, total - done);
      std::memcpy(row + done, row, static_cast<std::size_t>(more));
      done += more;
      if (step < largest_step) step = done;
    }
  }
}

}  // namespace weft

// Lowering: the innermost strides choose the kernel.
#include <weft/engine/lower.h>

namespace weft {
namespace {

// Units of at least this many bytes are moved by memcpy.
constexpr std::int64_t long_unit = 128;

constexpr std::size_t none = static_cast<std::size_t>(-1);

Tile::Side side(const Loop& loop, std::int64_t element) {
  return {loop.extent, loop.out_stride * element, loop.src_stride * element};
}

/// The loop that steps through the source by whole units, if any.
std::size_t loop_along_source(const SmallVector<Loop, 6>& loops, std::int64_t unit,
                              std::int64_t element) {
  for (std::size_t k = 0; k < loops.size(); ++k)
    if (loops[k].is_plain() && loops[k].src_stride * element == unit) return k;
  return none;
}

}  // namespace

Lowered lower(const Copy& copy, std::int64_t element, bool streams) {
  Lowered lowered{"run", copy_runs, {element, {1, 0, 0}, {1, 0, 0}}, copy.loops};
  SmallVector<Loop, 6>& loops = lowered.around;
  Tile& tile = lowered.tile;
  tile.streams = streams;
  const auto take_outer = [&] {
    if (loops.empty() || !loops.back().is_plain()) return;
    tile.outer = side(loops.back(), element);
    loops.pop_back();
  };

  if (!loops.empty() && loops.back().is_plain() && loops.back().out_stride == 1 &&
      loops.back().src_stride == 1) {
    tile.unit *= loops.back().extent;
    loops.pop_back();
  }
  if (loops.empty()) return lowered;

  const Loop inner = loops.back();
  loops.pop_back();
  tile.inner = side(inner, element);
  if (!inner.is_plain()) {
    lowered.name = "table";
    lowered.kernel = gather_table;
    tile.src_table = inner.src_table;
    tile.dst_table = inner.out_table;
    tile.element = element;
    take_outer();
    return lowered;
  }
  if (tile.inner.dst == tile.unit && tile.inner.src == 0) {
    lowered.name = "fill";
    lowered.kernel = fill;
    take_outer();
    return lowered;
  }
  if (tile.unit >= long_unit) {
    take_outer();
    return lowered;
  }
  if (tile.inner.dst == tile.unit && tile.inner.src == -tile.unit) {
    lowered.name = "reverse";
    lowered.kernel = reverse;
    take_outer();
    return lowered;
  }
  const std::size_t along = loop_along_source(loops, tile.unit, element);
  if (tile.inner.dst == tile.unit && along != none) {
    lowered.name = "transpose";
    lowered.kernel = transpose_blocks;
    tile.outer = side(loops[along], element);
    loops.erase(loops.begin() + along);
    return lowered;
  }
  lowered.name = "strided";
  lowered.kernel = copy_strided;
  take_outer();
  return lowered;
}

void carry_out(const Copy& copy, const Lowered& lowered, std::int64_t element, std::byte* out,
               const std::byte* src) {
  const SmallVector<Loop, 6>& around = lowered.around;
  SmallVector<std::int64_t, 8> step(around.size(), 0);
  for (;;) {
    std::int64_t to = copy.out_offset, from = copy.src_offset;
    for (std::size_t k = 0; k < around.size(); ++k) {
      to += around[k].out_at(step[k]);
      from += around[k].src_at(step[k]);
    }
    lowered.kernel(lowered.tile, out + to * element, src + from * element);
    std::size_t k = around.size();
    while (k > 0 && ++step[k - 1] == around[k - 1].extent) step[--k] = 0;
    if (k == 0) return;
  }
}

}  // namespace weft

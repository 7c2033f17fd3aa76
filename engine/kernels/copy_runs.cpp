// The run kernels: a copy a unit, one unit repeated; past the caches where the output is large.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "weft/engine/kernels/copy_runs.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <numeric>

#include <weft/engine/kernels/kernels.h>
#include <weft/engine/kernels/stream-inl.h>

HWY_BEFORE_NAMESPACE();
namespace weft::HWY_NAMESPACE {
namespace {

// A pattern is repeated in the first cache up to about this size and written from there.
constexpr std::int64_t pattern_bytes = 4 * 1024;

}  // namespace

void stream_run(std::byte* dst, const std::byte* src, std::int64_t bytes) {
  stream_bytes(dst, src, bytes);
}

void stream_runs(const Tile& tile, std::byte* dst, const std::byte* src) {
  for (std::int64_t i = 0; i < tile.outer.extent; ++i)
    for (std::int64_t j = 0; j < tile.inner.extent; ++j)
      stream_bytes(dst + i * tile.outer.dst + j * tile.inner.dst,
                   src + i * tile.outer.src + j * tile.inner.src, tile.unit);
}

/// `total` bytes of repetitions of a unit of at most `pattern_bytes`.
void stream_pattern(std::byte* dst, const std::byte* src, std::int64_t unit, std::int64_t total) {
  // Lines of the pattern start where lines of the output do, and its end joins its start: a
  // multiple of the unit and of a line, read from where the first line starts.
  alignas(line_bytes) std::byte pattern[pattern_bytes];
  const std::int64_t head = std::min(total, (line_bytes - past_line(dst)) % line_bytes);
  const std::int64_t period = std::lcm(unit, line_bytes);
  const std::int64_t whole = period <= pattern_bytes ? pattern_bytes / period * period : 0;
  for (std::int64_t at = 0; at < head; ++at) dst[at] = src[at % unit];
  if (whole == 0 || total - head < whole) {
    for (std::int64_t at = head; at < total;) {
      const std::int64_t phase = at % unit, count = std::min(unit - phase, total - at);
      stream_bytes(dst + at, src + phase, count);
      at += count;
    }
    return;
  }
  const std::int64_t phase = head % unit;
  std::memcpy(pattern, src + phase, static_cast<std::size_t>(unit - phase));
  std::memcpy(pattern + unit - phase, src, static_cast<std::size_t>(phase));
  for (std::int64_t have = unit; have < whole; have += std::min(have, whole - have))
    std::memcpy(pattern + have, pattern, static_cast<std::size_t>(std::min(have, whole - have)));
  for (std::int64_t done = head; done < total; done += whole) {
    const std::int64_t left = std::min(whole, total - done), lines = left / line_bytes * line_bytes;
    for (std::int64_t at = 0; at < lines; at += line_bytes)
      stream_lines<1>(dst + done + at, pattern + at);
    std::memcpy(dst + done + lines, pattern + lines, static_cast<std::size_t>(left - lines));
  }
}

void stream_fill(const Tile& tile, std::byte* dst, const std::byte* src) {
  for (std::int64_t i = 0; i < tile.outer.extent; ++i) {
    std::byte* to = dst + i * tile.outer.dst;
    const std::byte* from = src + i * tile.outer.src;
    if (tile.unit <= pattern_bytes) {
      stream_pattern(to, from, tile.unit, tile.inner.extent * tile.unit);
      continue;
    }
    for (std::int64_t j = 0; j < tile.inner.extent; ++j)
      stream_bytes(to + j * tile.unit, from, tile.unit);
  }
}

}  // namespace weft::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <hwy/cache_control.h>

namespace weft {

HWY_EXPORT(stream_run);
HWY_EXPORT(stream_runs);
HWY_EXPORT(stream_fill);

void copy_run(std::byte* dst, const std::byte* src, std::int64_t bytes, bool streams) {
  if (streams) return HWY_DYNAMIC_DISPATCH(stream_run)(dst, src, bytes);
  std::memcpy(dst, src, static_cast<std::size_t>(bytes));
}

void copy_runs(const Tile& tile, std::byte* dst, const std::byte* src) {
  if (tile.streams) return HWY_DYNAMIC_DISPATCH(stream_runs)(tile, dst, src);
  for (std::int64_t i = 0; i < tile.outer.extent; ++i)
    for (std::int64_t j = 0; j < tile.inner.extent; ++j)
      std::memcpy(dst + i * tile.outer.dst + j * tile.inner.dst,
                  src + i * tile.outer.src + j * tile.inner.src,
                  static_cast<std::size_t>(tile.unit));
}

void fill(const Tile& tile, std::byte* dst, const std::byte* src) {
  if (tile.streams) return HWY_DYNAMIC_DISPATCH(stream_fill)(tile, dst, src);
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

void finish_streams() { hwy::FlushStream(); }

}  // namespace weft
#endif

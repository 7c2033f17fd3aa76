// The transpose kernel: columns of the output are staged in the first cache as whole lines of the
// source, turned in registers, and leave it as pairs of whole lines.
//
// Rows and columns may each run over several loops, so that short axes still make long rows.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "weft/engine/kernels/transpose.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cstring>

#include <weft/engine/kernels/kernels.h>
#include <weft/engine/kernels/stream-inl.h>
#include <weft/engine/kernels/turn-inl.h>

HWY_BEFORE_NAMESPACE();
namespace weft::HWY_NAMESPACE {
namespace {

// Measured over [4096, 4096] of 1, 2, 4 and 8 bytes (W2). A panel of one line a row costs twice
// the time of two: memory serves even and odd lines apart, and at strides of a power of two single
// lines keep to one kind. Rows that start inside a line are written in longer pieces, for both ends
// of each are lines written in part.
constexpr std::int64_t panel_bytes = 2 * line_bytes;
constexpr std::int64_t ragged_panel_bytes = 8 * line_bytes;
constexpr std::int64_t staged_bytes = 32 * 1024;
constexpr std::int64_t most_columns = ragged_panel_bytes;
constexpr std::int64_t most_rows = 4 * line_bytes;
constexpr std::int64_t most_strip_rows = 16;

/// The offsets of `count` steps from step `first` on.
void write_offsets(const Tile::Sides& sides, std::int64_t Tile::Side::*stride, std::int64_t first,
                   std::int64_t count, std::int64_t* offsets) {
  const auto& [a, b, c] = sides;
  std::int64_t i = first % a.extent, j = first / a.extent % b.extent,
               k = first / a.extent / b.extent;
  for (std::int64_t n = 0; n < count;) {
    const std::int64_t base = j * (b.*stride) + k * (c.*stride);
    for (; i < a.extent && n < count; ++i) offsets[n++] = base + i * (a.*stride);
    i = 0;
    if (++j == b.extent) j = 0, ++k;
  }
}

/// memcpy of a few dozen bytes, by pieces of 16 of which the last two may overlap.
HWY_INLINE void copy_few(std::byte* dst, const std::byte* src, std::int64_t bytes) {
  if (bytes < 16) {
    std::memcpy(dst, src, static_cast<std::size_t>(bytes));
    return;
  }
  for (std::int64_t at = 0; at + 16 <= bytes; at += 16) std::memcpy(dst + at, src + at, 16);
  std::memcpy(dst + bytes - 16, src + bytes - 16, 16);
}

class Transpose {
 public:
  Transpose(const Tile& tile, std::byte* dst, const std::byte* src)
      : tile_(tile), dst_(dst), src_(src), unit_(tile.unit) {
    const Tile::Sides rows = tile.rows();
    is_even_ = past_line(dst) % unit_ == 0 && line_bytes % unit_ == 0;
    for (const Tile::Side& side : rows) is_even_ &= side.extent == 1 || side.dst % line_bytes == 0;
    const bool is_wide = unit_ > 16;
    panel_ = is_wide || (tile.streams && !is_even_) ? ragged_panel_bytes : panel_bytes;
    width_ = std::max<std::int64_t>(1, panel_ / unit_);
    // Bytes find more lines of a page while its address is at hand; wider units find the next
    // block while this one is written.
    is_ahead_ = unit_ > 1;
    pitch_ = (is_ahead_ && !is_wide ? 2 : 4) * line_bytes;
    while (pitch_ > std::max(unit_, line_bytes) && width_ * pitch_ * (1 + is_ahead_) > staged_bytes)
      pitch_ /= 2;
    depth_ = std::max<std::int64_t>(1, pitch_ / unit_);
    // Later panels start where a pair of lines does.
    const std::int64_t past =
        static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(dst) % panel_bytes);
    first_width_ = past % unit_ == 0 ? (panel_ - past) / unit_ : width_;
  }

  template <class Strip>
  void run(const Strip& strip) {
    const std::int64_t columns = steps_of(tile_.columns());
    for (std::int64_t j = 0; j < columns;) {
      const std::int64_t width = std::min(columns - j, j == 0 ? first_width_ : width_);
      write_offsets(tile_.columns(), &Tile::Side::src, j, width, column_src_);
      run_panel(strip, j, width);
      j += width;
    }
  }

 private:
  struct Block {
    std::int64_t first, rows;
  };

  template <class Strip>
  void run_panel(const Strip& strip, std::int64_t j, std::int64_t width) {
    const std::int64_t rows = steps_of(tile_.rows());
    const auto block_at = [&](std::int64_t first) {
      return Block{first, std::clamp<std::int64_t>(rows - first, 0, depth_)};
    };
    const bool writes_pairs = is_even_ && tile_.streams && width * unit_ == panel_bytes &&
                              past_line(dst_ + j * unit_) == 0;
    Block block = block_at(0);
    int side = 0;
    stage(block, 0, width, side);
    while (block.rows > 0) {
      const Block next = block_at(block.first + block.rows);
      write_offsets(tile_.rows(), &Tile::Side::dst, block.first, block.rows, row_dst_);
      const std::int64_t strips = (block.rows + Strip::rows - 1) / Strip::rows;
      const std::int64_t share = (width + strips - 1) / strips;
      for (std::int64_t s = 0; s < strips; ++s) {
        if (is_ahead_ && next.rows > 0)
          stage(next, std::min(width, s * share), std::min(width, (s + 1) * share), 1 - side);
        const std::int64_t row = s * Strip::rows;
        if constexpr (Strip::has_pairs) {
          if (writes_pairs && row + Strip::rows <= block.rows) {
            Strip::stream_pairs(Staged{staged(side) + row * unit_, pitch_, width}, dst_ + j * unit_,
                                row_dst_ + row);
            continue;
          }
        }
        strip(Staged{staged(side) + row * unit_, pitch_, width}, turned_, panel_);
        for (std::int64_t k = 0; k < std::min(Strip::rows, block.rows - row); ++k)
          write(dst_ + row_dst_[row + k] + j * unit_, turned_ + k * panel_, width * unit_);
      }
      block = next;
      if (is_ahead_) side = 1 - side;
      else stage(block, 0, width, side);
    }
  }

  std::byte* staged(int side) { return staged_ + side * width_ * pitch_; }

  void stage(const Block& block, std::int64_t from, std::int64_t to, int side) {
    const std::int64_t bytes = block.rows * unit_;
    std::byte* out = staged(side);
    if (bytes == line_bytes) return stage_lines<1>(block, from, to, out);
    if (bytes == 2 * line_bytes) return stage_lines<2>(block, from, to, out);
    if (bytes == 4 * line_bytes) return stage_lines<4>(block, from, to, out);
    for (std::int64_t j = from; j < to; ++j)
      copy_few(out + j * pitch_, src_ + column_src_[j] + block.first * unit_, bytes);
  }

  template <int Lines>
  void stage_lines(const Block& block, std::int64_t from, std::int64_t to, std::byte* out) {
    const hn::CappedTag<std::uint8_t, line_bytes> d;
    const std::size_t step = hn::Lanes(d);
    const std::byte* const src = src_ + block.first * unit_;
    const std::int64_t pitch = pitch_;
    for (std::int64_t j = from; j < to; ++j) {
      const auto* column = reinterpret_cast<const std::uint8_t*>(src + column_src_[j]);
      auto* row = reinterpret_cast<std::uint8_t*>(out + j * pitch);
      HWY_UNROLL(8)
      for (std::size_t at = 0; at < Lines * line_bytes; at += step)
        hn::StoreU(hn::LoadU(d, column + at), d, row + at);
    }
  }

  void write(std::byte* to, const std::byte* from, std::int64_t bytes) const {
    if (!tile_.streams) copy_few(to, from, bytes);
    else if (bytes == panel_bytes && past_line(to) == 0) stream_lines<2>(to, from);
    else stream_bytes(to, from, bytes);
  }

  const Tile& tile_;
  std::byte* const dst_;
  const std::byte* const src_;
  const std::int64_t unit_;
  std::int64_t panel_, width_, first_width_, pitch_, depth_;
  bool is_even_, is_ahead_;
  alignas(line_bytes) std::byte staged_[staged_bytes];
  alignas(line_bytes) std::byte turned_[most_strip_rows * ragged_panel_bytes];
  std::int64_t column_src_[most_columns];
  std::int64_t row_dst_[most_rows];
};

}  // namespace

void turn_tile(const Tile& tile, std::byte* dst, const std::byte* src) {
  Transpose transpose(tile, dst, src);
  with_strip(tile.unit, [&](const auto& strip) { transpose.run(strip); });
}

}  // namespace weft::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace weft {

HWY_EXPORT(turn_tile);

void transpose_blocks(const Tile& tile, std::byte* dst, const std::byte* src) {
  HWY_DYNAMIC_DISPATCH(turn_tile)(tile, dst, src);
}

}  // namespace weft
#endif

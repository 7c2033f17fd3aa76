// SPDX-License-Identifier: Apache-2.0
// The transpose kernel: columns of the output are staged in the first cache as whole lines of the
// source, turned in registers, and leave it as pairs of whole lines; or they go straight to an
// output that the caches keep. Rows and columns may each run over several loops.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "weft/engine/kernels/move/transpose.cpp"
#include <weft/engine/kernels/targets.h>

#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <type_traits>

#include <weft/engine/kernels/counting.h>
#include <weft/engine/kernels/move/first_cache.h>
#include <weft/engine/kernels/move/rows.h>
#include <weft/engine/kernels/move/stream-inl.h>
#include <weft/engine/kernels/move/strips-inl.h>
#include <weft/engine/kernels/move/turned_loops.h>

HWY_BEFORE_NAMESPACE();
namespace weft::HWY_NAMESPACE {
namespace {

// A panel of one line a row costs twice the time of two (W2): memory serves even and odd lines
// apart, and at strides of a power of two single lines keep to one kind.
constexpr std::int64_t panel_bytes = 2 * line_bytes;
// Where rows start inside lines, each is written from line to line in longer pieces.
constexpr std::int64_t ragged_panel_bytes = 8 * line_bytes;
// Rows up to this length that follow one another are put together before they are written.
constexpr std::int64_t packed_row_bytes = 512;
constexpr std::int64_t packed_bytes = 16 * 1024;
constexpr std::int64_t staged_bytes = 64 * 1024;
constexpr std::int64_t most_columns = 2 * ragged_panel_bytes;
constexpr std::int64_t most_rows = 1024;
constexpr std::int64_t most_strip_rows = 16;
constexpr std::int64_t unstaged_rows = 64;
// Of a column of a square, whatever units it has.
constexpr std::int64_t square_bytes = 16;
// Where the first cache has places for fewer, columns are staged, and rows written in whole lines
// (one thread; f32, 1024 x 1024: 393 us from where they lie, 146 staged; f64, 512 x 512: 193 and
// 67).
constexpr std::int64_t half_written_rows = 32;
constexpr std::int64_t few_columns = 112;
// Columns of fewer bytes than half a line fill little of what is staged: what is streamed from
// there takes twice as long as ordinary stores (u8, 16 of each 18 bytes, 1412750 times: 6.7 and 3.3
// ms).
constexpr std::int64_t unstaged_row_bytes = 32;

class Transpose {
 public:
  Transpose(const TurnedLoops& loops, std::byte* dst, const std::byte* src)
      : loops_(loops),
        dst_(dst),
        src_(src),
        unit_(loops.unit),
        rows_(steps_of(loops.rows)),
        columns_(steps_of(loops.columns)) {
    const std::int64_t row_bytes = columns_ * unit_;
    bool is_even = past_line(dst) % unit_ == 0 && line_bytes % unit_ == 0;
    for (const ByteLoop& side : loops.rows)
      is_even &= side.extent == 1 || side.dst % line_bytes == 0;
    if (loops.rows[0].dst == row_bytes && row_bytes <= packed_row_bytes &&
        !(is_even && row_bytes % panel_bytes == 0))
      way_ = Way::packed;
    else if (!loops.streams) way_ = Way::direct;
    else if (is_even && unit_ <= 16) way_ = Way::pairs;
    else way_ = Way::ragged;

    const std::int64_t panel = way_ == Way::packed  ? row_bytes
                               : way_ == Way::pairs ? panel_bytes
                                                    : ragged_panel_bytes;
    width_ = std::max<std::int64_t>(1, panel / unit_);
    if (way_ == Way::ragged || way_ == Way::direct) {  // panels of about the same width
      const std::int64_t panels = std::max<std::int64_t>(1, (row_bytes + panel / 2) / panel);
      width_ = std::max<std::int64_t>(1, (columns_ + panels - 1) / panels);
    }
    // The columns that rows need beyond the panel to end where lines do.
    beyond_ = way_ == Way::ragged ? (line_bytes + unit_ - 1) / unit_ : 0;
    first_width_ = width_;
    if (way_ == Way::pairs)  // later panels start where a pair of lines does
      first_width_ -=
          static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(dst) % panel_bytes) / unit_;
    choose_depth();
  }

  template <class Strip>
  void run(const Strip& strip) {
    if (columns_ >= Strip::width) {
      if (rows_ >= Strip::rows &&
          (loops_.streams ? rows_ * unit_ <= unstaged_row_bytes : has_places(Strip::width)))
        return run_unstaged(strip);
      if constexpr (Strip::has_pairs)
        if (rows_ < Strip::rows && !loops_.table) return run_thin(strip);
    }
    for (std::int64_t j = 0; j < columns_;) {
      const std::int64_t width = std::min(columns_ - j, j == 0 ? first_width_ : width_);
      const Panel panel{j, width, std::min(columns_ - j, width + beyond_)};
      write_columns(loops_, j, panel.staged, column_src_);
      run_panel(strip, panel);
      j += width;
    }
  }

 private:
  enum class Way {
    direct,  ///< strips go to the output
    pairs,   ///< pairs of whole lines are streamed
    ragged,  ///< rows are streamed from line to line
    packed,  ///< short rows are put together
  };
  struct Panel {
    std::int64_t first, width, staged;
  };
  struct Block {
    std::int64_t first, rows;
  };

  /// Whether the first cache keeps the lines that strips come back to: of the rows that they write
  /// parts of, and half of so many columns; twice as many where no cache keeps the next.
  bool has_places(std::int64_t width) const {
    return lines_kept(loops_.rows[0].dst) >= std::min(rows_, half_written_rows) &&
           lines_kept(loops_.columns[0].src) >= (loops_.is_vast ? 2 * width : width / 2);
  }

  template <class Strip>
  void run_unstaged(const Strip& strip) {
    const auto share = [](std::int64_t all, std::int64_t most) {
      const std::int64_t parts = (all + most - 1) / most;
      return (all + parts - 1) / parts;
    };
    const std::int64_t width = std::max(share(columns_, most_columns), Strip::width);
    // The first cache finds a line of each column again, if it has a place for all of them.
    const bool by_rows = width <= few_columns && width <= lines_kept(loops_.columns[0].src);
    for (std::int64_t j = 0; j < columns_; j += width) {
      const std::int64_t first = std::min(j, columns_ - width);
      write_columns(loops_, first, width, column_src_);
      for (std::int64_t i = 0; i < rows_; i += unstaged_rows) {
        const std::int64_t depth = std::max(std::min(rows_ - i, unstaged_rows), Strip::rows);
        const std::int64_t row = std::min(i, rows_ - depth);
        write_row_offsets(loops_, row, depth, row_dst_);
        strip.gather(src_ + row * unit_, column_src_, width, dst_ + first * unit_, row_dst_, depth,
                     by_rows);
        count((row + depth - i) * (first + width - j));
      }
    }
  }

  /// Fewer rows than a square has: it is loaded whole, beyond the rows, where that is within what
  /// columns are made of.
  template <class Strip>
  void run_thin(const Strip& strip) {
    write_row_offsets(loops_, 0, rows_, row_dst_);
    std::int64_t last = 0;  // the column that lies last in the source, of which none has a table
    for (const ByteLoop& side : loops_.columns)
      last += std::max<std::int64_t>(0, (side.extent - 1) * side.src);
    const std::int64_t end = last + rows_ * unit_;
    for (std::int64_t done = 0; done < columns_;) {
      const std::int64_t width = std::min(most_columns, std::max(columns_ - done, Strip::width));
      const std::int64_t first = std::min(done, columns_ - width);
      write_columns(loops_, first, width, column_src_);
      for (std::int64_t j = done - first; j < width; j += Strip::width) {
        const std::int64_t at = std::min(j, width - Strip::width);
        const std::int64_t* const columns = column_src_ + at;
        std::byte* const out = dst_ + (first + at) * unit_;
        std::int64_t highest = columns[0];
        for (std::int64_t k = 1; k < Strip::width; ++k) highest = std::max(highest, columns[k]);
        const bool are_whole = highest + square_bytes <= end;
        strip.thin(src_, are_whole ? columns : put_aside(columns, Strip::width, end), out, row_dst_,
                   rows_);
      }
      count((first + width - done) * rows_);
      done = first + width;
    }
  }

  /// Where columns are of which as many bytes may be read as a square has: those at the end aside.
  const std::int64_t* put_aside(const std::int64_t* columns, std::int64_t width, std::int64_t end) {
    for (std::int64_t k = 0; k < width; ++k) {
      aside_[k] = columns[k];
      if (columns[k] + square_bytes <= end) continue;
      std::byte* const to = staged(0) + k * square_bytes;
      copy_few(to, src_ + columns[k], rows_ * unit_);
      aside_[k] = bytes_between(src_, to);
    }
    return aside_;
  }

  void choose_depth() {
    // Bytes find more lines of a page while its address is at hand; wider units find the next
    // block while this one is written.
    is_ahead_ = unit_ > 1 && !loops_.in_turns;
    std::int64_t bytes = (is_ahead_ && unit_ <= 16 ? 2 : 4) * line_bytes;
    const std::int64_t all = (rows_ * unit_ + 15) / 16 * 16;
    // A few rows more are no block of their own; short rows leave room for many.
    if (all <= 2 * bytes) {
      bytes = all;
      is_ahead_ = false;
    } else if (way_ == Way::packed) {
      bytes =
          std::clamp<std::int64_t>(packed_bytes / columns_ / line_bytes * line_bytes, bytes, 1024);
    }
    const std::int64_t columns = width_ + beyond_ + line_bytes;  // read also past the last
    bytes = std::min(bytes, staged_bytes / (1 + is_ahead_) / columns / 16 * 16);
    if (bytes > line_bytes && bytes < all) bytes = bytes / line_bytes * line_bytes;
    std::int64_t most = most_rows;
    if (way_ == Way::packed) most = std::max<std::int64_t>(1, packed_bytes / (columns_ * unit_));
    depth_ = std::clamp<std::int64_t>(bytes / unit_, 1, most);
    // The last block is about as high as the others.
    const std::int64_t blocks = (rows_ + depth_ - 1) / depth_;
    const std::int64_t square = std::max<std::int64_t>(1, 16 / unit_);
    if (blocks < 8)
      depth_ = std::min(depth_, ((rows_ + blocks - 1) / blocks + square - 1) / square * square);
    pitch_ = (depth_ * unit_ + 15) / 16 * 16;
  }

  template <class Strip>
  void run_panel(const Strip& strip, const Panel& panel) {
    const auto block_at = [&](std::int64_t first) {
      return Block{first, std::clamp<std::int64_t>(rows_ - first, 0, depth_)};
    };
    const bool writes_pairs = way_ == Way::pairs && panel.width * unit_ == panel_bytes &&
                              past_line(dst_ + panel.first * unit_) == 0;
    Block block = block_at(0);
    int side = 0;
    stage(block, 0, panel.staged, side);
    while (block.rows > 0) {
      const Block next = block_at(block.first + block.rows);
      write_row_offsets(loops_, block.first, block.rows, row_dst_);
      const std::int64_t strips = (block.rows + Strip::rows - 1) / Strip::rows;
      const std::int64_t share = (panel.staged + strips - 1) / strips;
      for (std::int64_t s = 0; s < strips; ++s) {
        if (is_ahead_ && next.rows > 0)
          stage(next, std::min(panel.staged, s * share), std::min(panel.staged, (s + 1) * share),
                1 - side);
        const std::int64_t row = s * Strip::rows;
        const Staged columns{staged(side) + row * unit_, pitch_, panel.staged};
        const std::int64_t count = std::min(Strip::rows, block.rows - row);
        if constexpr (Strip::has_pairs) {
          if (writes_pairs && count == Strip::rows) {
            Strip::stream_pairs(columns, dst_ + panel.first * unit_, row_dst_ + row);
            continue;
          }
        }
        write_strip(strip, panel, columns, row, count);
      }
      if (way_ == Way::packed)
        write_rows(loops_, rows_together(loops_), block.first, block.rows, dst_, turned_);
      count(block.rows * panel.width);
      block = next;
      if (is_ahead_) side = 1 - side;
      else stage(block, 0, panel.staged, side);
    }
  }

  template <class Strip>
  void write_strip(const Strip& strip, const Panel& panel, const Staged& columns, std::int64_t row,
                   std::int64_t count) {
    const std::int64_t bytes = panel.width * unit_;
    std::int64_t offsets[most_strip_rows];
    if (way_ == Way::direct)
      return strip(columns, dst_ + panel.first * unit_, row_dst_ + row, count);
    if (way_ == Way::packed) {
      if constexpr (Strip::has_pairs)
        if (bytes <= Strip::vector_size) return Strip::pack(columns, turned_ + row * bytes, bytes);
      for (std::int64_t k = 0; k < count; ++k) offsets[k] = (row + k) * bytes;
      return strip(columns, turned_, offsets, count);
    }
    for (std::int64_t k = 0; k < count; ++k) offsets[k] = k * turned_pitch;
    strip(columns, turned_, offsets, count);
    for (std::int64_t k = 0; k < count; ++k) {
      std::byte* const to = dst_ + row_dst_[row + k] + panel.first * unit_;
      const std::byte* const from = turned_ + k * turned_pitch;
      if (way_ == Way::pairs) {
        stream_bytes(to, from, bytes);
        continue;
      }
      const std::int64_t begin = panel.first == 0 ? 0 : to_line(to);
      const std::int64_t end =
          panel.first + panel.width == columns_ ? bytes : bytes + to_line(to + bytes);
      // A row may end before a line of its own starts.
      const std::int64_t last = std::min(end, columns.columns * unit_);
      if (begin < last) stream_bytes(to + begin, from + begin, last - begin);
    }
  }

  static std::int64_t to_line(const std::byte* p) {
    return (line_bytes - past_line(p)) % line_bytes;
  }

  void count(std::int64_t units) const { count_moved(units * unit_, units * unit_); }

  std::byte* staged(int side) { return staged_ + side * (staged_bytes / 2); }

  void stage(const Block& block, std::int64_t from, std::int64_t to, int side) {
    const std::int64_t bytes = block.rows * unit_;
    std::byte* out = staged(side);
    if (bytes == line_bytes) return stage_vectors(block, from, to, out, lines<1>);
    if (bytes == 2 * line_bytes) return stage_vectors(block, from, to, out, lines<2>);
    if (bytes == 4 * line_bytes) return stage_vectors(block, from, to, out, lines<4>);
    if (bytes > line_bytes) return stage_vectors(block, from, to, out, bytes);
    for (std::int64_t j = from; j < to; ++j)
      copy_few(out + j * pitch_, src_ + column_src_[j] + block.first * unit_, bytes);
  }

  template <std::int64_t Count>
  static constexpr std::integral_constant<std::int64_t, Count * line_bytes> lines{};

  /// `bytes` of a column, which the compiler knows of a few lines: the last vector begins where
  /// they end less its length.
  template <class Bytes>
  void stage_vectors(const Block& block, std::int64_t from, std::int64_t to, std::byte* out,
                     Bytes bytes) {
    const hn::CappedTag<std::uint8_t, line_bytes> d;
    const auto step = static_cast<std::int64_t>(hn::Lanes(d));
    const std::byte* const src = src_ + block.first * unit_;
    const std::int64_t pitch = pitch_, last = bytes - step;
    for (std::int64_t j = from; j < to; ++j) {
      const auto* column = reinterpret_cast<const std::uint8_t*>(src + column_src_[j]);
      auto* row = reinterpret_cast<std::uint8_t*>(out + j * pitch);
      HWY_UNROLL(8)
      for (std::int64_t at = 0; at < last; at += step)
        hn::StoreU(hn::LoadU(d, column + at), d, row + at);
      hn::StoreU(hn::LoadU(d, column + last), d, row + last);
    }
  }

  static constexpr std::int64_t turned_pitch = 2 * ragged_panel_bytes;

  const TurnedLoops& loops_;
  std::byte* const dst_;
  const std::byte* const src_;
  const std::int64_t unit_, rows_, columns_;
  Way way_;
  std::int64_t width_, beyond_, first_width_, pitch_, depth_;
  bool is_ahead_;
  alignas(line_bytes) std::byte staged_[staged_bytes];
  alignas(line_bytes) std::byte turned_[packed_bytes + 2 * most_strip_rows * line_bytes];
  static_assert(sizeof(turned_) >= most_strip_rows * turned_pitch);
  std::int64_t column_src_[most_columns], aside_[line_bytes];
  std::int64_t row_dst_[most_rows];
};

}  // namespace

void move_transpose(const TurnedLoops& loops, std::byte* dst, const std::byte* src) {
  Transpose transpose(loops, dst, src);
  with_strip(loops.unit, [&](const auto& strip) { transpose.run(strip); });
}

}  // namespace weft::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace weft {

WEFT_BY_SET(move_transpose);

namespace {

// Rows that fill no square are moved one by one, at 0.3 ns a unit (u8 16 x 32: 3.3 GB/s in blocks,
// 3.1 one by one; 16 x 16: 2.2 and 2.6; 8 x 64: 2.1 and 3.3).
constexpr std::int64_t fewest_row_bytes = 16;
// Of short rows there have to be more than two, and a vector of columns; of short columns alike.
constexpr std::int64_t fewest_rows = 3, fewest_column_bytes = 64;
// So are fewer columns than this, where the first cache does not keep them all or units are of 8
// bytes (ns a unit in blocks and one by one, 20000 rows: u8 5 columns 0.55 and 0.33, 7 0.41 and
// 0.32, 9 0.32 and 0.60; f64 5 1.19 and 0.38, 9 0.47 and 0.59; 1089 rows: u8 7 0.42 and 0.92).
constexpr std::int64_t fewest_columns = 8, thin_bytes = 16 * 1024, wide_unit = 8;
// Shorter rows of wide units, by a table, are for few_columns.
constexpr std::int64_t fewest_wide_bytes = 256;
// Rows in one part: no more than a page of each source row, and no more pages of the output than
// the processor keeps addresses of (W2.f64: 0.6 copies, 1.2 with whole rows).
constexpr std::int64_t most_row_bytes = 4096;
constexpr std::int64_t most_cut_rows = 1024;

// Tasks have rows of their own where those are short, end inside lines and stay in the caches: a
// line that two cores write parts of goes from one to the other (two threads, f32 [110, 1600]
// 27 us, 15; [792, 341] 47, 23; f64 [38, 4, 224] to (1, 2, 0) 14.7, 5.3). Of fewer bytes of the
// source there would be too few parts.
constexpr std::int64_t line = 64, kept_bytes = 8 * 1024 * 1024, short_row_bytes = 4096;
constexpr std::int64_t fewest_divided_bytes = 1024;

bool would_share_lines(const Nest& nest, const RowsAndColumns& turned) {
  const std::int64_t row_bytes = turned.columns() * nest.unit;
  if (nest.bytes() >= kept_bytes || row_bytes >= short_row_bytes || row_bytes % line == 0)
    return false;
  // Rows that are rolled stay whole; others may go on with them.
  if (turned.mask_of_rolled()) return turned.mask_of_rolled() != turned.mask_of_rows();
  const NestLoop& outermost = nest.loops[0];
  return std::abs(outermost.src[0]) == nest.unit &&
         outermost.extent * nest.unit >= fewest_divided_bytes;
}

bool is_thin(const Nest& nest, const RowsAndColumns& turned) {
  return turned.columns() < fewest_columns &&
         (turned.columns() < fewest_columns / 2 || nest.unit >= wide_unit ||
          turned.steps() * nest.unit > thin_bytes);
}

bool is_narrow(const Nest& nest, const RowsAndColumns& turned) {
  const bool has_short_rows = turned.rows() * nest.unit < fewest_row_bytes &&
                              (turned.rows() < fewest_rows || !nest.has_vector_unit() ||
                               turned.columns() * nest.unit < fewest_column_bytes);
  return has_short_rows || is_thin(nest, turned);
}

Cost match(const Nest& nest, const Writing&) {
  if (nest.bytes() < fewest_in_squares * nest.unit ||
      nest.loops.size() > RowsAndColumns::most_loops || !may_be_columns(nest) ||
      rows_of(nest) == no_loop)
    return no_match;
  const RowsAndColumns turned(nest);
  if (turned.steps() < fewest_in_squares || is_narrow(nest, turned)) return no_match;
  if (nest.innermost().src_table &&
      ((nest.unit >= wide_unit && turned.columns() * nest.unit <= fewest_wide_bytes) ||
       turned.rows() * nest.unit < line))
    return no_match;
  return has_turned_word(nest) || nest.unit >= 16 ? 50 : no_match;
}

bool bind(Nest& nest, const Writing& writing, BoundArguments& arguments) {
  const RowsAndColumns turned(nest);
  turned.turn_rows_forwards(nest);
  arguments.keep(turned.loops(writing));
  turned.take_off(nest);
  return true;
}

void run(const BoundArguments& arguments, std::byte* dst, const std::byte* const* src) noexcept {
  on_this_machine(move_transpose_by_set)(arguments.as<TurnedLoops>(), dst, src[0]);
}

Traffic traffic(const BoundArguments& arguments) { return traffic_of(arguments.as<TurnedLoops>()); }

/// Whole rows of the source are read in order where rows are cut first, and then columns.
Cutting cutting(const Nest& nest) {
  const RowsAndColumns turned(nest);
  Cutting cutting;
  cutting.never = turned.mask_of_rolled();
  if (would_share_lines(nest, turned)) return cutting;
  cutting.late = turned.mask_of_rows();
  const std::int64_t most = std::clamp<std::int64_t>(most_row_bytes / nest.unit, 1, most_cut_rows);
  if (turned.rows() <= most) return cutting;
  for (std::size_t k = 0; k < nest.loops.size(); ++k)
    if (cutting.late & ~cutting.never & RowsAndColumns::bit(k) &&
        (cutting.first == Cutting::none ||
         std::abs(nest.loops[k].src[0]) > std::abs(nest.loops[cutting.first].src[0])))
      cutting.first = k;
  if (cutting.first == Cutting::none) return cutting;
  const std::int64_t extent = nest.loops[cutting.first].extent;
  cutting.steps = std::max<std::int64_t>(1, most / (turned.rows() / extent));
  return cutting;
}

bool streams(const BoundArguments& arguments) { return arguments.as<TurnedLoops>().streams; }

}  // namespace

extern const KernelDefinition transpose_kernel;
const KernelDefinition transpose_kernel{
    "transpose", turned | listed | turned_by_table, match, bind, run, traffic, cutting, streams};

}  // namespace weft
#endif

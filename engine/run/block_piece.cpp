// SPDX-License-Identifier: Apache-2.0
// What moves the blocks of a piece: operands aside, and results into place.
#include <weft/engine/run/block_piece.h>

#include <algorithm>
#include <vector>

#include <weft/engine/memory/buffer.h>
#include <weft/engine/memory/caches.h>
#include <weft/engine/run/cut_piece.h>
#include <weft/engine/run/workers.h>

namespace weft {
namespace {

class BlockMoves : private CutPiece {
 public:
  BlockMoves(CutPiece cut, BlockSteps& steps) : CutPiece(std::move(cut)), steps_(steps) {}

  /// What puts operands aside, and the result into place, for blocks of each kind.
  BlockPiece run() {
    std::int64_t aside = 0;
    for (std::size_t k = 0; k < operands(); ++k)
      if (is_gathered(k)) gather(k, aside);
    if (is_result_aside) place_result(aside);
    steps_.aside_bytes = std::max(steps_.aside_bytes, aside);
    return std::move(piece);
  }

 private:
  /// From row to row of what is put aside, in elements. Rows that are a power of two apart share
  /// few places in a cache.
  std::int64_t aside_pitch(std::int64_t own, std::int64_t columns) const {
    if (turned_bytes() == 0 || cache_line % own != 0 || columns * own % cache_line != 0)
      return columns;
    return columns + (columns * own / cache_line % 2 == 0 ? cache_line / own : 0);
  }

  static std::int64_t whole_lines(std::int64_t bytes) {
    return (bytes + cache_line - 1) / cache_line * cache_line;
  }

  static std::int64_t staged_pitch(std::int64_t rows, std::int64_t bytes) {
    return whole_lines(rows * bytes) / bytes + cache_line / bytes;
  }

  /// Room for a block of any kind, of elements of so many bytes.
  std::int64_t room(std::int64_t element) const {
    std::int64_t most = 0;  // narrower blocks may be further apart from row to row
    piece.for_each_kind([&](std::size_t, std::int64_t rows, std::int64_t columns, std::int64_t) {
      most = std::max(most, rows * aside_pitch(element, columns) * element);
    });
    return whole_lines(most);
  }
  void find_pitches(std::int64_t element, BlockLoop::OfKinds& pitches) const {
    piece.columns.for_each_kind([&](std::size_t kind, std::int64_t columns, std::int64_t) {
      pitches[kind] = aside_pitch(element, columns * piece.width) * element;
    });
  }

  /// Elements of a row that are repeated as they are, all of the row or, where `times` is told, so
  /// often before the next ones are: they are put side by side first.
  struct Repetition {
    std::int64_t period = 0, times = 0;

    explicit operator bool() const { return period > 0; }
    std::int64_t times_of(std::int64_t columns) const {
      return times > 0 ? times : columns / period;
    }
    std::int64_t distinct(std::int64_t columns) const { return columns / times_of(columns); }
  };
  Repetition repetition_of(std::size_t k) const {
    if (is_staged(k) || whole.empty() || piece.height > 1 || !is_gathered(k)) return {};
    Repetition found{piece.width, step(column, k) == 0 ? 0 : 1};
    bool has_begun = found.times == 0, is_run = true;
    std::int64_t stride = piece.width;
    for (const std::size_t loop : whole) {
      stride /= extent(loop);
      const bool stays = step(loop, k) == 0;
      if (stays && stride * extent(loop) == found.period) {
        found.period = stride;
        found.times *= extent(loop);
        has_begun = true;
      } else if (!has_begun) {
        found.period = stride;
      } else {
        is_run = is_run && step(loop, k) == stride;
      }
    }
    if (found.times == 0) return found;
    return found.times > 1 && found.period > 1 && !is_run ? found : Repetition();
  }

  void gather(std::size_t k, std::int64_t& aside) {
    BlockOperand& operand = piece.operands[k];
    operand.aside = aside;
    aside += room(operand.bytes);
    const Repetition repetition = repetition_of(k);
    if (is_staged(k)) {
      operand.staged = aside;
      aside += whole_lines(piece.columns.most * piece.width *
                           staged_pitch(piece.rows.most, operand.bytes) * operand.bytes);
    } else if (repetition) {
      operand.staged = aside;
      aside += whole_lines(piece.rows.most * repetition.distinct(piece.columns.most * piece.width) *
                           operand.bytes);
    }
    const std::int64_t read = layout.distinct(values[k]) * operand.bytes;
    const bool is_large = read >= large_bytes;  // else nobody looks for the machine's caches
    const Writing writing{
        .is_large = is_large, .is_vast = is_large && read >= vast_bytes(), .owns_gaps = true};
    const auto add = [&](std::int64_t rows, std::int64_t columns) {
      Copy block = block_of(k, rows, columns);
      if (repetition) add_move(repeat(k, repetition, rows, columns, block), operand.bytes, writing);
      else if (operand.staged >= 0)
        add_move(stage(k, rows, columns, block), operand.bytes, writing);
      return add_move(block, operand.bytes, writing);
    };
    if (operand.is_repeated) {
      const std::int64_t columns = piece.columns.most * piece.width;
      operand.gather.fill(add(piece.rows.most * piece.height, columns));
      operand.aside_pitch.fill(aside_pitch(operand.bytes, columns) * operand.bytes);
      return;
    }
    find_pitches(operand.bytes, operand.aside_pitch);
    piece.for_each_kind([&](std::size_t kind, std::int64_t rows, std::int64_t columns,
                            std::int64_t) { operand.gather[kind] = add(rows, columns); });
  }
  std::uint32_t add_move(const Copy& copy, std::int64_t element, const Writing& writing) {
    steps_.moves.push_back(lower(copy, element, writing));
    return static_cast<std::uint32_t>(steps_.moves.size() - 1);
  }

  /// What puts the runs of a block side by side; the block becomes one of those.
  Copy stage(std::size_t k, std::int64_t rows, std::int64_t columns, Copy& block) const {
    const std::int64_t pitch = staged_pitch(rows, bytes(k));
    Copy runs{block.source, 0, 0, 0, {}};
    if (columns > 1) runs.loops.push_back({columns, pitch, step(column, k)});
    if (rows > 1) runs.loops.push_back({rows, 1, step(row, k)});
    block.loops.clear();
    if (rows > 1) block.loops.push_back({rows, aside_pitch(bytes(k), columns), 1});
    if (columns > 1) block.loops.push_back({columns, 1, pitch});
    return runs;
  }

  /// What puts the periods of rows together; the block becomes their repetition.
  Copy repeat(std::size_t k, const Repetition& each, std::int64_t rows, std::int64_t columns,
              Copy& block) const {
    const std::int64_t row_step = row == none ? 0 : step(row, k), period = each.period;
    const std::int64_t times = each.times_of(columns), distinct = each.distinct(columns);
    Copy periods{block.source, 0, 0, 0, {}};
    if (row_step != 0) periods.add_within({rows, distinct, row_step});
    for_each_column_loop([&](std::size_t loop, std::int64_t stride) {
      const std::int64_t steps = loop == column ? columns / piece.width : extent(loop);
      if (stride < period) periods.add_within({steps, stride, step(loop, k)});
      else if (stride >= times * period) periods.add_within({steps, stride / times, step(loop, k)});
    });
    block.loops.clear();
    block.add_within({rows, aside_pitch(bytes(k), columns), row_step == 0 ? 0 : distinct});
    block.add_within({distinct / period, times * period, period});
    block.add_within({times, period, 0});
    block.add_within({period, 1, 1});
    return periods;
  }

  /// Operand k of a block, row after row.
  Copy block_of(std::size_t k, std::int64_t rows, std::int64_t columns) const {
    Copy copy{piece.operands[k].source, 0, 0, 0, {}};
    const std::int64_t pitch = aside_pitch(bytes(k), columns);
    for_each_row_loop([&](std::size_t loop, std::int64_t apart) {
      copy.add_within(
          {loop == row ? rows / piece.height : extent(loop), apart * pitch, step(loop, k)});
    });
    for_each_column_loop([&](std::size_t loop, std::int64_t stride) {
      const std::int64_t steps = loop == column ? columns / piece.width : extent(loop);
      copy.add_within({steps, stride, step(loop, k)});
    });
    return copy;
  }

  void place_result(std::int64_t& aside) {
    piece.result.aside = aside;
    aside += room(piece.element);
    find_pitches(piece.element, piece.result.pitch);
    // Whole lines that no cache has are written past them.
    const bool are_lines = is_turned() && turned == of_result && !is_packed &&
                           piece.rows.out == piece.element && piece.columns.out % cache_line == 0;
    const Writing writing{.streams_turned = are_lines && pass_bytes >= streamed_bytes};
    piece.for_each_kind(
        [&](std::size_t kind, std::int64_t rows, std::int64_t columns, std::int64_t) {
          piece.result.move[kind] = add_move(result_of(rows, columns), piece.element, writing);
        });
  }
  /// The result of a block, from row after row to where it is to be.
  Copy result_of(std::int64_t rows, std::int64_t columns) const {
    Copy copy{0, 0, 0, 0, {}};
    std::vector<Loop> all;
    const auto add = [&](std::size_t loop, std::int64_t steps, std::int64_t stride) {
      std::int64_t out = layout.out(loop);
      if (out < 0) {
        copy.out_offset += (steps - 1) * out;
        copy.src_offset += (steps - 1) * stride;
        out = -out, stride = -stride;
      }
      all.push_back({steps, out, stride});
    };
    const std::int64_t pitch = aside_pitch(piece.element, columns);
    for_each_row_loop([&](std::size_t loop, std::int64_t apart) {
      add(loop, loop == row ? rows / piece.height : extent(loop), apart * pitch);
    });
    for_each_column_loop([&](std::size_t loop, std::int64_t stride) {
      add(loop, loop == column ? columns / piece.width : extent(loop), stride);
    });
    std::sort(all.begin(), all.end(),
              [](const Loop& a, const Loop& b) { return a.out_stride > b.out_stride; });
    for (const Loop& loop : all) copy.add_within(loop);
    return copy;
  }

  BlockSteps& steps_;
};

}  // namespace

BlockPiece make_block_piece(const Pass& pass, const ComputedPiece& planned, int shrink,
                            BlockSteps& steps) {
  return BlockMoves(cut_piece(pass, planned, shrink, steps), steps).run();
}

}  // namespace weft

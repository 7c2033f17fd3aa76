// SPDX-License-Identifier: Apache-2.0
// Cutting what is computed into blocks.
#include <weft/engine/run/blocks.h>

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>

#include <weft/engine/memory/buffer.h>
#include <weft/engine/run/bind_program.h>
#include <weft/engine/run/over_operand.h>
#include <weft/engine/run/workers.h>
#include <weft/graph/value/error.h>

namespace weft {
namespace {

// Columns are at least so many elements where loops that follow one another are as many.
constexpr std::int64_t few_columns = 64;
// Of a block whose operands are put aside: what caches keep beside one another.
constexpr std::int64_t gathered_bytes = 64 * 1024, most_gathered = 16 * 1024;
// The same where an operand is turned, which is read in runs of so many bytes: where those are put
// side by side first they lie aside twice, and rows may be longer for it.
constexpr std::int64_t turned_bytes = 512 * 1024, turned_run = 256;
constexpr std::int64_t staged_bytes = 256 * 1024, short_run = 128;
// Elements up to this size may be put side by side before they are turned: wider ones fill lines
// soon.
constexpr std::int64_t most_staged_bytes = 4;
// Of outputs below this the operand stays in a cache.
constexpr std::int64_t staged_from = 4 * 1024 * 1024;
// Rows below this many elements are computed several at a time, where that is possible.
constexpr std::int64_t short_row = 512;
// The same where more has to be put aside for it, or to lie without gaps: what is less than most
// groups.
constexpr std::int64_t part_of_group = 128;
// Of a block whose operands all lie in place.
constexpr std::int64_t in_place_bytes = 128 * 1024;

constexpr std::size_t none = static_cast<std::size_t>(-1);

class PieceMaker {
 public:
  /// Blocks are 2^shrink times smaller than suits the caches.
  PieceMaker(const Pass& pass, const ComputedPiece& planned, int shrink, BlockSteps& steps)
      : pass_(pass),
        program_(pass.programs[planned.program]),
        box_(planned.box),
        shrink_(shrink),
        steps_(steps) {
    piece_.element = pass.element();
    piece_.out = box_.offset * piece_.element;
    const auto add = [&](std::size_t value) {
      BlockOperand& operand = piece_.operands.emplace_back();
      operand.bytes = program_.types[value].size();
      if (value < program_.reads) {
        operand.source = planned.sources[value];
        operand.first = box_.first[value] * operand.bytes;
      } else {
        operand.source = program_.constants[value - program_.reads];
      }
      values_.push_back(value);
    };
    piece_.operands.reserve(program_.types.size() - program_.steps.size());
    if (!steps.is_single())
      for (std::size_t value = 0; value < program_.reads; ++value) add(value);
    else
      for (const std::uint32_t value : program_.steps[0].operands) add(value);
  }

  BlockPiece run() {
    take_columns();
    find_operands();
    take_rows();
    join_rows();
    cut();
    for (std::size_t loop = 0; loop < first_column_; ++loop)
      if (loop != row_) {
        piece_.around.push_back(bytes_of(box_.loops[loop]));
        for (std::size_t k = 0; k < operands(); ++k)
          piece_.steps.push_back(step(loop, k) * bytes(k));
        piece_.blocks *= box_.loops[loop].extent;
      }
    piece_.blocks *= piece_.rows.blocks() * piece_.columns.blocks();
    gather();
    return std::move(piece_);
  }

 private:
  std::size_t operands() const { return piece_.operands.size(); }
  std::int64_t bytes(std::size_t k) const { return piece_.operands[k].bytes; }
  /// Of operand k along a loop, in elements.
  std::int64_t step(std::size_t loop, std::size_t k) const {
    return values_[k] < program_.reads ? box_.loops[loop].steps[values_[k]].step : 0;
  }

  BlockLoop bytes_of(const JointLoop& loop) const {
    return {loop.extent, loop.stride * piece_.element};
  }

  /// The innermost loop, and those around it that it lies closely within, while it is short.
  void take_columns() {
    first_column_ = box_.loops.size();
    std::int64_t run = 1;
    while (first_column_ > 0 && run < few_columns && box_.loops[first_column_ - 1].stride == run) {
      piece_.width = run;
      run *= box_.loops[--first_column_].extent;
    }
    if (first_column_ == box_.loops.size()) return;
    piece_.columns = bytes_of(box_.loops[first_column_]);
    for (std::size_t k = 0; k < operands(); ++k)
      piece_.operands[k].column = step(first_column_, k) * bytes(k);
  }

  void find_operands() {
    for (std::size_t k = 0; k < operands(); ++k) {
      bool is_still = true, is_in_place = true;
      for (std::size_t loop = first_column_; loop < box_.loops.size(); ++loop) {
        is_still = is_still && step(loop, k) == 0;
        is_in_place = is_in_place && step(loop, k) == box_.loops[loop].stride;
      }
      piece_.operands[k].finding = is_in_place ? Finding::in_place
                                   : is_still  ? Finding::still
                                               : Finding::gathered;
    }
  }

  bool is_gathered(std::size_t k) const { return piece_.operands[k].finding == Finding::gathered; }
  bool gathers() const {
    return std::any_of(piece_.operands.begin(), piece_.operands.end(),
                       [](const BlockOperand& each) { return each.finding == Finding::gathered; });
  }

  /// The loop along which an operand lies that is put aside, or the next one outwards.
  void take_rows() {
    for (std::size_t k = 0; k < operands() && row_ == none; ++k)
      for (std::size_t loop = 0; loop < first_column_; ++loop)
        if (is_gathered(k) && std::abs(step(loop, k)) == 1) row_ = loop, turned_ = k;
    is_turned_ = row_ != none;
    if (row_ == none && first_column_ > 0) row_ = first_column_ - 1;
    if (row_ == none) return;
    piece_.rows = bytes_of(box_.loops[row_]);
    for (std::size_t k = 0; k < operands(); ++k) piece_.operands[k].row = step(row_, k) * bytes(k);
  }

  /// Short rows are computed as one: operands that do not lie so are put aside, and so is the
  /// result where its rows do not follow one another.
  void join_rows() {
    const std::int64_t columns = piece_.columns.extent * piece_.width;
    if (steps_.is_single() || row_ == none) return;
    const bool is_apart = box_.loops[row_].stride != columns;
    if (columns >= (is_turned_ || is_apart ? part_of_group : short_row)) return;
    is_joined_ = true;
    is_scattered_ = is_apart;
    for (std::size_t k = 0; k < operands(); ++k)
      if (piece_.operands[k].finding == Finding::still ? step(row_, k) != 0
                                                       : step(row_, k) != columns)
        piece_.operands[k].finding = Finding::gathered;
  }

  /// `steps` at most, in equal parts that are multiples of `quantum`.
  static void part(BlockLoop& loop, std::int64_t steps, std::int64_t quantum) {
    steps = std::clamp<std::int64_t>(steps, 1, loop.extent);
    const std::int64_t parts = (loop.extent + steps - 1) / steps;
    const std::int64_t equal = (loop.extent + parts - 1) / parts;
    loop.most = std::min(loop.extent, (equal + quantum - 1) / quantum * quantum);
  }

  std::int64_t most_elements() const {
    std::int64_t widest = piece_.element;
    for (std::size_t k = 0; k < operands(); ++k) widest = std::max(widest, bytes(k));
    const auto fitting = [&](std::int64_t bytes) {
      return std::max<std::int64_t>(1, (bytes >> shrink_) / widest);
    };
    if (is_turned_ && !is_scattered_) {
      const std::int64_t bytes = widest > most_staged_bytes ? turned_bytes : staged_bytes;
      return fitting(std::min(bytes, share_of(pass_.bytes())));
    }
    return gathers() || is_scattered_ ? std::min(most_gathered, fitting(gathered_bytes))
                                      : fitting(in_place_bytes);
  }

  void cut() {
    const std::int64_t most = most_elements();
    std::int64_t columns = std::min(most, piece_.columns.extent * piece_.width);
    if (is_turned_) {
      const std::int64_t element = bytes(turned_);
      const std::int64_t run_bytes = is_staged(turned_) && element <= 2 ? short_run : turned_run;
      const std::int64_t run = std::max<std::int64_t>(1, run_bytes / element);
      columns =
          std::min(columns, std::max<std::int64_t>(1, most / std::min(run, piece_.rows.extent)));
    }
    part(piece_.columns, columns / piece_.width,
         piece_.width == 1 && most >= few_columns ? few_columns : 1);
    const std::int64_t line = is_turned_ ? cache_line / bytes(turned_) : 1;
    const std::int64_t rows = most / (piece_.columns.most * piece_.width);
    part(piece_.rows, rows, line > 0 && rows >= line ? line : 1);
    begin_at_lines();
    find_far();
  }

  /// Blocks behind the first begin where a line of the output does, and their rows where one of the
  /// turned operand does: lines that two blocks share would be moved twice.
  void begin_at_lines() {
    const std::int64_t element = piece_.element;
    if (piece_.width == 1 && piece_.rows.out % cache_line == 0)
      lead(piece_.columns, piece_.out, element);
    if (!is_turned_) return;
    const BlockOperand& turned = piece_.operands[turned_];
    // Backwards a line ends where the element before begins.
    if (turned.column % cache_line == 0 && std::abs(turned.row) == turned.bytes)
      lead(piece_.rows, turned.row > 0 ? turned.first : -(turned.first + turned.bytes),
           turned.bytes);
  }

  static void lead(BlockLoop& loop, std::int64_t first, std::int64_t step) {
    if (loop.blocks() == 1 || cache_line % step != 0 || first % step != 0) return;
    const std::int64_t past = ((first + loop.most * step) % cache_line + cache_line) % cache_line;
    if (past > 0 && loop.most * step > past) loop.lead = loop.most - past / step;
  }

  void find_far() {
    for (BlockOperand& operand : piece_.operands)
      operand.is_far = pass_.bytes() >= parallel_bytes && is_turned_ &&
                       operand.finding == Finding::in_place && piece_.rows.most > 1;
  }

  /// From row to row of what is put aside, in elements. Rows that are a power of two apart share
  /// few places in a cache.
  std::int64_t aside_pitch(std::size_t k, std::int64_t columns) const {
    const std::int64_t own = bytes(k);
    if (!is_turned_ || is_joined_ || cache_line % own != 0 || columns * own % cache_line != 0)
      return columns;
    return columns + (columns * own / cache_line % 2 == 0 ? cache_line / own : 0);
  }

  static std::int64_t whole_lines(std::int64_t bytes) {
    return (bytes + cache_line - 1) / cache_line * cache_line;
  }

  /// Runs are put side by side first where memory is slow to give a line of each.
  bool is_staged(std::size_t k) const {
    if (!is_turned_ || piece_.width != 1 || !is_gathered(k)) return false;
    return std::abs(step(row_, k)) == 1 && bytes(k) <= most_staged_bytes &&
           piece_.rows.extent * bytes(k) >= cache_line && piece_.operands[k].column != 0 &&
           pass_.bytes() >= staged_from;
  }
  static std::int64_t staged_pitch(std::int64_t rows, std::int64_t bytes) {
    return whole_lines(rows * bytes) / bytes + cache_line / bytes;
  }

  /// What puts operands aside, for blocks of each kind.
  void gather() {
    std::int64_t aside = 0;
    for (std::size_t k = 0; k < operands(); ++k)
      if (is_gathered(k)) gather(k, aside);
    if (is_scattered_) {
      piece_.result_aside = aside;
      aside += whole_lines(piece_.rows.most * piece_.columns.most * piece_.width * piece_.element);
    }
    steps_.aside_bytes = std::max(steps_.aside_bytes, aside);
  }

  void gather(std::size_t k, std::int64_t& aside) {
    BlockOperand& operand = piece_.operands[k];
    operand.aside = aside;
    std::int64_t most = 0;  // narrower blocks may be further apart from row to row
    piece_.for_each_kind([&](std::size_t, std::int64_t rows, std::int64_t columns, std::int64_t) {
      most = std::max(most, rows * aside_pitch(k, columns) * operand.bytes);
    });
    aside += whole_lines(most);
    if (is_staged(k)) {
      operand.staged = aside;
      aside += whole_lines(piece_.columns.most * piece_.width *
                           staged_pitch(piece_.rows.most, operand.bytes) * operand.bytes);
    }
    piece_.for_each_kind(
        [&](std::size_t kind, std::int64_t rows, std::int64_t columns, std::int64_t) {
          Copy block = block_of(k, rows, columns);
          if (operand.staged >= 0) add_gather(stage(k, rows, columns, block), operand.bytes);
          operand.gather[kind] = static_cast<std::uint32_t>(steps_.gathers.size());
          add_gather(block, operand.bytes);
        });
    piece_.columns.for_each_kind([&](std::size_t kind, std::int64_t columns, std::int64_t) {
      operand.aside_pitch[kind] = aside_pitch(k, columns * piece_.width) * operand.bytes;
    });
  }
  void add_gather(const Copy& copy, std::int64_t element) {
    steps_.gathers.push_back(lower(copy, element, {.owns_gaps = true}));
  }

  /// What puts the runs of a block side by side; the block becomes one of those.
  Copy stage(std::size_t k, std::int64_t rows, std::int64_t columns, Copy& block) const {
    const std::int64_t pitch = staged_pitch(rows, bytes(k));
    Copy runs{block.source, 0, 0, 0, {}};
    if (columns > 1) runs.loops.push_back({columns, pitch, step(first_column_, k)});
    if (rows > 1) runs.loops.push_back({rows, 1, step(row_, k)});
    block.loops.clear();
    if (rows > 1) block.loops.push_back({rows, aside_pitch(k, columns), 1});
    if (columns > 1) block.loops.push_back({columns, 1, pitch});
    return runs;
  }

  /// Operand k of a block, row after row.
  Copy block_of(std::size_t k, std::int64_t rows, std::int64_t columns) const {
    Copy copy{piece_.operands[k].source, 0, 0, 0, {}};
    const auto add = [&](std::int64_t extent, std::int64_t out, std::int64_t src) {
      if (extent == 1) return;
      if (!copy.loops.empty()) {
        Loop& outer = copy.loops.back();
        if (outer.out_stride == extent * out && outer.src_stride == extent * src) {
          outer = {outer.extent * extent, out, src};
          return;
        }
      }
      copy.loops.push_back({extent, out, src});
    };
    if (row_ != none) add(rows, aside_pitch(k, columns), step(row_, k));
    for (std::size_t loop = first_column_; loop < box_.loops.size(); ++loop)
      add(loop == first_column_ ? columns / piece_.width : box_.loops[loop].extent,
          box_.loops[loop].stride, step(loop, k));
    return copy;
  }

  const Pass& pass_;
  const PassProgram& program_;
  const JointBox& box_;
  const int shrink_;
  BlockSteps& steps_;
  BlockPiece piece_{};
  SmallVector<std::size_t, 8> values_;  // of the operands
  std::size_t first_column_ = 0, row_ = none, turned_ = 0;
  bool is_turned_ = false;     // an operand lies along the rows
  bool is_joined_ = false;     // rows follow one another where they are computed
  bool is_scattered_ = false;  // and do not where they are to be
};

/// Ranges of blocks of about equal work; one where the pass is small.
void divide(const Pass& pass, BlockSteps& steps) {
  const std::int64_t share = pass.bytes() < parallel_bytes ? pass.bytes() : share_of(pass.bytes());
  std::int64_t begun = 0, all = 0;
  for (std::size_t p = 0; p < steps.pieces.size(); ++p) {
    const std::int64_t blocks = steps.pieces[p].blocks;
    const std::int64_t bytes = std::max<std::int64_t>(
        1, pass.pieces[steps.first_piece + p].count() * pass.element() / blocks);
    for (std::int64_t done = 0; done < blocks;) {
      const std::int64_t some =
          std::min(blocks - done, std::max<std::int64_t>(1, (share - begun) / bytes));
      done += some;
      begun += some * bytes;
      if (begun + bytes / 2 < share) continue;
      steps.ends.push_back(all + done);
      begun = 0;
    }
    all += blocks;
  }
  if (steps.ends.empty() || (pass.bytes() >= parallel_bytes && steps.ends.back() < all))
    steps.ends.push_back(all);
  steps.ends.back() = all;
}

/// What carries a program out.
void choose(const PassProgram& program, BlockSteps& steps) {
  const Instruction& last = *program.steps.back().instruction;
  if (program.steps.size() == 1 && !last.kernel.empty() && !steps.is_over_operand) {
    steps.kernel = &compute_kernel(last.kernel);
  } else if (!is_of_links(program)) {
    steps.single = &last;
    for (const std::uint32_t value : program.steps[0].operands)
      steps.single_types.push_back(program.types[value]);
    steps.made_type = program.types.back();
  } else {
    steps.program = bind_program(program);
    steps.constants = program.constants;
  }
}

BlockSteps steps_of(const Pass& pass, const BlockLimits& limits, std::size_t program, int shrink) {
  const std::int64_t most_bytes = limits.most_bytes;
  BlockSteps steps;
  steps.is_over_operand = limits.is_over_operand;
  choose(pass.programs[program], steps);
  steps.streams = pass.bytes() >= streamed_bytes;
  const auto check = [&](std::int64_t bytes) {
    if (bytes <= most_bytes) return;
    throw MemoryError(
        fmt::format("eval: {} {}: the steps that compute it take more than the {} bytes that are "
                    "allowed",
                    pass.what, to_string(pass.type.shape), most_bytes));
  };
  const auto is_of = [&](const ComputedPiece& piece) { return piece.program == program; };
  const auto first = std::find_if(pass.pieces.begin(), pass.pieces.end(), is_of);
  const auto end = std::find_if_not(first, pass.pieces.end(), is_of);
  steps.first_piece = static_cast<std::size_t>(first - pass.pieces.begin());
  check((end - first) * std::int64_t{sizeof(BlockPiece)});
  steps.pieces.reserve(static_cast<std::size_t>(end - first));
  for (auto piece = first; piece != end; ++piece) {
    steps.pieces.push_back(PieceMaker(pass, *piece, shrink, steps).run());
    check(steps.bytes());
  }
  if (!steps.is_single()) steps.aside_bytes += steps.program.scratch_bytes();
  divide(pass, steps);
  return steps;
}

}  // namespace

std::string_view name_of(const BlockSteps& steps) {
  if (steps.kernel) return steps.kernel->name;
  return steps.single ? single_name : program_name;
}

Traffic traffic_of(const BlockPiece& piece, std::int64_t rows, std::int64_t columns) {
  Traffic traffic{0, rows * columns * piece.element};
  for (const BlockOperand& operand : piece.operands)
    traffic.read += rows * (operand.finding == Finding::still ? 1 : columns) * operand.bytes;
  return traffic;
}

BlockSteps make_block_steps(const Pass& pass, const BlockLimits& limits, std::size_t program) {
  BlockSteps steps = steps_of(pass, limits, program, 0);
  // Blocks of one element are as small as they can be.
  for (int shrink = 1; limits.is_tight && steps.scratch_bytes() > 0 && turned_bytes >> shrink > 0;
       ++shrink)
    steps = steps_of(pass, limits, program, shrink);
  return steps;
}

}  // namespace weft

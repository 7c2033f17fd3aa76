// SPDX-License-Identifier: Apache-2.0
// Cutting a piece into blocks: of rows and columns, or, where those are short, of several loops
// whose elements are put side by side.
#include <weft/engine/run/block_piece.h>

#include <algorithm>
#include <cstdlib>

#include <weft/engine/memory/buffer.h>
#include <weft/engine/run/piece_layout.h>
#include <weft/engine/run/workers.h>

namespace weft {
namespace {

// Columns are at least so many elements where loops that follow one another are as many.
constexpr std::int64_t few_columns = 64;
// Of a block whose operands are put aside: what caches keep beside one another.
constexpr std::int64_t gathered_bytes = 64 * 1024, most_gathered = 32 * 1024;
// An operand that is turned is read in runs of so many bytes: where those are put side by side
// first they lie aside twice, and rows may be longer for it.
constexpr std::int64_t turned_run = 256;
constexpr std::int64_t staged_bytes = 256 * 1024, short_run = 128;
// Elements up to this size may be put side by side before they are turned: wider ones fill lines
// soon.
constexpr std::int64_t most_staged_bytes = 4;
// Of outputs below this the operand stays in a cache.
constexpr std::int64_t staged_from = 4 * 1024 * 1024;
// What a group of a program costs beside its ops, in nanoseconds an element and a step; what a row
// costs that begins, and one that is less than a group, for that and each of its operands; and, of
// what is put aside instead, a run and a byte.
constexpr float step_cost = 0.015f, row_cost = 15, short_row_cost = 40, short_operand_cost = 15;
constexpr float run_cost = 5, byte_cost = 0.03f;
// Rows of so many groups are long.
constexpr std::int64_t most_groups = 8;
// Of a block whose operands all lie in place.
constexpr std::int64_t in_place_bytes = 128 * 1024;

constexpr std::size_t none = static_cast<std::size_t>(-1), of_result = none;

class PieceMaker {
 public:
  PieceMaker(const Pass& pass, const ComputedPiece& planned, int shrink, BlockSteps& steps)
      : pass_(pass),
        program_(pass.programs[planned.program]),
        layout_(layout_of(pass, planned, steps)),
        count_(planned.count()),
        shrink_(shrink),
        steps_(steps) {
    piece_.element = pass.element();
    piece_.out = layout_.first_out() * piece_.element;
    const auto add = [&](std::size_t value) {
      BlockOperand& operand = piece_.operands.emplace_back();
      operand.bytes = program_.types[value].size();
      if (value < program_.reads) {
        operand.source = planned.sources[value];
        operand.first = layout_.first(value) * operand.bytes;
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
    find_turned();
    if (is_packed()) take_whole_loops();
    else take_rows();
    find_operands();
    find_result();
    cut();
    go_around();
    put_aside();
    return std::move(piece_);
  }

 private:
  /// Kernels and single ops write the result where it lies.
  static PieceLayout layout_of(const Pass& pass, const ComputedPiece& planned,
                               const BlockSteps& steps) {
    if (steps.is_single()) return PieceLayout(planned.box);
    return PieceLayout(planned.box, steps.program.read_bytes, pass.element());
  }

  std::size_t operands() const { return piece_.operands.size(); }
  std::size_t loops() const { return layout_.size(); }
  std::int64_t extent(std::size_t loop) const { return layout_.extent(loop); }
  std::int64_t bytes(std::size_t k) const { return piece_.operands[k].bytes; }
  /// Of operand k along a loop, in elements.
  std::int64_t step(std::size_t loop, std::size_t k) const {
    return values_[k] < program_.reads ? layout_.step(loop, values_[k]) : 0;
  }

  BlockLoop bytes_of(std::size_t loop) const {
    return {extent(loop), layout_.out(loop) * piece_.element};
  }

  /// The innermost loop, and those around it that it lies closely within, while it is short.
  void take_columns() {
    std::size_t first = loops();
    std::int64_t run = 1;
    while (first > 0 && run < few_columns && layout_.stride(first - 1) == run)
      run *= extent(--first);
    if (first == loops()) return;
    set_columns(first);
    for (std::size_t loop = first + 1; loop < loops(); ++loop) add_whole(loop);
  }
  void set_columns(std::size_t loop) {
    column_ = loop;
    piece_.columns = bytes_of(loop);
  }
  void add_whole(std::size_t loop) {
    whole_.push_back(loop);
    piece_.width *= extent(loop);
  }
  void set_rows(std::size_t loop) {
    row_ = loop;
    piece_.rows = bytes_of(loop);
  }
  /// Of a row, where columns are not cut.
  std::int64_t columns() const { return piece_.columns.extent * piece_.width; }
  /// Loops from this one on are columns.
  std::size_t first_column() const { return column_ == none ? loops() : column_; }

  /// Calls visit(loop, stride) for those of a row, with strides of elements that lie side by side.
  template <class Visit>
  void for_each_column_loop(const Visit& visit) const {
    if (column_ == none) return;
    std::int64_t stride = piece_.width;
    visit(column_, stride);
    for (const std::size_t loop : whole_) visit(loop, stride /= extent(loop));
  }
  Finding finding_of(std::size_t k) const {
    bool is_still = true, is_in_place = true;
    for_each_column_loop([&](std::size_t loop, std::int64_t stride) {
      is_still = is_still && step(loop, k) == 0;
      is_in_place = is_in_place && step(loop, k) == stride;
    });
    if (is_in_place || is_still) return is_in_place ? Finding::in_place : Finding::still;
    return repeated(k) > 0 ? Finding::periodic : Finding::gathered;
  }
  /// Elements side by side that a row repeats, where groups begin with the first of them; else 0.
  std::int64_t repeated(std::size_t k) const {
    if (steps_.is_single() || steps_.streams || step(column_, k) != 0) return 0;
    std::int64_t stride = piece_.width, period = stride;
    for (const std::size_t loop : whole_) {
      stride /= extent(loop);
      if (step(loop, k) == 0 && period == stride * extent(loop)) period = stride;
      else if (step(loop, k) != stride) return 0;
    }
    return steps_.program.core->group % period == 0 ? period : 0;
  }

  /// Whether steps along a loop are as close as can be.
  template <class Step>
  bool lies_along(std::size_t loop, const Step& step) const {
    if (std::abs(step(loop)) == 1) return true;
    std::int64_t stride = piece_.width;
    for (const std::size_t inner : whole_)
      if (step(inner) != (stride /= extent(inner))) return false;
    return step(loop) == piece_.width;
  }
  /// The loop along which the result lies, or an operand, that is not as the others: that of most
  /// bytes.
  void find_turned() {
    std::int64_t most = 0;
    const auto find = [&](std::int64_t bytes, std::size_t k, const auto& step) {
      for (std::size_t loop = 0; loop < first_column(); ++loop)
        if (bytes > most && lies_along(loop, step)) turned_loop_ = loop, turned_ = k, most = bytes;
    };
    const auto out = [&](std::size_t loop) { return layout_.out(loop); };
    if (column_ != none && !is_close(out)) find(count_ * piece_.element, of_result, out);
    for (std::size_t k = 0; k < operands(); ++k) {
      if (values_[k] >= program_.reads || finding_of(k) != Finding::gathered) continue;
      if (layout_.is_small(values_[k])) continue;
      find(layout_.distinct(values_[k]) * bytes(k), k,
           [&](std::size_t loop) { return step(loop, k); });
    }
  }
  /// Whether rows lie side by side.
  template <class Step>
  bool is_close(const Step& step) const {
    bool is_close = true;
    for_each_column_loop([&](std::size_t loop, std::int64_t stride) {
      is_close = is_close && step(loop) == stride;
    });
    return is_close;
  }

  /// Of an element, in nanoseconds.
  float program_cost() const {
    float cost = 0;
    for (const PassProgram::Step& each : program_.steps) cost += each.instruction->cost + step_cost;
    return cost;
  }

  /// Whether rows are so short that what they waste of groups costs more than putting several
  /// loops side by side.
  bool is_packed() const {
    const std::size_t first = first_column();
    if (steps_.is_single() || first == 0) return false;
    const std::int64_t group = steps_.program.core->group, count = columns();
    if (count >= most_groups * group) return false;
    const std::size_t next = turned_loop_ != none ? turned_loop_ : first - 1;
    float moved = layout_.out(next) == count ? 0 : of_row(piece_.element);
    for (std::size_t k = 0; k < operands(); ++k) {
      const bool is_as_wanted =
          finding_of(k) == Finding::still ? step(next, k) == 0 : step(next, k) == count;
      if (!is_as_wanted && step(next, k) != 0 && finding_of(k) != Finding::gathered)
        moved += of_row(bytes(k));
    }
    const auto wasted = static_cast<float>((count + group - 1) / group * group - count);
    const float begun =
        count >= group ? row_cost
                       : short_row_cost + short_operand_cost * static_cast<float>(1 + operands());
    return wasted * program_cost() + begun > moved;
  }
  /// Putting a row of such elements aside.
  float of_row(std::int64_t element) const {
    return run_cost + byte_cost * static_cast<float>(columns() * element);
  }

  /// Loops that a block has whole, from where operands are turned, and from the innermost on; then
  /// one in part.
  void take_whole_loops() {
    is_packed_ = true;
    const std::size_t first = first_column();
    const std::int64_t most = most_gathered_elements();
    std::vector<std::size_t> order;
    if (turned_loop_ != none) order.push_back(turned_loop_);
    for (std::size_t loop = first; loop-- > 0;)
      if (loop != turned_loop_) order.push_back(loop);
    std::vector<std::size_t> whole(whole_.begin(), whole_.end());
    std::int64_t count = columns();
    if (column_ != none) whole.push_back(column_);
    std::size_t taken = 0;
    for (; taken + 1 < order.size() && count * extent(order[taken]) <= most; ++taken) {
      whole.push_back(order[taken]);
      count *= extent(order[taken]);
    }
    std::sort(whole.begin(), whole.end());
    whole_.clear();
    piece_.width = 1;
    for (const std::size_t loop : whole) add_whole(loop);
    set_columns(order[taken]);
  }

  /// The loop along which lies what is turned, or the next one outwards.
  void take_rows() {
    if (is_turned()) set_rows(turned_loop_);
    else if (first_column() > 0) set_rows(first_column() - 1);
  }

  void find_operands() {
    for (std::size_t k = 0; k < operands(); ++k) {
      BlockOperand& operand = piece_.operands[k];
      operand.finding = finding_of(k);
      if (operand.finding == Finding::still) operand.period = 1;
      else if (operand.finding == Finding::periodic) operand.period = repeated(k);
      if (row_ != none) operand.row = step(row_, k) * bytes(k);
      if (column_ != none) operand.column = step(column_, k) * bytes(k);
    }
  }
  void find_result() {
    is_result_aside_ = !is_close([&](std::size_t loop) { return layout_.out(loop); });
  }
  /// Whether a block has rows, and something lies along them.
  bool is_turned() const { return !is_packed_ && turned_loop_ != none; }
  bool is_operand_turned() const { return is_turned() && turned_ != of_result; }
  bool is_gathered(std::size_t k) const { return piece_.operands[k].finding == Finding::gathered; }
  bool gathers() const {
    return std::any_of(piece_.operands.begin(), piece_.operands.end(),
                       [](const BlockOperand& each) { return each.finding == Finding::gathered; });
  }

  /// `steps` at most, in equal parts that are multiples of `quantum`.
  static void part(BlockLoop& loop, std::int64_t steps, std::int64_t quantum) {
    steps = std::clamp<std::int64_t>(steps, 1, loop.extent);
    const std::int64_t parts = (loop.extent + steps - 1) / steps;
    const std::int64_t equal = (loop.extent + parts - 1) / parts;
    loop.most = std::min(loop.extent, (equal + quantum - 1) / quantum * quantum);
  }

  /// Bytes of the widest values.
  std::int64_t widest() const {
    std::int64_t widest = piece_.element;
    for (const BlockOperand& operand : piece_.operands) widest = std::max(widest, operand.bytes);
    return widest;
  }
  std::int64_t fitting(std::int64_t block_bytes) const {
    return std::max<std::int64_t>(1, (block_bytes >> shrink_) / widest());
  }
  std::int64_t most_gathered_elements() const {
    return std::min(most_gathered, fitting(gathered_bytes));
  }
  std::int64_t most_elements() const {
    if (is_operand_turned() && !is_result_aside_) {
      const std::int64_t bytes = widest() > most_staged_bytes ? largest_block : staged_bytes;
      return fitting(std::min(bytes, share_of(pass_.bytes())));
    }
    return gathers() || is_result_aside_ ? most_gathered_elements() : fitting(in_place_bytes);
  }

  /// Bytes of an element that is turned within a block, or none.
  std::int64_t turned_bytes() const {
    if (!is_turned()) return 0;
    return turned_ == of_result ? piece_.element : bytes(turned_);
  }

  void cut() {
    const std::int64_t most = most_elements();
    std::int64_t most_columns = std::min(most, columns());
    if (const std::int64_t element = turned_bytes(); element > 0) {
      const std::int64_t run_bytes =
          is_operand_turned() && is_staged(turned_) && element <= 2 ? short_run : turned_run;
      const std::int64_t run = std::max<std::int64_t>(1, run_bytes / element);
      most_columns = std::min(most_columns,
                              std::max<std::int64_t>(1, most / std::min(run, piece_.rows.extent)));
    }
    part(piece_.columns, most_columns / piece_.width,
         piece_.width == 1 && most >= few_columns ? few_columns : 1);
    const std::int64_t line = turned_bytes() > 0 ? cache_line / turned_bytes() : 1;
    const std::int64_t rows = most / (piece_.columns.most * piece_.width);
    part(piece_.rows, rows, line > 0 && rows >= line ? line : 1);
    begin_at_lines();
    find_far();
  }

  /// Blocks behind the first begin where a line of the output does, and their rows where one of the
  /// turned operand does: lines that two blocks share would be moved twice.
  void begin_at_lines() {
    const std::int64_t element = piece_.element;
    if (is_packed_) return;
    if (is_result_aside_) {
      if (turned_ == of_result && is_turned() && piece_.rows.out == element &&
          piece_.columns.out % cache_line == 0)
        lead(piece_.rows, piece_.out, element);
      return;
    }
    if (piece_.width == 1 && piece_.rows.out % cache_line == 0)
      lead(piece_.columns, piece_.out, element);
    if (!is_operand_turned()) return;
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
      operand.is_far = pass_.bytes() >= parallel_bytes && is_turned() &&
                       operand.finding == Finding::in_place && piece_.rows.most > 1;
  }

  bool is_in_block(std::size_t loop) const {
    return loop == row_ || loop == column_ ||
           std::find(whole_.begin(), whole_.end(), loop) != whole_.end();
  }
  /// Loops of a step each.
  void go_around() {
    const bool is_one_column = piece_.columns.blocks() == 1;
    for (std::size_t k = 0; k < operands(); ++k)
      piece_.operands[k].is_repeated = is_gathered(k) && piece_.operands[k].row == 0 &&
                                       (is_one_column || piece_.operands[k].column == 0);
    for (std::size_t loop = 0; loop < loops(); ++loop) {
      if (is_in_block(loop)) continue;
      piece_.around.push_back(bytes_of(loop));
      for (std::size_t k = 0; k < operands(); ++k) {
        piece_.steps.push_back(step(loop, k) * bytes(k));
        if (step(loop, k) != 0) piece_.operands[k].is_repeated = false;
      }
      piece_.blocks *= extent(loop);
    }
    piece_.blocks *= piece_.rows.blocks() * piece_.columns.blocks();
  }

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

  /// Runs are put side by side first where memory is slow to give a line of each.
  bool is_staged(std::size_t k) const {
    if (!is_operand_turned() || piece_.width != 1 || !is_gathered(k)) return false;
    return std::abs(step(row_, k)) == 1 && bytes(k) <= most_staged_bytes &&
           piece_.rows.extent * bytes(k) >= cache_line && piece_.operands[k].column != 0 &&
           pass_.bytes() >= staged_from;
  }
  static std::int64_t staged_pitch(std::int64_t rows, std::int64_t bytes) {
    return whole_lines(rows * bytes) / bytes + cache_line / bytes;
  }

  /// What puts operands aside, and the result into place, for blocks of each kind.
  void put_aside() {
    std::int64_t aside = 0;
    for (std::size_t k = 0; k < operands(); ++k)
      if (is_gathered(k)) gather(k, aside);
    if (is_result_aside_) place_result(aside);
    steps_.aside_bytes = std::max(steps_.aside_bytes, aside);
  }

  /// Room for a block of any kind, of elements of so many bytes.
  std::int64_t room(std::int64_t element) const {
    std::int64_t most = 0;  // narrower blocks may be further apart from row to row
    piece_.for_each_kind([&](std::size_t, std::int64_t rows, std::int64_t columns, std::int64_t) {
      most = std::max(most, rows * aside_pitch(element, columns) * element);
    });
    return whole_lines(most);
  }
  void find_pitches(std::int64_t element, BlockLoop::OfKinds& pitches) const {
    piece_.columns.for_each_kind([&](std::size_t kind, std::int64_t columns, std::int64_t) {
      pitches[kind] = aside_pitch(element, columns * piece_.width) * element;
    });
  }

  /// Elements that a row repeats one after another, or 0: they are put side by side first.
  std::int64_t period_of(std::size_t k) const {
    if (is_staged(k) || whole_.empty() || !is_gathered(k) || step(column_, k) != 0) return 0;
    std::int64_t period = piece_.width;
    for (const std::size_t loop : whole_) {
      if (step(loop, k) != 0) break;
      period /= extent(loop);
    }
    return period;
  }

  void gather(std::size_t k, std::int64_t& aside) {
    BlockOperand& operand = piece_.operands[k];
    operand.aside = aside;
    aside += room(operand.bytes);
    if (is_staged(k)) {
      operand.staged = aside;
      aside += whole_lines(piece_.columns.most * piece_.width *
                           staged_pitch(piece_.rows.most, operand.bytes) * operand.bytes);
    } else if (const std::int64_t period = period_of(k); period > 0) {
      operand.staged = aside;
      aside += whole_lines(piece_.rows.most * period * operand.bytes);
    }
    const auto add = [&](std::int64_t rows, std::int64_t columns) {
      Copy block = block_of(k, rows, columns);
      if (const std::int64_t period = period_of(k); period > 0)
        add_move(repeat(k, period, rows, columns, block), operand.bytes, true);
      else if (operand.staged >= 0) add_move(stage(k, rows, columns, block), operand.bytes, true);
      return add_move(block, operand.bytes, true);
    };
    if (operand.is_repeated) {
      const std::int64_t columns = piece_.columns.most * piece_.width;
      operand.gather.fill(add(piece_.rows.most, columns));
      operand.aside_pitch.fill(aside_pitch(operand.bytes, columns) * operand.bytes);
      return;
    }
    find_pitches(operand.bytes, operand.aside_pitch);
    piece_.for_each_kind([&](std::size_t kind, std::int64_t rows, std::int64_t columns,
                             std::int64_t) { operand.gather[kind] = add(rows, columns); });
  }
  std::uint32_t add_move(const Copy& copy, std::int64_t element, bool owns_gaps) {
    steps_.moves.push_back(lower(copy, element, {.owns_gaps = owns_gaps}));
    return static_cast<std::uint32_t>(steps_.moves.size() - 1);
  }

  /// What puts the runs of a block side by side; the block becomes one of those.
  Copy stage(std::size_t k, std::int64_t rows, std::int64_t columns, Copy& block) const {
    const std::int64_t pitch = staged_pitch(rows, bytes(k));
    Copy runs{block.source, 0, 0, 0, {}};
    if (columns > 1) runs.loops.push_back({columns, pitch, step(column_, k)});
    if (rows > 1) runs.loops.push_back({rows, 1, step(row_, k)});
    block.loops.clear();
    if (rows > 1) block.loops.push_back({rows, aside_pitch(bytes(k), columns), 1});
    if (columns > 1) block.loops.push_back({columns, 1, pitch});
    return runs;
  }

  /// What puts the periods of rows together; the block becomes their repetition.
  Copy repeat(std::size_t k, std::int64_t period, std::int64_t rows, std::int64_t columns,
              Copy& block) const {
    const std::int64_t row_step = row_ == none ? 0 : step(row_, k);
    Copy periods{block.source, 0, 0, 0, {}};
    if (row_step != 0) add_loop({rows, period, row_step}, periods);
    for_each_column_loop([&](std::size_t loop, std::int64_t stride) {
      if (stride < period) add_loop({extent(loop), stride, step(loop, k)}, periods);
    });
    block.loops.clear();
    add_loop({rows, aside_pitch(bytes(k), columns), row_step == 0 ? 0 : period}, block);
    add_loop({columns / period, period, 0}, block);
    add_loop({period, 1, 1}, block);
    return periods;
  }

  static void add_loop(const Loop& loop, Copy& copy) {
    if (loop.extent == 1) return;
    if (!copy.loops.empty()) {
      Loop& outer = copy.loops.back();
      if (outer.out_stride == loop.extent * loop.out_stride &&
          outer.src_stride == loop.extent * loop.src_stride) {
        outer = {outer.extent * loop.extent, loop.out_stride, loop.src_stride};
        return;
      }
    }
    copy.loops.push_back(loop);
  }

  /// Operand k of a block, row after row.
  Copy block_of(std::size_t k, std::int64_t rows, std::int64_t columns) const {
    Copy copy{piece_.operands[k].source, 0, 0, 0, {}};
    if (row_ != none) add_loop({rows, aside_pitch(bytes(k), columns), step(row_, k)}, copy);
    for_each_column_loop([&](std::size_t loop, std::int64_t stride) {
      const std::int64_t steps = loop == column_ ? columns / piece_.width : extent(loop);
      add_loop({steps, stride, step(loop, k)}, copy);
    });
    return copy;
  }

  void place_result(std::int64_t& aside) {
    piece_.result.aside = aside;
    aside += room(piece_.element);
    find_pitches(piece_.element, piece_.result.pitch);
    piece_.for_each_kind(
        [&](std::size_t kind, std::int64_t rows, std::int64_t columns, std::int64_t) {
          piece_.result.move[kind] = add_move(result_of(rows, columns), piece_.element, false);
        });
  }
  /// The result of a block, from row after row to where it is to be.
  Copy result_of(std::int64_t rows, std::int64_t columns) const {
    Copy copy{0, 0, 0, 0, {}};
    std::vector<Loop> all;
    const auto add = [&](std::size_t loop, std::int64_t steps, std::int64_t stride) {
      std::int64_t out = layout_.out(loop);
      if (out < 0) {
        copy.out_offset += (steps - 1) * out;
        copy.src_offset += (steps - 1) * stride;
        out = -out, stride = -stride;
      }
      all.push_back({steps, out, stride});
    };
    if (row_ != none) add(row_, rows, aside_pitch(piece_.element, columns));
    for_each_column_loop([&](std::size_t loop, std::int64_t stride) {
      add(loop, loop == column_ ? columns / piece_.width : extent(loop), stride);
    });
    std::sort(all.begin(), all.end(),
              [](const Loop& a, const Loop& b) { return a.out_stride > b.out_stride; });
    for (const Loop& loop : all) add_loop(loop, copy);
    return copy;
  }

  const Pass& pass_;
  const PassProgram& program_;
  const PieceLayout layout_;
  const std::int64_t count_;  // of its elements
  const int shrink_;
  BlockSteps& steps_;
  BlockPiece piece_{};
  SmallVector<std::size_t, 8> values_;  // of the operands
  // A row is a loop, in part, around others that are whole.
  std::size_t row_ = none, column_ = none;
  SmallVector<std::size_t, 4> whole_;
  std::size_t turned_loop_ = none, turned_ = none;  // along which that operand lies
  bool is_packed_ = false;                          // rows are of several loops, side by side
  bool is_result_aside_ = false;                    // it is put into place by a move
};

}  // namespace

BlockPiece make_block_piece(const Pass& pass, const ComputedPiece& planned, int shrink,
                            BlockSteps& steps) {
  return PieceMaker(pass, planned, shrink, steps).run();
}

}  // namespace weft

// SPDX-License-Identifier: Apache-2.0
// Cutting a piece into blocks.
#include <weft/engine/run/cut_piece.h>

#include <algorithm>
#include <cstdlib>
#include <utility>
#include <vector>

#include <weft/engine/kernels/move/first_cache.h>
#include <weft/engine/memory/buffer.h>
#include <weft/engine/run/block_piece.h>
#include <weft/engine/run/workers.h>

namespace weft {
namespace {

// Columns are at least so many elements where loops that follow one another are as many.
constexpr std::int64_t few_columns = 64;
// Of a block whose operands are put aside: what caches keep beside one another. A pass of one task
// has room for as much as it makes: a block more costs more than what the second cache saves (u8
// [13, 2, 2014] from every second place: 3.0 us in two blocks, 2.5 in one).
constexpr std::int64_t gathered_bytes = 64 * 1024, most_gathered = 32 * 1024;
// An operand that is turned is read in runs of so many bytes: where narrow ones are put side by
// side first they lie aside twice, and rows may be longer for it. So they may where those are
// turned at once (4 bytes, 777 x 3001: 368 us in runs of 256 bytes, 338 in runs of 128; 1 byte:
// 103 us, 92 in runs of 128, 95 in runs of a line, which leads where other data was used between).
constexpr std::int64_t turned_run = 256;
constexpr std::int64_t staged_bytes = 256 * 1024, short_run = 128;
constexpr std::int64_t least_turned = 128 * 1024;
// Rows that a block has whole, of the loop that it has in part; and of all loops that it joins.
constexpr std::int64_t most_inner_rows = 256, most_joined_rows = 1024;
// Elements up to this size may be put side by side before they are turned, where a cache keeps few
// lines so far apart, which are lines of each row of the operand: wider ones fill lines soon, and
// others are faster turned at once (1 byte: 4096 x 4096 1.4 ms and 2.1 at once, 4224 x 4224 1.8 and
// 1.5; 4 bytes, 2064 x 2064: 1.2 and 0.95; 3 bytes, 4096 x 4096: 8.3 and 5.4).
constexpr std::int64_t most_staged_bytes = 4, few_lines = 16;
// Of outputs below this the operand stays in a cache, below the second that of elements of more
// than two bytes does well enough (4 bytes, 2048 x 2048: 1.2 ms side by side first, 0.95 at once).
constexpr std::int64_t staged_from = 8 * 1024 * 1024, wide_staged_from = 32 * 1024 * 1024;
// What a group of a program costs beside its ops, in nanoseconds an element and a step; what a row
// costs that begins, and one that is less than a group, for that and each of its operands; and, of
// what is put aside instead, a byte of a run of up to a line, and of longer ones the run, a byte,
// and the end where they are not of whole lines.
constexpr float step_cost = 0.015f, row_cost = 15, short_row_cost = 4, short_operand_cost = 4;
constexpr float ragged_row_cost = 100;
constexpr float few_bytes_cost = 0.04f, run_cost = 2, byte_cost = 0.01f, ragged_cost = 1;
// Rows that a block of a kernel has, where a loop around has more.
constexpr std::int64_t few_rows = 16;
// Rows of so many groups are long.
constexpr std::int64_t most_groups = 8;
// What turns bytes turns so many rows at once.
constexpr std::int64_t square_rows = 16;
// Elements of several loops side by side that are enough for a block.
constexpr std::int64_t enough_packed = 1024;
// Of a block whose operands all lie in place.
constexpr std::int64_t in_place_bytes = 128 * 1024;

class PieceCutter : private CutPiece {
 public:
  PieceCutter(const Pass& pass, const PassProgram& program, const ComputedPiece& planned,
              int shrink, const BlockSteps& steps)
      : CutPiece(pass, program, layout_of(pass, planned, steps)),
        program_(program),
        count_(planned.count()),
        shrink_(shrink),
        steps_(steps) {
    piece.element = pass.element();
    piece.out = layout.first_out() * piece.element;
    const auto add = [&](std::size_t value) {
      BlockOperand& operand = piece.operands.emplace_back();
      operand.bytes = program_.types[value].size();
      if (value < program_.reads) {
        operand.source = planned.sources[value];
        operand.first = layout.first(value) * operand.bytes;
      } else {
        operand.source = program_.constants[value - program_.reads];
      }
      values.push_back(value);
    };
    piece.operands.reserve(program_.types.size() - program_.steps.size());
    if (!steps.is_single())
      for (std::size_t value = 0; value < program_.reads; ++value) add(value);
    else
      for (const std::uint32_t value : program_.steps[0].operands) add(value);
  }

  CutPiece run() {
    take_columns();
    find_turned();
    find_turned_chain();
    take_longer_columns();
    if (wants_packing() || turns_short_runs()) take_whole_loops();
    else take_rows();
    find_operands();
    find_result();
    cut();
    go_around();
    return std::move(*this);
  }

 private:
  /// Kernels and single ops write the result where it lies.
  static PieceLayout layout_of(const Pass& pass, const ComputedPiece& planned,
                               const BlockSteps& steps) {
    if (steps.is_single()) return PieceLayout(planned.box);
    return PieceLayout(planned.box, steps.program.read_bytes, pass.element());
  }

  BlockLoop bytes_of(std::size_t loop) const {
    return {extent(loop), layout.out(loop) * piece.element};
  }

  /// The innermost loop, and those around it that it lies closely within, while it is short.
  void take_columns() {
    std::size_t first = loops();
    std::int64_t run = 1;
    while (first > 0 && run < few_columns && layout.stride(first - 1) == run)
      run *= extent(--first);
    if (first == loops()) return;
    set_columns(first);
    for (std::size_t loop = first + 1; loop < loops(); ++loop) add_whole(loop);
  }
  void set_columns(std::size_t loop) {
    column = loop;
    piece.columns = bytes_of(loop);
  }
  void add_whole(std::size_t loop) {
    whole.push_back(loop);
    piece.width *= extent(loop);
  }
  void set_rows(std::size_t loop) {
    row = loop;
    piece.rows = bytes_of(loop);
  }
  /// Of a row, where columns are not cut.
  std::int64_t columns() const { return piece.columns.extent * piece.width; }
  /// Loops from this one on are columns.
  std::size_t first_column() const { return column == none ? loops() : column; }

  std::int64_t long_row() const { return most_groups * steps_.program.core->group; }

  /// Loops that rows go on in, while they are short, up to one that an operand is turned along: it
  /// is turned at once then, where packed rows would be turned each by itself.
  void take_longer_columns() {
    if (steps_.is_single() || turned_loop == none || turned == of_result || column == none) return;
    while (first_column() > 0 && columns() < long_row()) {
      const std::size_t next = first_column() - 1;
      if (layout.stride(next) != columns() || is_in_chain(next)) return;
      whole.insert(whole.begin(), column);
      piece.width *= extent(column);
      set_columns(next);
    }
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
    if (steps_.is_single() || steps_.streams || step(column, k) != 0) return 0;
    std::int64_t stride = piece.width, period = stride;
    for (const std::size_t loop : whole) {
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
    std::int64_t stride = piece.width;
    for (const std::size_t inner : whole)
      if (step(inner) != (stride /= extent(inner))) return false;
    return step(loop) == piece.width;
  }
  /// The loop along which the result lies, or an operand, that is not as the others: that of most
  /// bytes.
  void find_turned() {
    std::int64_t most = 0;
    const auto find = [&](std::int64_t bytes, std::size_t k, const auto& step) {
      for (std::size_t loop = 0; loop < first_column(); ++loop)
        if (bytes > most && lies_along(loop, step)) turned_loop = loop, turned = k, most = bytes;
    };
    const auto out = [&](std::size_t loop) { return layout.out(loop); };
    if (column != none && !is_close(out)) find(count_ * piece.element, of_result, out);
    for (std::size_t k = 0; k < operands(); ++k) {
      if (values[k] >= program_.reads || finding_of(k) != Finding::gathered) continue;
      if (layout.is_small(values[k])) continue;
      find(layout.distinct(values[k]) * bytes(k), k,
           [&](std::size_t loop) { return step(loop, k); });
    }
  }
  /// The loops in which what is turned goes on, one after the other.
  void find_turned_chain() {
    if (turned_loop == none) return;
    turned_chain.push_back(turned_loop);
    std::int64_t next = turned_step(turned_loop) * extent(turned_loop);
    for (std::size_t loop = 0; loop < first_column(); ++loop) {
      if (turned_step(loop) != next) continue;
      turned_chain.push_back(loop);
      next *= extent(loop);
      loop = static_cast<std::size_t>(-1);
    }
  }
  bool is_in_chain(std::size_t loop) const {
    return std::find(turned_chain.begin(), turned_chain.end(), loop) != turned_chain.end();
  }
  /// Whether runs of what is turned are short and go on in another loop, which a block has room
  /// for.
  bool turns_short_runs() const {
    if (steps_.is_single() || turned_chain.size() < 2) return false;
    const std::int64_t count = columns() * extent(turned_loop);
    return extent(turned_loop) * turned_element() < turned_run &&
           count * std::min<std::int64_t>(2, extent(turned_chain[1])) <= most_gathered_elements();
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

  /// Whether rows are so short that what they waste of groups costs more than putting several
  /// loops side by side; those of less than a group share one.
  bool wants_packing() const {
    const std::size_t first = first_column();
    if (steps_.is_single() || first == 0) return false;
    const std::int64_t group = steps_.program.core->group, count = columns();
    if (count >= long_row() || breaks_turned_runs()) return false;
    const std::size_t next = turned_loop != none ? turned_loop : first - 1;
    float moved = layout.out(next) == count ? 0 : of_row(piece.element);
    for (std::size_t k = 0; k < operands(); ++k) {
      const bool is_as_wanted =
          finding_of(k) == Finding::still ? step(next, k) == 0 : step(next, k) == count;
      if (!is_as_wanted && step(next, k) != 0 && finding_of(k) != Finding::gathered)
        moved += of_row(bytes(k));
    }
    if (count < group)
      return short_row_cost + short_operand_cost * static_cast<float>(1 + operands()) > moved;
    const auto wasted = static_cast<float>((count + group - 1) / group * group - count);
    // Past the caches what lies before the first whole line of a row, and behind the last, are two
    // groups more.
    const bool are_lines = count * piece.element % cache_line == 0;
    const float begun = row_cost + (steps_.streams && !are_lines ? ragged_row_cost : 0);
    return wasted * program_cost(program_) + begun > moved;
  }
  std::int64_t turned_step(std::size_t loop) const {
    return turned == of_result ? layout.out(loop) : step(loop, turned);
  }
  /// Whether a block of whole rows had room for less of what is turned than two lines of each run,
  /// one of bytes that are written.
  bool breaks_turned_runs() const {
    if (turned_loop == none) return false;
    const std::int64_t element = turned_element();
    std::int64_t run = std::abs(turned_step(turned_loop)) * element;
    const std::int64_t room = most_gathered_elements() / columns() * run;
    for (const std::size_t loop : turned_chain) run *= extent(loop);
    return room < std::min(run, turned == of_result && element == 1 ? cache_line : 2 * cache_line);
  }
  /// Putting a row of such elements aside.
  float of_row(std::int64_t element) const {
    const std::int64_t bytes = columns() * element;
    if (bytes <= cache_line) return few_bytes_cost * static_cast<float>(bytes);
    return run_cost + byte_cost * static_cast<float>(bytes) +
           (bytes % cache_line == 0 ? 0 : ragged_cost);
  }

  /// Loops that a block has whole, from where operands are turned, and from the innermost on; then
  /// one in part.
  void take_whole_loops() {
    is_packed = true;
    const std::size_t first = first_column();
    const std::int64_t most = most_gathered_elements();
    std::vector<std::size_t> order(turned_chain.begin(), turned_chain.end());
    for (std::size_t loop = first; loop-- > 0;)
      if (!is_in_chain(loop)) order.push_back(loop);
    std::vector<std::size_t> inner(whole.begin(), whole.end());
    std::int64_t count = columns();
    if (column != none) inner.push_back(column);
    std::size_t taken = 0;
    for (; taken + 1 < order.size() && count * extent(order[taken]) <= most; ++taken) {
      if (turned_loop == none && ends_in_place(order[taken], order[taken + 1], count)) break;
      inner.push_back(order[taken]);
      count *= extent(order[taken]);
    }
    inner.push_back(order[taken]);
    std::sort(inner.begin(), inner.end());
    const std::size_t in_part = lies_as_result(inner, most) ? inner.front() : order[taken];
    whole.clear();
    piece.width = 1;
    for (const std::size_t loop : inner)
      if (loop != in_part) add_whole(loop);
    set_columns(in_part);
  }
  /// Whether a block of `count` elements and one loop more is enough, and something lies in place
  /// in it that would have to be put aside, or into place, with the next loop.
  bool ends_in_place(std::size_t loop, std::size_t next, std::int64_t count) const {
    const std::int64_t all = count * extent(loop);
    if (all < enough_packed) return false;
    if (layout.out(loop) == count && layout.out(next) != all) return true;
    for (std::size_t k = 0; k < operands(); ++k)
      if (step(loop, k) == count && step(next, k) != all) return true;
    return false;
  }
  /// Whether blocks of these loops, the outermost in part, lie side by side in the result, and what
  /// is turned is read in runs that are not short.
  bool lies_as_result(const std::vector<std::size_t>& inner, std::int64_t most) const {
    std::int64_t count = 1;
    for (std::size_t k = inner.size(); k-- > 1; count *= extent(inner[k]))
      if (layout.out(inner[k]) != count) return false;
    const std::size_t outermost = inner.front();
    if (layout.out(outermost) != count || count > most) return false;
    const std::int64_t steps = std::min(most / count, extent(outermost));
    return steps == extent(outermost) || !is_in_chain(outermost) ||
           steps * std::abs(turned_step(outermost)) * turned_element() >= short_run;
  }

  /// The loop along which lies what is turned, or the next one outwards.
  void take_rows() {
    if (!is_turned()) {
      if (first_column() == 0) return;
      const std::size_t next = first_column() - 1;
      // Kernels take many rows at once; others would be few.
      piece.is_within = steps_.is_single() && next > 0 && extent(next) < few_rows &&
                        extent(next - 1) > extent(next);
      set_rows(piece.is_within ? next - 1 : next);
    } else {
      set_rows(turned_loop);
      if (!steps_.is_single()) join_rows();
    }
  }
  /// So many rows are the loops within one, where each goes on evenly from the one before in the
  /// result; else 0, and where they are too many.
  std::int64_t rows_within(std::size_t outermost) const {
    std::int64_t rows = 1;
    for (std::size_t loop = outermost + 1; loop < first_column(); ++loop) {
      if (layout.out(loop - 1) != layout.out(loop) * extent(loop)) return 0;
      rows *= extent(loop);
    }
    return rows <= most_inner_rows ? rows : 0;
  }
  /// With all loops within, which are so many rows.
  void set_rows(std::size_t loop, std::int64_t height) {
    set_rows(loop);
    piece.height = height;
    inner_rows.clear();
    for (std::size_t inner = loop + 1; inner < first_column(); ++inner) inner_rows.push_back(inner);
  }
  /// Further loops, where what is turned lies in short runs that go on in those: one after another
  /// in the output, and all that lie between.
  void join_rows() {
    std::int64_t run = extent(turned_loop) * turned_bytes();
    std::size_t outermost = turned_loop;
    for (std::size_t n = 1; n < turned_chain.size() && run < turned_run; ++n) {
      const std::size_t low = std::min(outermost, turned_chain[n]);
      const std::int64_t rows = rows_within(low);
      if (rows == 0) return;
      outermost = low;
      set_rows(outermost, rows);
      run *= extent(turned_chain[n]);
    }
  }

  void find_operands() {
    for (std::size_t k = 0; k < operands(); ++k) {
      BlockOperand& operand = piece.operands[k];
      operand.finding = finding_of(k);
      if (!has_even_rows(k)) operand.finding = Finding::gathered;
      if (operand.finding == Finding::still) operand.period = 1;
      else if (operand.finding == Finding::periodic) operand.period = repeated(k);
      if (row != none) operand.row = step(row, k) * bytes(k);
      if (column != none) operand.column = step(column, k) * bytes(k);
    }
  }
  /// Whether rows are as far apart from one another, all of them.
  bool has_even_rows(std::size_t k) const {
    bool is_even = true;
    for_each_row_loop([&](std::size_t loop, std::int64_t rows) {
      is_even = is_even && step(loop, k) * piece.height == step(row, k) * rows;
    });
    return is_even;
  }
  void find_result() {
    is_result_aside = !is_close([&](std::size_t loop) { return layout.out(loop); });
  }
  bool gathers() const {
    return std::any_of(piece.operands.begin(), piece.operands.end(),
                       [](const BlockOperand& each) { return each.finding == Finding::gathered; });
  }

  /// `steps` at most, in equal parts that are multiples of `quantum`.
  static void part(BlockLoop& loop, std::int64_t steps, std::int64_t quantum) {
    steps = std::clamp<std::int64_t>(steps, 1, loop.extent);
    if (steps > quantum && steps < loop.extent) steps -= steps % quantum;
    const std::int64_t parts = (loop.extent + steps - 1) / steps;
    const std::int64_t equal = (loop.extent + parts - 1) / parts;
    loop.most = std::min(loop.extent, (equal + quantum - 1) / quantum * quantum);
  }

  /// Bytes of the widest values.
  std::int64_t widest() const {
    std::int64_t widest = piece.element;
    for (const BlockOperand& operand : piece.operands) widest = std::max(widest, operand.bytes);
    return widest;
  }
  std::int64_t fitting(std::int64_t block_bytes) const {
    return std::max<std::int64_t>(1, (block_bytes >> shrink_) / widest());
  }
  std::int64_t elements_of_task() const {
    return std::max<std::int64_t>(1, pass_bytes / piece.element / steps_.most_tasks);
  }
  std::int64_t most_gathered_elements() const {
    if (steps_.most_tasks == 1) return fitting(parallel_bytes);
    return std::min({most_gathered, fitting(gathered_bytes), elements_of_task()});
  }
  /// Of such elements, at most, read from what is turned one after another.
  std::int64_t turned_run_bytes(std::int64_t element) const {
    const bool cuts_lines = cache_line % element != 0;
    if (!is_operand_turned()) {
      // Of bytes, blocks are then as wide as groups; lines are written whole, or kept until they
      // are.
      const bool is_line_enough =
          pass_bytes >= streamed_bytes || lines_kept(piece.columns.out) >= cache_line;
      return element == 1 && is_line_enough ? cache_line : cuts_lines ? short_run : turned_run;
    }
    if (is_staged(turned)) return element <= 2 ? short_run : turned_run;
    if (element == 1) return cache_line;
    return cuts_lines || element <= most_staged_bytes ? short_run : turned_run;
  }
  /// Of a pass: as much as a task has, but not so little that what is turned takes longer for it
  /// (one thread, transposes of three axes: 1.08 of moving first in blocks of an eighth, now 0.99).
  std::int64_t turned_share() const {
    if (steps_.most_tasks == 1) return pass_bytes;
    return std::max(std::min(least_turned, pass_bytes / 2), share_of(pass_bytes));
  }
  std::int64_t most_elements() const {
    if (is_operand_turned() && !is_result_aside) {
      const std::int64_t bytes = is_staged(turned) ? staged_bytes : largest_block;
      return fitting(std::min(bytes, turned_share()));
    }
    return gathers() || is_result_aside ? most_gathered_elements()
                                        : std::min(fitting(in_place_bytes), elements_of_task());
  }

  void cut() {
    const std::int64_t most = most_elements();
    std::int64_t most_columns = std::min(most, columns());
    if (const std::int64_t element = turned_bytes(); element > 0) {
      const std::int64_t run = std::max<std::int64_t>(1, turned_run_bytes(element) / element);
      const std::int64_t all = piece.rows.extent * piece.height;
      // Of several loops a part has short runs.
      const std::int64_t rows = piece.height > 1 && all <= most_joined_rows
                                    ? all
                                    : std::max(piece.height, std::min(run, all));
      most_columns = std::min(most_columns, std::max<std::int64_t>(1, most / rows));
    }
    part(piece.columns, most_columns / piece.width, column_quantum(most_columns));
    const std::int64_t rows = most / (piece.columns.most * piece.width), quantum = row_quantum();
    part(piece.rows, rows / piece.height, piece.height == 1 && rows >= quantum ? quantum : 1);
    begin_at_lines();
    find_far();
  }

  /// A row of a block is of whole groups where it has room for several.
  std::int64_t column_quantum(std::int64_t most) const {
    if (piece.width > 1 || most < few_columns) return 1;
    if (steps_.is_single()) return few_columns;
    const std::int64_t group = steps_.program.core->group;
    return most >= 2 * group ? group : std::min(few_columns, group);
  }

  /// What is turned goes by whole lines where these begin as runs do, else by whole squares.
  std::int64_t row_quantum() const {
    const std::int64_t element = turned_bytes();
    if (element == 0) return 1;
    const bool are_lines = !is_operand_turned() || piece.operands[turned].column % cache_line == 0;
    const std::int64_t line = std::max<std::int64_t>(1, cache_line / element);
    return are_lines ? line : std::min(line, square_rows);
  }

  /// Blocks behind the first begin where a line of the output does, and their rows where one of the
  /// turned operand does: lines that two blocks share would be moved twice.
  void begin_at_lines() {
    const std::int64_t element = piece.element;
    if (is_packed) return;
    if (is_result_aside) {
      if (turned == of_result && is_turned() && piece.rows.out == element &&
          piece.columns.out % cache_line == 0)
        lead(piece.rows, piece.out, element);
      return;
    }
    if (piece.width == 1 && piece.rows.out % cache_line == 0)
      lead(piece.columns, piece.out, element);
    if (!is_operand_turned()) return;
    const BlockOperand& own = piece.operands[turned];
    // Backwards a line ends where the element before begins.
    if (own.column % cache_line == 0 && std::abs(own.row) == own.bytes)
      lead(piece.rows, own.row > 0 ? own.first : -(own.first + own.bytes), own.bytes);
  }

  static void lead(BlockLoop& loop, std::int64_t first, std::int64_t step) {
    if (loop.blocks() == 1 || cache_line % step != 0 || first % step != 0) return;
    const std::int64_t past = ((first + loop.most * step) % cache_line + cache_line) % cache_line;
    if (past > 0 && loop.most * step > past) loop.lead = loop.most - past / step;
  }

  void find_far() {
    for (BlockOperand& operand : piece.operands)
      operand.is_far = steps_.most_tasks > 1 && is_turned() &&
                       operand.finding == Finding::in_place && piece.rows.most * piece.height > 1;
  }

  bool is_in_block(std::size_t loop) const {
    return loop == row || loop == column ||
           std::find(inner_rows.begin(), inner_rows.end(), loop) != inner_rows.end() ||
           std::find(whole.begin(), whole.end(), loop) != whole.end();
  }
  /// Loops of a step each.
  void go_around() {
    const bool is_one_column = piece.columns.blocks() == 1;
    for (std::size_t k = 0; k < operands(); ++k)
      piece.operands[k].is_repeated = is_gathered(k) && piece.operands[k].row == 0 &&
                                      (is_one_column || piece.operands[k].column == 0);
    for (std::size_t loop = 0; loop < loops(); ++loop) {
      if (is_in_block(loop)) continue;
      piece.around.push_back(bytes_of(loop));
      for (std::size_t k = 0; k < operands(); ++k) {
        piece.steps.push_back(step(loop, k) * bytes(k));
        if (step(loop, k) != 0) piece.operands[k].is_repeated = false;
      }
      piece.blocks *= extent(loop);
    }
    piece.blocks *= piece.rows.blocks() * piece.columns.blocks();
  }

  SmallVector<std::size_t, 4> turned_chain{};
  const PassProgram& program_;
  const std::int64_t count_;  // of its elements
  const int shrink_;
  const BlockSteps& steps_;
};

}  // namespace

bool CutPiece::is_staged(std::size_t k) const {
  if (!is_operand_turned() || piece.width != 1 || piece.height != 1 || !is_gathered(k))
    return false;
  return std::abs(step(row, k)) == 1 && bytes(k) <= most_staged_bytes &&
         lines_kept(piece.operands[k].column) <= few_lines && cache_line % bytes(k) == 0 &&
         piece.rows.extent * bytes(k) >= cache_line && piece.operands[k].column != 0 &&
         pass_bytes >= (bytes(k) > 2 ? wide_staged_from : staged_from);
}

float cost_of(const PassProgram::Step& step) { return step.instruction->cost + step_cost; }

float program_cost(const PassProgram& program) {
  float cost = 0;
  for (const PassProgram::Step& each : program.steps) cost += cost_of(each);
  return cost;
}

CutPiece cut_piece(const Pass& pass, const ComputedPiece& planned, int shrink,
                   const BlockSteps& steps) {
  return PieceCutter(pass, pass.programs[planned.program], planned, shrink, steps).run();
}

}  // namespace weft

// SPDX-License-Identifier: Apache-2.0
// What carries out a pass that computes: pieces of a program, cut into blocks of rows and columns.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include <weft/engine/kernels/compute.h>
#include <weft/engine/kernels/compute/run_program.h>
#include <weft/engine/memory/buffer.h>
#include <weft/engine/run/lower.h>
#include <weft/graph/plan/plan.h>

namespace weft {

/// Steps of a loop of a piece; strides in bytes.
struct BlockLoop {
  std::int64_t extent = 1, out = 0;
  std::int64_t most = 1;  ///< steps of a block
  std::int64_t lead = 0;  ///< steps of the first block where it has fewer, so that later ones begin
                          ///< where cache lines do

  std::int64_t blocks() const { return (extent - lead + most - 1) / most + (lead > 0 ? 1 : 0); }
  std::int64_t begin(std::int64_t b) const {
    return b == 0 || lead == 0 ? b * most : lead + (b - 1) * most;
  }
  /// Of block b.
  std::int64_t steps(std::int64_t b) const {
    return b == 0 && lead > 0 ? lead : std::min(most, extent - begin(b));
  }

  // Blocks of one kind have as many steps.
  static constexpr std::size_t inner = 0, last = 1, first = 2, kinds = 3;
  using OfKinds = std::array<std::int64_t, kinds>;
  /// Of block b of all.
  std::size_t kind(std::int64_t b, std::int64_t all) const {
    return b + 1 == all ? last : b == 0 && lead > 0 ? first : inner;
  }
  /// Calls visit(kind, steps, blocks) for each kind that there is.
  template <class Visit>
  void for_each_kind(const Visit& visit) const {
    const std::int64_t all = blocks(), leading = lead > 0 && all > 1 ? 1 : 0;
    if (all - leading > 1) visit(inner, steps(leading), all - leading - 1);
    visit(last, steps(all - 1), std::int64_t{1});
    if (leading > 0) visit(first, lead, std::int64_t{1});
  }
};

/// How the blocks of a piece find an operand.
enum class Finding : std::uint8_t {
  in_place,  ///< side by side, as the output
  still,     ///< one element a row
  periodic,  ///< a few elements side by side, again and again in a row: a group holds them whole
  gathered,  ///< put side by side in memory of the task first
};

/// Which of BlockSteps::moves, for each kind of blocks.
using MoveOfKinds = std::array<std::uint32_t, BlockLoop::kinds * BlockLoop::kinds>;

/// What one operand of a piece is to its blocks; strides in bytes.
struct BlockOperand {
  std::size_t source = 0;
  std::int64_t first = 0, bytes = 1;  ///< where it begins; of an element
  std::int64_t row = 0, column = 0;   ///< from step to step
  Finding finding = Finding::in_place;
  std::int64_t period = 0;   ///< elements that a row repeats, of one that is still or periodic
  bool is_far = false;       ///< rows lie apart where the caches may lack them
  bool is_repeated = false;  ///< of one that is gathered: the same for every block of the piece
  std::int64_t aside = 0;    ///< where in the memory of the task
  /// Where runs are put side by side before they are turned, else -1. What does that is the one
  /// before the other in BlockSteps::moves.
  std::int64_t staged = -1;
  /// Of one that is gathered, which of BlockSteps::moves, for each kind of blocks.
  MoveOfKinds gather{};
  /// From row to row of what is put aside, for each kind of columns.
  BlockLoop::OfKinds aside_pitch{};
};

/// A result that is computed in memory of the task, and then put into place.
struct BlockResult {
  std::int64_t aside = -1;     ///< where, or else it is computed where it is to be
  BlockLoop::OfKinds pitch{};  ///< from row to row, for each kind of columns
  MoveOfKinds move{};

  bool is_aside() const { return aside >= 0; }
};

/// Which block of rows and which of columns, or how many there are.
struct BlockAt {
  std::int64_t row = 1, column = 1;
};

struct BlockPiece {
  std::int64_t element = 1;  ///< bytes of the result's
  std::vector<BlockOperand> operands{};
  SmallVector<BlockLoop, 4> around{};  ///< outermost first, of a step each
  bool is_within = false;  ///< the innermost of them is gone through for each block of rows
  std::vector<std::int64_t> steps{};  ///< of each operand along each of those, in bytes
  BlockLoop rows, columns;
  std::int64_t width = 1;   ///< elements of a step of the columns
  std::int64_t height = 1;  ///< rows of a step of the rows
  std::int64_t out = 0;     ///< where the first block starts, in bytes
  std::int64_t blocks = 1;
  BlockResult result{};

  /// From row to row, where steps of the rows are so far apart.
  std::int64_t row_pitch(std::int64_t step) const { return height == 1 ? step : step / height; }
  static std::size_t kind(std::size_t rows, std::size_t columns) {
    return rows * BlockLoop::kinds + columns;
  }
  /// Calls visit(loop, step) for the loops around block b, innermost first; which block of rows and
  /// which of columns it is, of so many.
  template <class Visit>
  BlockAt locate(std::int64_t b, const BlockAt& all, const Visit& visit) const {
    const auto take = [&](std::int64_t extent) {
      const std::int64_t step = b % extent;
      b /= extent;
      return step;
    };
    BlockAt at{0, take(all.column)};
    if (!is_within) at.row = take(all.row);
    for (std::size_t loop = around.size(); loop-- > 0;) {
      visit(loop, take(around[loop].extent));
      if (is_within && loop + 1 == around.size()) at.row = take(all.row);
    }
    return at;
  }
  BlockAt all() const { return {rows.blocks(), columns.blocks()}; }
  /// Whether rows of so many elements, in blocks of that kind of columns, follow one another
  /// wherever they lie: programs compute them as one.
  bool are_one_row(std::int64_t rows_of_block, std::int64_t elements,
                   std::size_t column_kind) const {
    const std::int64_t out_pitch =
        result.is_aside() ? result.pitch[column_kind] : row_pitch(rows.out);
    return rows_of_block > 1 && out_pitch == elements * element &&
           std::all_of(operands.begin(), operands.end(), [&](const BlockOperand& operand) {
             const std::int64_t pitch = operand.finding == Finding::gathered
                                            ? operand.aside_pitch[column_kind]
                                            : row_pitch(operand.row);
             return pitch == (operand.period > 0 ? 0 : elements * operand.bytes);
           });
  }
  /// Calls visit(kind, rows, columns, count) for each kind of blocks that there are.
  template <class Visit>
  void for_each_kind(const Visit& visit) const {
    const std::int64_t each = blocks / (rows.blocks() * columns.blocks());
    rows.for_each_kind([&](std::size_t row_kind, std::int64_t r, std::int64_t row_blocks) {
      columns.for_each_kind(
          [&](std::size_t column_kind, std::int64_t c, std::int64_t column_blocks) {
            visit(kind(row_kind, column_kind), r * height, c * width,
                  each * row_blocks * column_blocks);
          });
    });
  }
};

/// What one task puts aside lies on its stack up to here.
inline constexpr std::int64_t near_bytes = 16 * 1024;

/// What carries out one program of a pass. Only read once it is made, so threads may run one at the
/// same time.
struct BlockSteps {
  const ComputeDefinition* kernel = nullptr;  ///< or else
  const Instruction* single = nullptr;        ///< one that no program has, element by element, or
  std::vector<DType> single_types{};          ///< of its operands
  DType made_type = bool_;
  BoundProgram program{};
  SmallVector<std::size_t, 4> constants{};  ///< sources of those of the program
  std::vector<BlockPiece> pieces{};
  std::size_t first_piece = 0;            ///< which of the pass's the first one is
  std::vector<Bound> moves{};             ///< of blocks: operands aside, results into place
  SmallVector<std::int64_t, 2> ends{};    ///< of the blocks of each task, counted over all pieces
  SmallVector<std::uint32_t, 2> order{};  ///< in which tasks are taken, where not by their number
  std::int64_t most_tasks = 1;            ///< of the pass
  std::int64_t aside_bytes = 0;           ///< that a task needs, with those of the program
  bool streams = false;
  std::int64_t ahead = 0;  ///< how far it asks for what it reads, where that is told
  bool is_over_operand =
      false;  ///< what it writes over is lost if it ends half-way, so it does not

  bool is_single() const { return kernel || single; }
  std::int64_t tasks() const { return std::ssize(ends); }
  /// Of all pieces.
  std::int64_t blocks() const { return ends.empty() ? 0 : ends.back(); }
  /// Memory that a task needs beside its stack.
  std::int64_t scratch_bytes() const { return aside_bytes <= near_bytes ? 0 : aside_bytes; }
  /// The same of a task that has none.
  std::int64_t alone_bytes() const {
    return (aside_bytes + cache_line - 1) / cache_line * cache_line;
  }
  /// What they take themselves.
  std::int64_t bytes() const {
    std::size_t operands = 0;
    for (const BlockPiece& piece : pieces) operands += piece.operands.size();
    return static_cast<std::int64_t>(
        pieces.size() * sizeof(BlockPiece) + operands * sizeof(BlockOperand) +
        moves.size() * sizeof(Bound) + ends.size() * sizeof(std::int64_t));
  }
};

/// What steps may take.
struct BlockLimits {
  std::int64_t most_bytes = max_bytes;  ///< themselves; MemoryError beyond
  /// Whether a task should make do with its stack. Blocks are smaller then; where one element of
  /// each operand is more than that, it needs memory even so.
  bool is_tight = false;
  int shrink = 0;  ///< blocks are 2^n times smaller than suits the caches, or yet smaller
  /// Whether the output may be the memory of an operand that it may_write_over(). Links carry it
  /// out then, or a kernel that may.
  bool is_over_operand = false;
  bool streams = false;    ///< whatever the size of the pass
  std::int64_t ahead = 0;  ///< programs ask for what they read so many bytes ahead; 0: as they like
};
BlockSteps make_block_steps(const Pass& pass, const BlockLimits& limits = {},
                            std::size_t program = 0);

/// Runs them on an output and the sources of the plan, on `threads` at most, or 0 for as many as
/// there are, and on no more than can put their operands aside in so many bytes, but one. Throws
/// MemoryError before anything is written.
void run(const BlockSteps& steps, const Pass& pass, std::byte* out,
         std::span<const std::byte* const> sources, int threads,
         std::int64_t most_aside = max_bytes);

/// The same on this thread, which does not finish_streams(); `aside` has alone_bytes().
void run_alone(const BlockSteps& steps, std::byte* out, std::span<const std::byte* const> sources,
               std::byte* aside) noexcept;

/// Passes that read the same are run together, so many at most: a block of each in turn, so that
/// the later ones find in the caches what the first one read.
inline constexpr std::size_t most_beside = 4;
/// Whether these may be one of them: one piece in several tasks, nothing of which is put aside.
bool may_run_beside(const BlockSteps& steps);
/// Whether two of those read anything in common, element by element.
bool read_in_common(const BlockSteps& a, const BlockSteps& b);

struct BlockRun {
  const BlockSteps* steps;
  std::byte* out;
};
/// Runs several, none of which reads what another one writes.
void run_beside(std::span<const BlockRun> runs, std::span<const std::byte* const> sources,
                int threads);

/// What is told of a step that no kernel carries out.
inline constexpr std::string_view single_name = "one by one";
/// The name of what computes, and what one block of a piece moves.
std::string_view name_of(const BlockSteps& steps);
Traffic traffic_of(const BlockPiece& piece, std::int64_t rows, std::int64_t columns);

/// How many tasks have blocks of the p-th piece.
std::int64_t tasks_of(const BlockSteps& steps, std::size_t p);

/// Calls visit(move, count, reads_source) for what puts operands aside and results into place, and
/// how often.
template <class Visit>
void for_each_move(const BlockSteps& steps, const Visit& visit) {
  const auto gather = [&](const BlockOperand& operand, std::size_t kind, std::int64_t count) {
    const std::uint32_t own = operand.gather[kind];
    const bool is_staged = operand.staged >= 0;
    if (is_staged) visit(steps.moves[own - 1], count, true);
    visit(steps.moves[own], count, !is_staged);
  };
  for (std::size_t p = 0; p < steps.pieces.size(); ++p) {
    const BlockPiece& piece = steps.pieces[p];
    for (const BlockOperand& operand : piece.operands)
      if (operand.is_repeated) gather(operand, 0, tasks_of(steps, p));
    piece.for_each_kind([&](std::size_t kind, std::int64_t, std::int64_t, std::int64_t count) {
      for (const BlockOperand& operand : piece.operands)
        if (operand.finding == Finding::gathered && !operand.is_repeated)
          gather(operand, kind, count);
      if (piece.result.is_aside()) visit(steps.moves[piece.result.move[kind]], count, false);
    });
  }
}

}  // namespace weft

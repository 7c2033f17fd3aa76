// SPDX-License-Identifier: Apache-2.0
// Running blocks, in parallel where there are several tasks.
#include <algorithm>
#include <array>
#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <weft/engine/kernels/counting.h>
#include <weft/engine/memory/buffer.h>
#include <weft/engine/run/blocks.h>
#include <weft/engine/run/task_queue.h>
#include <weft/engine/run/trace.h>
#include <weft/engine/run/workers.h>

namespace weft {
namespace {

using Sources = std::span<const std::byte* const>;

/// A task, with memory of its own.
class Task {
 public:
  Task(const BlockSteps& steps, std::byte* out, Sources sources, std::byte* aside) noexcept
      : steps_(steps), out_(out), sources_(sources), aside_(aside) {
    if (steps.is_single()) return;
    ProgramManner manner{steps.streams, steps.is_over_operand};
    if (steps.ahead > 0) manner.ahead = steps.ahead, manner.asks = true;
    program_.emplace(steps.program, manner,
                     aside + steps.aside_bytes - steps.program.scratch_bytes(), sources.data(),
                     steps.constants);
    operands_ = program_->operands();
  }

  /// Makes ready for blocks of a piece; puts aside what is the same for all of them.
  void begin(const BlockPiece& piece) noexcept {
    all_ = piece.all();
    if (steps_.kernel) form_ = form_of(piece);
    for (const BlockOperand& operand : piece.operands)
      if (operand.is_repeated) gather(operand, 0, sources_[operand.source] + operand.first);
  }

  /// Block b of a piece that has begun.
  void run(const BlockPiece& piece, std::int64_t b) noexcept {
    const std::size_t operands = piece.operands.size();
    ProgramBlock block{
        1, 1, out_ + piece.out, piece.row_pitch(piece.rows.out), {operands_, operands}};
    for (std::size_t k = 0; k < operands; ++k) {
      const BlockOperand& operand = piece.operands[k];
      operands_[k] = {sources_[operand.source] + operand.first, piece.row_pitch(operand.row),
                      operand.period};
    }
    const BlockAt at = piece.locate(b, all_, [&](std::size_t loop, std::int64_t step) {
      block.out += step * piece.around[loop].out;
      for (std::size_t k = 0; k < operands; ++k)
        operands_[k].at += step * piece.steps[loop * operands + k];
    });
    const std::int64_t first_row = piece.rows.begin(at.row),
                       first_column = piece.columns.begin(at.column);
    block.out += first_row * piece.rows.out + first_column * piece.columns.out;
    for (std::size_t k = 0; k < operands; ++k)
      operands_[k].at +=
          first_row * piece.operands[k].row + first_column * piece.operands[k].column;
    block.rows = piece.rows.steps(at.row) * piece.height;
    block.columns = piece.columns.steps(at.column) * piece.width;
    const std::size_t column_kind = piece.columns.kind(at.column, all_.column),
                      kind = BlockPiece::kind(piece.rows.kind(at.row, all_.row), column_kind);
    for (std::size_t k = 0; k < operands; ++k)
      if (piece.operands[k].finding == Finding::gathered) {
        if (!piece.operands[k].is_repeated) gather(piece.operands[k], kind, operands_[k].at);
        operands_[k] = {aside_ + piece.operands[k].aside,
                        piece.operands[k].aside_pitch[column_kind]};
      }
    std::byte* const out = block.out;
    if (piece.result.is_aside()) {
      block.out = aside_ + piece.result.aside;
      block.out_pitch = piece.result.pitch[column_kind];
      block.may_stream = false;
    }
    if (!steps_.is_single() && piece.are_one_row(block.rows, block.columns, column_kind))
      block.columns *= std::exchange(block.rows, 1);
    compute(piece, block);
    if (!piece.result.is_aside()) return;
    weft::carry_out(steps_.moves[piece.result.move[kind]], out, block.out);
  }

 private:
  void gather(const BlockOperand& operand, std::size_t kind, const std::byte* from) noexcept {
    const std::uint32_t own = operand.gather[kind];
    if (operand.staged >= 0) {
      std::byte* const runs = aside_ + operand.staged;
      weft::carry_out(steps_.moves[own - 1], runs, from);
      from = runs;
    }
    weft::carry_out(steps_.moves[own], aside_ + operand.aside, from);
  }

  void compute(const BlockPiece& piece, const ProgramBlock& block) noexcept {
    if (steps_.kernel) carry_out_kernel(block);
    else if (steps_.single) carry_out_single(piece, block);
    else program_->carry_out(block);
  }

  ComputeForm form_of(const BlockPiece& piece) const noexcept {
    ComputeForm form{piece.element, piece.operands.size(), {}, {}, {}, steps_.streams};
    for (std::size_t k = 0; k < form.operands; ++k) {
      form.bytes[k] = piece.operands[k].bytes;
      form.is_still[k] = piece.operands[k].finding == Finding::still;
      form.is_far[k] = piece.operands[k].is_far;
    }
    return form;
  }
  void carry_out_kernel(const ProgramBlock& block) const noexcept {
    ComputeBlock whole;
    whole.rows = block.rows, whole.columns = block.columns;
    whole.out = block.out, whole.out_pitch = block.out_pitch;
    for (std::size_t k = 0; k < form_.operands; ++k) {
      whole.at[k] = block.operands[k].at;
      whole.pitch[k] = block.operands[k].pitch;
    }
    weft::carry_out(*steps_.kernel, form_, whole);
  }

  /// Element by element.
  void carry_out_single(const BlockPiece& piece, const ProgramBlock& block) const noexcept {
    const CountedRun counted(single_name);
#ifdef WEFT_CHECK_INVARIANTS
    const Traffic moved = traffic_of(piece, block.rows, block.columns);
    count_moved(moved.read, moved.written);
#endif
    std::array<const std::byte*, most_operands> at{};
    for (std::int64_t row = 0; row < block.rows; ++row)
      for (std::int64_t column = 0; column < block.columns; ++column) {
        for (std::size_t k = 0; k < piece.operands.size(); ++k)
          at[k] = operands_[k].at + row * operands_[k].pitch +
                  (operands_[k].period == 1 ? 0 : column * piece.operands[k].bytes);
        steps_.single->compute({steps_.single_types, at.data(), steps_.made_type,
                                block.out + row * block.out_pitch + column * piece.element});
      }
  }

  const BlockSteps& steps_;
  std::byte* const out_;
  const Sources sources_;
  std::byte* const aside_;
  std::optional<ProgramRun> program_;
  std::array<ProgramOperand, most_operands> few_;
  ProgramOperand* operands_ = few_.data();
  ComputeForm form_;  // of a kernel
  BlockAt all_{};     // of the piece that has begun
};

/// Blocks [begin, end), counted over all pieces.
void run_blocks(const BlockSteps& steps, std::int64_t begin, std::int64_t end,
                Task& task) noexcept {
  std::int64_t before = 0;
  for (const BlockPiece& piece : steps.pieces) {
    if (before >= end) return;
    const std::int64_t first = std::max<std::int64_t>(0, begin - before),
                       last = std::min(piece.blocks, end - before);
    if (first < last) task.begin(piece);
    for (std::int64_t b = first; b < last; ++b) task.run(piece, b);
    before += piece.blocks;
  }
}

}  // namespace

void run(const BlockSteps& steps, const Pass& pass, std::byte* out, Sources sources, int threads,
         std::int64_t most_aside) {
  const std::int64_t tasks = steps.tasks(), scratch = steps.scratch_bytes();
  const Workers workers(tasks == 1 ? 1 : threads);
  std::int64_t at_once = std::min(workers.count(), tasks);
  std::shared_ptr<std::byte> memory;
  if (scratch > 0) {
    at_once = std::clamp<std::int64_t>(most_aside / scratch, 1, at_once);
    const std::int64_t bytes = at_once * scratch;
    memory = allocate(bytes, pass.what, pass.type.shape);
  }
  TaskQueue queue(tasks, at_once);
  if (!steps.is_over_operand) workers.begin_shares(tasks);
  const auto task = [&](std::int64_t t) {
    alignas(cache_line) std::byte near[near_bytes];
    Task own(steps, out, sources, memory ? memory.get() + t * scratch : near);
    for (std::int64_t k; queue.take(t, k);) {
      if (!steps.is_over_operand) workers.next_share();
      const TraceScope scope(workers.trace(), "kernel", "program");
      if (!steps.order.empty()) k = steps.order[static_cast<std::size_t>(k)];
      run_blocks(steps, k == 0 ? 0 : steps.ends[static_cast<std::size_t>(k - 1)],
                 steps.ends[static_cast<std::size_t>(k)], own);
    }
    if (steps.streams) finish_streams();
  };
  if (at_once == 1) return task(0);
  if (!steps.is_over_operand) return workers.run(at_once, std::ref(task));
  std::vector<unsigned char> done(static_cast<std::size_t>(at_once));
  finish_tasks(done, threads, std::ref(task));
}

void run_alone(const BlockSteps& steps, std::byte* out, Sources sources,
               std::byte* aside) noexcept {
  Task own(steps, out, sources, aside);
  run_blocks(steps, 0, steps.blocks(), own);
}

bool may_run_beside(const BlockSteps& steps) {
  // Numbers of blocks are multiplied.
  constexpr std::int64_t most_blocks = std::int64_t{1} << 30;
  return !steps.is_over_operand && steps.pieces.size() == 1 &&
         steps.pieces[0].blocks <= most_blocks && steps.tasks() > 1 && steps.moves.empty() &&
         steps.scratch_bytes() == 0;
}

bool read_in_common(const BlockSteps& a, const BlockSteps& b) {
  const auto& of_a = a.pieces[0].operands;
  const auto& of_b = b.pieces[0].operands;
  return std::any_of(of_a.begin(), of_a.end(), [&](const BlockOperand& x) {
    return x.finding == Finding::in_place &&
           std::any_of(of_b.begin(), of_b.end(), [&](const BlockOperand& y) {
             return y.finding == Finding::in_place && y.source == x.source && y.first == x.first;
           });
  });
}

void run_beside(std::span<const BlockRun> runs, Sources sources, int threads) {
  const BlockSteps& lead = *runs[0].steps;
  const std::int64_t tasks = lead.tasks(), blocks = lead.pieces[0].blocks;
  const Workers workers(threads);
  const std::int64_t at_once = std::min(workers.count(), tasks);
  TaskQueue queue(tasks, at_once);
  workers.begin_shares(tasks);
  const auto task = [&](std::int64_t worker) {
    alignas(cache_line) std::byte near[most_beside][near_bytes];
    std::array<std::optional<Task>, most_beside> own;
    for (std::size_t k = 0; k < runs.size(); ++k)
      own[k].emplace(*runs[k].steps, runs[k].out, sources, near[k]).begin(runs[k].steps->pieces[0]);
    for (std::int64_t t; queue.take(worker, t);) {
      workers.next_share();
      const TraceScope scope(workers.trace(), "kernel", "programs");
      const std::int64_t end = lead.ends[static_cast<std::size_t>(t)];
      for (std::int64_t b = t == 0 ? 0 : lead.ends[static_cast<std::size_t>(t - 1)]; b < end; ++b)
        for (std::size_t k = 0; k < runs.size(); ++k) {
          // Others may be cut differently: as large a part of theirs.
          const BlockPiece& piece = runs[k].steps->pieces[0];
          const std::int64_t last = (b + 1) * piece.blocks / blocks;
          for (std::int64_t i = b * piece.blocks / blocks; i < last; ++i) own[k]->run(piece, i);
        }
    }
    finish_streams();
  };
  if (at_once == 1) return task(0);
  workers.run(at_once, std::ref(task));
}

}  // namespace weft

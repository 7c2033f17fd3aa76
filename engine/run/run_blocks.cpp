// SPDX-License-Identifier: Apache-2.0
// Running blocks, in parallel where there are several tasks.
#include <algorithm>
#include <atomic>
#include <functional>
#include <memory>

#include <weft/engine/memory/buffer.h>
#include <weft/engine/run/blocks.h>
#include <weft/engine/run/workers.h>

namespace weft {
namespace {

using Sources = std::span<const std::byte* const>;

/// Block b of a piece.
void run_block(const BlockSteps& steps, const BlockPiece& piece, std::int64_t b, std::byte* out,
               Sources sources, std::byte* aside) noexcept {
  const std::size_t operands = piece.form.operands;
  ComputeBlock block{1, 1, out + piece.out, piece.rows.out, {}, {}};
  for (std::size_t k = 0; k < operands; ++k) {
    block.at[k] = sources[piece.source[k]] + piece.first[k];
    block.pitch[k] = piece.rows.src[k];
  }
  const auto go = [&](const BlockLoop& loop, std::int64_t step) {
    block.out += step * loop.out;
    for (std::size_t k = 0; k < operands; ++k) block.at[k] += step * loop.src[k];
  };
  const std::int64_t column_blocks = piece.columns.blocks(), row_blocks = piece.rows.blocks();
  const std::int64_t row = b / column_blocks % row_blocks, column = b % column_blocks;
  go(piece.columns, piece.columns.begin(column));
  go(piece.rows, piece.rows.begin(row));
  std::int64_t left = b / column_blocks / row_blocks;
  for (std::size_t loop = piece.around.size(); loop-- > 0;) {
    go(piece.around[loop], left % piece.around[loop].extent);
    left /= piece.around[loop].extent;
  }
  block.rows = piece.rows.steps(row);
  block.columns = piece.columns.steps(column) * piece.width;
  const std::size_t column_kind = piece.columns.kind(column);
  const std::size_t kind = BlockPiece::kind(piece.rows.kind(row), column_kind);
  for (std::size_t k = 0; k < operands; ++k) {
    if (piece.finding[k] != Finding::gathered) continue;
    std::byte* const to = aside + piece.aside[k];
    const std::uint32_t gather = piece.gather[k][kind];
    if (piece.staged[k] >= 0) {
      std::byte* const runs = aside + piece.staged[k];
      carry_out(steps.gathers[gather - 1], runs, &block.at[k]);
      block.at[k] = runs;
    }
    carry_out(steps.gathers[gather], to, &block.at[k]);
    block.at[k] = to;
    block.pitch[k] = piece.aside_pitch[k][column_kind];
  }
  carry_out(*steps.kernel, piece.form, block);
}

/// Blocks [begin, end), counted over all pieces.
void run_blocks(const BlockSteps& steps, std::int64_t begin, std::int64_t end, std::byte* out,
                Sources sources, std::byte* aside) noexcept {
  std::int64_t before = 0;
  for (const BlockPiece& piece : steps.pieces) {
    if (before >= end) return;
    for (std::int64_t b = std::max<std::int64_t>(0, begin - before);
         b < std::min(piece.blocks, end - before); ++b)
      run_block(steps, piece, b, out, sources, aside);
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
    memory = allocate(std::max(bytes, std::min(kept_from, most_aside)), pass.what, pass.type.shape);
  }
  std::atomic<std::int64_t> next = 0;
  const auto task = [&](std::int64_t t) {
    alignas(cache_line) std::byte near[near_bytes];
    std::byte* const aside = memory ? memory.get() + t * scratch : near;
    for (std::int64_t k; (k = next.fetch_add(1)) < tasks;)
      run_blocks(steps, k == 0 ? 0 : steps.ends[static_cast<std::size_t>(k - 1)],
                 steps.ends[static_cast<std::size_t>(k)], out, sources, aside);
    if (steps.streams) finish_streams();
  };
  if (at_once == 1) return task(0);
  workers.run(at_once, std::ref(task));
}

}  // namespace weft

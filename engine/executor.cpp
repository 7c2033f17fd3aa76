// SPDX-License-Identifier: Apache-2.0
// Passes: tasks over pieces or stretches of the output; the only place that knows TBB.
#include <weft/engine/executor.h>

#include <algorithm>
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <weft/engine/buffer.h>
#include <weft/engine/clip.h>
#include <weft/engine/lower.h>
#include <weft/engine/pieces.h>

namespace weft {
namespace {

// Outputs below this stay on the calling thread: waking others costs more than they save.
constexpr std::int64_t parallel_bytes = 256 * 1024;
// Below this, finding pairs among the copies costs more than they save.
constexpr std::int64_t paired_bytes = 1024;
// A task's share of the output, where it may be written in any order.
constexpr std::int64_t task_bytes = 512 * 1024;
// A stretch that is put together in a core's cache before it is written.
constexpr std::int64_t stretch_bytes = 128 * 1024;

// Outputs from this size on do not stay in the caches until they are read, so they are streamed;
// from half of it on where kernels read and write in order.
constexpr std::int64_t streamed_bytes = 8 * 1024 * 1024;
constexpr std::int64_t streamed_early_bytes = 4 * 1024 * 1024;

/// One pass with all that its copies need.
struct PassRun {
  const Pass& pass;
  std::int64_t element;
  bool streams, streams_early, is_vast;
  std::byte* out;
  std::span<const std::byte* const> sources;

  std::int64_t bytes() const { return pass.count * element; }

  void carry_out(const Copy& copy, std::byte* to, const Writing& writing) const {
    weft::carry_out(copy, lower(copy, element, writing), element, to, sources[copy.source]);
  }

  void carry_out(const Piece& piece, const Writing& writing) const {
    if (!piece.beside) return carry_out(piece.copy, out, writing);
    carry_out_pair(piece, element, writing, out, sources[piece.copy.source],
                   sources[piece.beside->source]);
  }
};

/// The threads an evaluation may use.
class Workers {
 public:
  explicit Workers(int asked)
      : most_(tbb::this_task_arena::max_concurrency()),
        count_(asked > 0 ? std::min(asked, most_) : most_) {}

  /// Calls task(t) for every t below `tasks`, in any order.
  template <class Task>
  void run(std::int64_t tasks, const Task& task) const {
    const auto all = [&] {
      // Isolated: a thread that waits here must not take up another evaluation, which might wait
      // for the value that this one is to make.
      tbb::this_task_arena::isolate([&] {
        tbb::parallel_for(tbb::blocked_range<std::int64_t>(0, tasks), [&](const auto& range) {
          for (std::int64_t t = range.begin(); t < range.end(); ++t) task(t);
        });
      });
    };
    if (count_ == 1) {
      for (std::int64_t t = 0; t < tasks; ++t) task(t);
    } else if (count_ < most_) {
      tbb::task_arena(count_).execute(all);
    } else {
      all();
    }
  }

 private:
  int most_, count_;
};

/// Parts of the pieces, in any order.
void run_pieces(const PassRun& run, const std::vector<Piece>& whole, const Workers& workers) {
  const std::int64_t share = std::clamp(run.bytes() / 8, task_bytes / 8, task_bytes);
  const std::vector<Piece> pieces = cut(whole, run.element, share);
  std::vector<std::size_t> ends;  // of the pieces of each task
  std::int64_t bytes = 0;
  for (std::size_t k = 0; k < pieces.size(); ++k) {
    bytes += pieces[k].count() * run.element;
    if (bytes < share / 2 && k + 1 < pieces.size()) continue;
    ends.push_back(k + 1);
    bytes = 0;
  }
  workers.run(std::ssize(ends), [&](std::int64_t t) {
    const auto task = static_cast<std::size_t>(t);
    for (std::size_t k = task == 0 ? 0 : ends[task - 1]; k < ends[task]; ++k)
      run.carry_out(
          pieces[k],
          {.streams = run.streams, .streams_early = run.streams_early, .is_vast = run.is_vast});
    if (run.streams_early) finish_streams();
  });
}

/// Stretches of the output, each put together by all pieces in their order while it is in a cache.
void run_stretches(const PassRun& run, const std::vector<Piece>& whole, const Workers& workers) {
  const std::vector<Copy> copies = paint_pairs(whole);
  const std::int64_t share = std::max<std::int64_t>(cache_line, stretch_bytes / run.element);
  const std::int64_t tasks = (run.pass.count + share - 1) / share;
  // Streamed ones are put together aside.
  const std::shared_ptr<std::byte> aside =
      run.streams ? allocate(tbb::this_task_arena::max_concurrency() * share * run.element)
                  : nullptr;
  workers.run(tasks, [&](std::int64_t t) {
    const std::int64_t begin = t * share, end = std::min(run.pass.count, begin + share);
    // Negative outside of any arena, where tasks follow one another.
    const int thread = std::max(0, tbb::this_task_arena::current_thread_index());
    std::byte* const to =
        aside ? aside.get() + thread * share * run.element : run.out + begin * run.element;
    std::vector<Copy> pieces;
    for (const Copy& copy : copies) {
      pieces.clear();
      clip(copy, begin, end, pieces);
      for (Copy& piece : pieces) {
        piece.out_offset -= begin;
        run.carry_out(piece, to, {.owns_gaps = true});
      }
    }
    if (!aside) return;
    copy_run(run.out + begin * run.element, to, (end - begin) * run.element, true);
    finish_streams();
  });
}

/// All in their order, on the calling thread.
void run_here(const PassRun& run) {
  if (run.bytes() < paired_bytes) {
    for (const Copy& copy : run.pass.copies) run.carry_out(copy, run.out, {.owns_gaps = true});
    return;
  }
  for (const Piece& piece : pair_up(run.pass, run.element))
    run.carry_out(piece, {.owns_gaps = true});
}

}  // namespace

void run_pass(const Pass& pass, std::int64_t element, const PassTarget& target,
              std::span<const std::byte* const> sources, int threads) {
  const std::int64_t bytes = pass.count * element;
  // What is streamed is put together aside, where a base is not.
  const bool streams_early = bytes >= streamed_early_bytes && !target.is_over_base;
  const PassRun run{pass,
                    element,
                    streams_early && bytes >= streamed_bytes,
                    streams_early,
                    streams_early && bytes >= last_cache_bytes() / 4,
                    target.out,
                    sources};
  const std::int64_t moved = target.is_over_base ? pass.written() * element : bytes;
  if (moved < parallel_bytes) return run_here(run);
  const Workers workers(threads);
  const std::vector<Piece> pieces = pair_up(pass, element);
  if (!pass.is_painted && writes_lines(pieces, pass.count, element))
    run_pieces(run, pieces, workers);
  else run_stretches(run, pieces, workers);
}

void run_tasks(std::int64_t tasks, int threads, const std::function<void(std::int64_t)>& task) {
  if (tasks == 1) return task(0);
  Workers(threads).run(tasks, task);
}

void run_parts(std::int64_t count, std::int64_t bytes, int threads,
               const std::function<void(std::int64_t, std::int64_t)>& work) {
  if (bytes < parallel_bytes || count < 2) return work(0, count);
  const std::int64_t tasks = std::min(count, bytes / (task_bytes / 4));
  const std::int64_t share = (count + tasks - 1) / tasks;
  Workers(threads).run((count + share - 1) / share,
                       [&](std::int64_t t) { work(t * share, std::min(count, (t + 1) * share)); });
}

}  // namespace weft

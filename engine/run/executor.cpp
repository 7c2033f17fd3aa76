// SPDX-License-Identifier: Apache-2.0
// Passes: tasks over pieces or stretches of the output; the only place that knows TBB.
#include <weft/engine/run/executor.h>

#include <algorithm>
#include <atomic>
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <weft/engine/memory/buffer.h>
#include <weft/engine/run/clip.h>
#include <weft/engine/run/lower.h>
#include <weft/engine/run/pieces.h>

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
    weft::carry_out(lower(copy, element, writing), to, sources[copy.source]);
  }

  void carry_out(const Piece& piece, const Writing& writing) const {
    if (!piece.beside) return carry_out(piece.copy, out, writing);
    carry_out(piece, lower(piece, element, writing));
  }
  void carry_out(const Piece& piece, const LoweredPiece& lowered) const noexcept {
    weft::carry_out(lowered, out, sources[piece.copy.source],
                    piece.beside ? sources[piece.beside->source] : nullptr);
  }
};

/// The threads an evaluation may use.
class Workers {
 public:
  explicit Workers(int asked)
      // One thread needs no TBB, which may fail for want of memory.
      : most_(asked == 1 ? 1 : tbb::this_task_arena::max_concurrency()),
        count_(asked > 0 ? std::min(asked, most_) : most_) {}

  /// How many run at the same time at most, and so tasks that work until nothing is left.
  std::int64_t count() const { return count_; }

  /// Calls task(t) for every t below `tasks`, in any order.
  template <class Task>
  void run(std::int64_t tasks, const Task& task) const {
    const auto all = [&] {
      // Isolated: a thread that waits here must not take up another evaluation, which might wait
      // for the value that this one is to make.
      tbb::this_task_arena::isolate([&] {
        // In a group of its own: where that of the caller is cancelled, tasks would be left out.
        tbb::task_group_context own(tbb::task_group_context::isolated);
        tbb::parallel_for(
            tbb::blocked_range<std::int64_t>(0, tasks),
            [&](const auto& range) {
              for (std::int64_t t = range.begin(); t < range.end(); ++t) task(t);
            },
            own);
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

/// Cuts pieces that may be carried out in any order into parts, and says where those of each task
/// end.
struct Parts {
  Parts(const PassRun& run, const std::vector<Piece>& whole) {
    const std::int64_t share = std::clamp(run.bytes() / 8, task_bytes / 8, task_bytes);
    pieces = cut(whole, run.element, share);
    std::int64_t bytes = 0;
    for (std::size_t k = 0; k < pieces.size(); ++k) {
      bytes += pieces[k].count() * run.element;
      if (bytes < share / 2 && k + 1 < pieces.size()) continue;
      ends.push_back(k + 1);
      bytes = 0;
    }
  }

  std::vector<Piece> pieces;
  std::vector<std::size_t> ends;
};

/// Calls visit(k) for the items of task t, where those of each task end as `ends` says.
template <class Visit>
void for_each_of_task(const std::vector<std::size_t>& ends, std::int64_t t, const Visit& visit) {
  const auto task = static_cast<std::size_t>(t);
  for (std::size_t k = task == 0 ? 0 : ends[task - 1]; k < ends[task]; ++k) visit(k);
}

/// Parts of the pieces, in any order.
void run_pieces(const PassRun& run, const std::vector<Piece>& whole, const Workers& workers) {
  const Parts parts(run, whole);
  const Writing writing{
      .streams = run.streams, .streams_early = run.streams_early, .is_vast = run.is_vast};
  workers.run(std::ssize(parts.ends), [&](std::int64_t t) {
    for_each_of_task(parts.ends, t,
                     [&](std::size_t k) { run.carry_out(parts.pieces[k], writing); });
    if (run.streams_early) finish_streams();
  });
}

/// Equal parts of the output, in its order.
struct Stretches {
  explicit Stretches(const PassRun& run)
      : all(run.pass.count),
        share(std::max<std::int64_t>(cache_line, stretch_bytes / run.element)),
        count((all + share - 1) / share) {}

  std::int64_t begin(std::int64_t k) const { return k * share; }
  std::int64_t end(std::int64_t k) const { return std::min(all, (k + 1) * share); }

  std::int64_t all, share, count;
};

/// Stretches of the output, each put together by all pieces in their order while it is in a cache.
void run_stretches(const PassRun& run, const std::vector<Piece>& whole, const Workers& workers) {
  const std::vector<Copy> copies = paint_pairs(whole);
  const Stretches stretches(run);
  const auto put_together = [&](std::int64_t k, std::byte* to, std::vector<Copy>& pieces) {
    for (const Copy& copy : copies) {
      pieces.clear();
      clip(copy, stretches.begin(k), stretches.end(k), pieces);
      for (Copy& piece : pieces) {
        piece.out_offset -= stretches.begin(k);
        run.carry_out(piece, to, {.owns_gaps = true});
      }
    }
  };
  if (!run.streams) {
    workers.run(stretches.count, [&](std::int64_t k) {
      std::vector<Copy> pieces;
      put_together(k, run.out + stretches.begin(k) * run.element, pieces);
    });
    return;
  }
  // Streamed ones are put together aside: in memory of the task, for how many threads an arena
  // lets in, and under which numbers, is not for us to know.
  const std::int64_t tasks = std::min(workers.count(), stretches.count);
  // Some neighbours at once: two threads that write to one new page wait for each other.
  const std::int64_t at_once = std::clamp<std::int64_t>(stretches.count / (4 * tasks), 1, 16);
  const std::int64_t bytes = stretches.share * run.element;
  const std::shared_ptr<std::byte> aside = allocate(tasks * bytes, run.pass.what, run.pass.shape);
  std::atomic<std::int64_t> next = 0;
  workers.run(tasks, [&](std::int64_t t) {
    std::byte* const to = aside.get() + t * bytes;
    std::vector<Copy> pieces;
    for (std::int64_t first; (first = next.fetch_add(at_once)) < stretches.count;)
      for (std::int64_t k = first; k < std::min(stretches.count, first + at_once); ++k) {
        put_together(k, to, pieces);
        copy_run(run.out + stretches.begin(k) * run.element, to,
                 (stretches.end(k) - stretches.begin(k)) * run.element, true);
      }
    finish_streams();
  });
}

/// A pass that overwrites what cannot be read again: its pieces are all lowered before the first of
/// them is carried out, so that nothing is left to fail.
class Prepared {
 public:
  explicit Prepared(const PassRun& run) : run_(run) {
    const std::vector<Piece> pieces = pair_up(run.pass, run.element);
    if (run.pass.written() * run.element < parallel_bytes) {
      for (const Piece& piece : pieces) add(piece, {.owns_gaps = true});
      ends_.push_back(steps_.size());
    } else if (!run.pass.is_painted && writes_lines(pieces, run.pass.count, run.element)) {
      Parts parts(run, pieces);
      for (const Piece& piece : parts.pieces) add(piece, {});
      ends_ = std::move(parts.ends);
    } else {
      add_stretches(paint_pairs(pieces));
    }
    done_.resize(ends_.size());
  }

  void carry_out(int threads) noexcept {
    const auto task = [&](std::int64_t t) {
      for_each_of_task(ends_, t,
                       [&](std::size_t k) { run_.carry_out(steps_[k].piece, steps_[k].lowered); });
    };
    finish_tasks(done_, threads, std::ref(task));
  }

 private:
  struct Step {
    Piece piece;
    LoweredPiece lowered;
  };

  void add(const Piece& piece, const Writing& writing) {
    steps_.push_back({piece, lower(piece, run_.element, writing)});
  }

  void add_stretches(const std::vector<Copy>& copies) {
    const Stretches stretches(run_);
    std::vector<Copy> clipped;
    for (std::int64_t k = 0; k < stretches.count; ++k) {
      clipped.clear();
      for (const Copy& copy : copies) clip(copy, stretches.begin(k), stretches.end(k), clipped);
      for (const Copy& copy : clipped) add({copy}, {.owns_gaps = true});
      ends_.push_back(steps_.size());
    }
  }

  const PassRun& run_;
  std::vector<Step> steps_;
  std::vector<std::size_t> ends_;  // of the steps of each task
  std::vector<unsigned char> done_;
};

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
  if (target.is_lost_otherwise) return Prepared(run).carry_out(threads);
  if (moved < parallel_bytes) return run_here(run);
  const Workers workers(threads);
  const std::vector<Piece> pieces = pair_up(pass, element);
  if (!pass.is_painted && writes_lines(pieces, pass.count, element))
    run_pieces(run, pieces, workers);
  else run_stretches(run, pieces, workers);
}

void finish_tasks(std::span<unsigned char> done, int threads,
                  const std::function<void(std::int64_t)>& task) noexcept {
  const auto finish = [&](std::int64_t t) {
    task(t);
    done[static_cast<std::size_t>(t)] = 1;
  };
  try {
    if (done.size() > 1) Workers(threads).run(std::ssize(done), finish);
  } catch (...) {
    // TBB had no memory to hand them out: what nobody took is left to this thread.
  }
  for (std::int64_t t = 0; t < std::ssize(done); ++t)
    if (!done[static_cast<std::size_t>(t)]) finish(t);
}

void run_isolated(const std::function<void()>& work) {
  tbb::this_task_arena::isolate([&] { work(); });
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

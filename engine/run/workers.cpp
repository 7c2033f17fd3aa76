// SPDX-License-Identifier: Apache-2.0
// Tasks by TBB: the only place that knows it.
#include <weft/engine/run/workers.h>

#include <algorithm>
#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <weft/engine/run/options.h>
#include <weft/engine/run/trace.h>

namespace weft {
namespace {

/// Of the evaluation that runs on this thread: from there to the tasks are many calls.
thread_local Watch* current_watch = nullptr;

/// What is left of a pass goes to the shares that come next, but for some: more may follow.
constexpr double of_the_rest = 0.9;

bool asks(const EvalOptions& options) {
  return options.stop.stop_possible() || options.should_stop || options.progress;
}

[[noreturn]] void throw_cancelled() { throw Cancelled("eval: stopped before the value was made"); }

}  // namespace

Watch::Watch(const EvalOptions& options)
    : stop_(options.stop),
      should_stop_(options.should_stop),
      progress_(options.progress),
      trace_(options.trace),
      is_asked_(asks(options)),
      outer_(current_watch) {
  current_watch = is_asked_ || trace_ ? this : nullptr;
}
bool Watch::is_needed(const EvalOptions& options) {
  return asks(options) || options.trace || current_watch;
}
Watch::Watch(Trace* trace) : trace_(trace), outer_(current_watch) {
  current_watch = trace ? this : nullptr;
}
Watch::~Watch() { current_watch = outer_; }

void Watch::look() {
  if (!is_stopped_.load(std::memory_order_acquire)) {
    const bool is_asked_here = should_stop_ && std::this_thread::get_id() == caller_;
    if (!stop_.stop_requested() && !(is_asked_here && (*should_stop_)())) return;
    is_stopped_.store(true, std::memory_order_release);
  }
  if (failure_) std::rethrow_exception(failure_);
  throw_cancelled();
}

void Watch::begin_shares(std::int64_t shares) noexcept {
  part_ = (end_ - at_) * of_the_rest;
  shares_ = std::max<std::int64_t>(shares, 1);
  begun_.store(0, std::memory_order_relaxed);
}

void Watch::count_share() {
  look();
  if (!progress_) return;
  const std::int64_t begun = begun_.fetch_add(1, std::memory_order_relaxed);
  if (std::this_thread::get_id() != caller_) return;
  const double done =
      at_ + part_ * static_cast<double>(std::min(begun, shares_)) / static_cast<double>(shares_);
  if (done <= told_ || done >= 1) return;
  told_ = done;
  try {
    (*progress_)(done);
  } catch (...) {
    // Tasks that wait for each other all have to hear of it.
    failure_ = std::current_exception();
    is_stopped_.store(true, std::memory_order_release);
    throw;
  }
}

void check_stop_requested(const EvalOptions& options) {
  if (options.stop.stop_requested() || (options.should_stop && (*options.should_stop)()))
    throw_cancelled();
}

Workers::Workers(int asked)
    // One thread needs no TBB, which may fail for want of memory.
    : most_(asked == 1 ? 1 : tbb::this_task_arena::max_concurrency()),
      count_(asked > 0 ? std::min(asked, most_) : most_),
      watch_(current_watch) {}

bool has_other_threads() {
  using tbb::global_control;
  return Workers(0).count() > 1 &&
         global_control::active_value(global_control::max_allowed_parallelism) > 1;
}

void Workers::run(std::int64_t tasks, const std::function<void(std::int64_t)>& work) const {
  Trace* const trace = this->trace();
  const auto traced = [&](std::int64_t t) {
    const TraceScope scope(trace, "task", "task");
    work(t);
  };
  std::function<void(std::int64_t)> with_trace;
  if (trace) with_trace = std::ref(traced);
  const std::function<void(std::int64_t)>& task = trace ? with_trace : work;
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

void finish_tasks(std::span<unsigned char> done, int threads,
                  const std::function<void(std::int64_t)>& task) noexcept {
  const auto finish = [&](std::int64_t t) {
    task(t);
    done[static_cast<std::size_t>(t)] = 1;
  };
  try {
    if (done.size() > 1) Workers(threads).run(std::ssize(done), std::ref(finish));
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
  const Workers workers(threads);
  const std::int64_t shares = (count + share - 1) / share;
  workers.begin_shares(shares);
  workers.run(shares, [&](std::int64_t t) {
    workers.next_share();
    work(t * share, std::min(count, (t + 1) * share));
  });
}

}  // namespace weft

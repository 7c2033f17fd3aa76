// SPDX-License-Identifier: Apache-2.0
// Tasks by TBB: the only place that knows it.
#include <weft/engine/run/workers.h>

#include <algorithm>
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <weft/engine/run/options.h>

namespace weft {
namespace {

/// Of the evaluation that runs on this thread: from there to the tasks are many calls.
thread_local StopRequest* current_stop = nullptr;

}  // namespace

StopRequest::StopRequest(const std::function<bool()>* should_stop)
    : should_stop_(should_stop), outer_(current_stop) {
  current_stop = should_stop ? this : nullptr;
}
StopRequest::~StopRequest() { current_stop = outer_; }

void StopRequest::look() {
  if (!is_stopped_.load(std::memory_order_relaxed)) {
    if (std::this_thread::get_id() != caller_ || !(*should_stop_)()) return;
    is_stopped_.store(true, std::memory_order_relaxed);
  }
  throw StoppedError("eval: stopped before the value was made");
}

Workers::Workers(int asked)
    // One thread needs no TBB, which may fail for want of memory.
    : most_(asked == 1 ? 1 : tbb::this_task_arena::max_concurrency()),
      count_(asked > 0 ? std::min(asked, most_) : most_),
      stop_(current_stop) {}

void Workers::run(std::int64_t tasks, const std::function<void(std::int64_t)>& task) const {
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
  Workers(threads).run((count + share - 1) / share,
                       [&](std::int64_t t) { work(t * share, std::min(count, (t + 1) * share)); });
}

}  // namespace weft

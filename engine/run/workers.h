// SPDX-License-Identifier: Apache-2.0
// Tasks, on as many threads as an evaluation may use.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <span>
#include <stop_token>
#include <thread>

#include <weft/engine/run/options.h>

namespace weft {

/// Outputs below this stay on the calling thread: waking others costs more than they save.
inline constexpr std::int64_t parallel_bytes = 256 * 1024;
/// A task's share of the output, where it may be written in any order.
inline constexpr std::int64_t task_bytes = 512 * 1024;
/// Outputs from this size on do not stay in the caches until they are read, so they are streamed.
inline constexpr std::int64_t streamed_bytes = 8 * 1024 * 1024;

/// A task's share of an output of so many bytes: of small ones less, so that all threads have some.
inline std::int64_t share_of(std::int64_t bytes) {
  return std::clamp(bytes / 8, task_bytes / 8, task_bytes);
}

/// What the evaluation on this thread is asked and tells. While one lives, Workers made by its
/// thread know it. Where nothing is asked for it is nothing.
class Watch {
 public:
  explicit Watch(const EvalOptions& options);
  /// Whether there is something to ask or tell, or another one that this evaluation is none of.
  static bool is_needed(const EvalOptions& options);
  /// Of what goes on to the end.
  explicit Watch(Trace* trace);
  ~Watch();
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

  /// Throws Cancelled where it is to end, or what the progress threw; any of its threads may call
  /// it.
  void check() {
    if (is_asked_) look();
  }
  /// The part of the whole that comes next.
  void begin_pass(double from, double to) noexcept {
    at_ = from;
    end_ = to;
  }
  /// So many shares come next, of which each calls next_share.
  void begin_shares(std::int64_t shares) noexcept;
  /// Checks, and tells what is done.
  void next_share() {
    if (is_asked_) count_share();
  }
  bool tells_progress() const noexcept { return progress_ != nullptr; }
  Trace* trace() const noexcept { return trace_; }

 private:
  void look();
  void count_share();

  const std::stop_token stop_{};
  const std::function<bool()>* const should_stop_ = nullptr;
  const std::function<void(double)>* const progress_ = nullptr;
  Trace* const trace_ = nullptr;
  const bool is_asked_ = false;
  Watch* const outer_;
  const std::thread::id caller_ = std::this_thread::get_id();
  std::atomic<bool> is_stopped_ = false;
  std::exception_ptr failure_{};  // of the progress; set before is_stopped_
  double at_ = 0, end_ = 0;       // of the shares, and of their pass
  double part_ = 0, told_ = 0;
  std::int64_t shares_ = 1;
  std::atomic<std::int64_t> begun_ = 0;
};

/// Throws Cancelled where a stop is requested; for what is not watched.
void check_stop_requested(const EvalOptions& options);
inline void check_stop(const EvalOptions& options) {
  if (options.stop.stop_possible() || options.should_stop) check_stop_requested(options);
}
/// The same as a function, empty where nothing is asked; the options outlive it.
inline std::function<void()> stop_check(const EvalOptions& options) {
  if (!options.stop.stop_possible() && !options.should_stop) return {};
  return [&options] { check_stop_requested(options); };
}

/// The threads an evaluation may use.
class Workers {
 public:
  /// `asked` at most, or 0 for as many as there are.
  explicit Workers(int asked);

  /// How many run at the same time at most, and so tasks that work until nothing is left.
  std::int64_t count() const { return count_; }

  /// Calls task(t) for every t below `tasks`, in any order.
  void run(std::int64_t tasks, const std::function<void(std::int64_t)>& task) const;

  /// Before tasks that go through so many shares together.
  void begin_shares(std::int64_t shares) const noexcept {
    if (watch_) watch_->begin_shares(shares);
  }
  /// For tasks, before each share of theirs: Cancelled where the evaluation is to end.
  void next_share() const {
    if (watch_) watch_->next_share();
  }
  /// The same while they wait.
  void check_stop() const {
    if (watch_) watch_->check();
  }
  /// Where tasks write down what they do, or null.
  Trace* trace() const noexcept { return watch_ ? watch_->trace() : nullptr; }

 private:
  int most_, count_;
  Watch* watch_;
};

/// Whether all threads are more than this one, by the arena that it is in and by TBB's own limit.
bool has_other_threads();

/// Calls task(t) once for every t below done.size(), in any order, on `threads` at most, or 0 for
/// as many as there are. For tasks that must not end half-way and do not throw; `done` has a 0 for
/// each. Nothing fails: what no other thread can take runs on this one.
void finish_tasks(std::span<unsigned char> done, int threads,
                  const std::function<void(std::int64_t)>& task) noexcept;

/// Calls `work`, which may wait for tasks of its own: its thread takes up no others meanwhile.
void run_isolated(const std::function<void()>& work);

/// Calls work(begin, end) for parts of [0, count), of which all make so many bytes.
void run_parts(std::int64_t count, std::int64_t bytes, int threads,
               const std::function<void(std::int64_t, std::int64_t)>& work);

}  // namespace weft

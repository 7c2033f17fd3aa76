// SPDX-License-Identifier: Apache-2.0
// Tasks, on as many threads as an evaluation may use.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <thread>

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

/// Whether the evaluation on this thread is to end. While one lives, Workers made by its thread ask
/// it.
class StopRequest {
 public:
  /// None: it goes on to the end.
  explicit StopRequest(const std::function<bool()>* should_stop);
  ~StopRequest();
  StopRequest(const StopRequest&) = delete;
  StopRequest& operator=(const StopRequest&) = delete;

  /// Throws StoppedError where it is to end; any of its threads may call it.
  void check() {
    if (should_stop_) look();
  }

 private:
  void look();

  const std::function<bool()>* const should_stop_;
  StopRequest* const outer_;
  const std::thread::id caller_ = std::this_thread::get_id();
  std::atomic<bool> is_stopped_ = false;
};

/// The threads an evaluation may use.
class Workers {
 public:
  /// `asked` at most, or 0 for as many as there are.
  explicit Workers(int asked);

  /// How many run at the same time at most, and so tasks that work until nothing is left.
  std::int64_t count() const { return count_; }

  /// Calls task(t) for every t below `tasks`, in any order.
  void run(std::int64_t tasks, const std::function<void(std::int64_t)>& task) const;

  /// For tasks, between one share of theirs and the next: StoppedError where the evaluation is to
  /// end.
  void check_stop() const {
    if (stop_) stop_->check();
  }

 private:
  int most_, count_;
  StopRequest* stop_;
};

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

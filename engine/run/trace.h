// SPDX-License-Identifier: Apache-2.0
// What evaluations did when.
#pragma once

#include <chrono>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <unordered_map>
#include <vector>

namespace weft {

/// Passes, tasks and kernels of evaluations (EvalOptions::trace), as they began and ended on their
/// threads. Events of a thread follow one another or are nested, and last a nanosecond at least.
/// Where memory runs out, or beyond a million, events are left out. Any thread may use it; it
/// outlives the evaluations.
class Trace {
 public:
  Trace() = default;
  Trace(const Trace&) = delete;
  Trace& operator=(const Trace&) = delete;

  /// How many events there are.
  std::size_t size() const;
  /// JSON in the form of Chrome's trace events, complete ones, times in microseconds: for
  /// chrome://tracing, Perfetto and the like.
  std::string json() const;

 private:
  friend class TraceScope;
  struct Event {
    std::string name;
    const char* category;
    std::int64_t begin, end;  // nanoseconds
    std::uint32_t thread;
  };
  struct Thread {
    std::uint32_t number;
    std::int64_t last;  // what was told last, which the next event may not be before
  };

  std::int64_t begin() noexcept;
  void end(const char* category, std::string_view name, std::int64_t begin) noexcept;
  /// The time on this thread, and whose it is.
  std::int64_t now() const noexcept;
  Thread& thread();

  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  mutable std::mutex mutex_;  // guards what follows
  std::vector<Event> events_;
  std::unordered_map<std::thread::id, Thread> threads_;
};

/// An event from here to the end of the scope; none where there is no trace.
class TraceScope {
 public:
  /// The category is a constant, the name outlives the scope.
  TraceScope(Trace* trace, const char* category, std::string_view name) noexcept
      : trace_(trace), category_(category), name_(name), begin_(trace ? trace->begin() : 0) {}
  TraceScope(const TraceScope&) = delete;
  TraceScope& operator=(const TraceScope&) = delete;
  ~TraceScope() {
    if (trace_) trace_->end(category_, name_, begin_);
  }

 private:
  Trace* const trace_;
  const char* const category_;
  const std::string_view name_;
  const std::int64_t begin_;
};

}  // namespace weft

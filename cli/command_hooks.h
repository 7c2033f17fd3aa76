// SPDX-License-Identifier: Apache-2.0
// What the command asks and tells while it works: Ctrl-C, a bar on a terminal, a trace.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>

#include <weft/engine/run/options.h>
#include <weft/engine/run/trace.h>

namespace weft {

/// From here on Ctrl-C is a request to stop.
void catch_interrupts();

/// Hooks of the evaluations of one call of the command.
class CommandHooks {
 public:
  /// The trace goes to that file, or, where that is empty, there is none. Throws FileError where a
  /// file cannot be made there.
  explicit CommandHooks(std::string trace_file);
  ~CommandHooks();
  CommandHooks(const CommandHooks&) = delete;
  CommandHooks& operator=(const CommandHooks&) = delete;

  /// Adds them to options, which they outlive.
  void add_to(EvalOptions& options);
  /// Writes the trace; for what went well.
  void finish();

 private:
  using Clock = std::chrono::steady_clock;
  void show(double done);
  void clear_bar();

  const std::string trace_file_;
  std::optional<Trace> trace_{};
  const Clock::time_point start_ = Clock::now();
  Clock::time_point shown_ = start_;
  bool is_bar_there_ = false;
  const std::function<bool()> should_stop_;
  const std::function<void(double)> progress_;
};

}  // namespace weft

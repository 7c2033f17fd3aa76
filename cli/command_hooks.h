// SPDX-License-Identifier: Apache-2.0
// What the command asks and tells while it works: Ctrl-C, a bar on a terminal, a trace.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include <weft/engine/run/options.h>
#include <weft/engine/run/trace.h>
#include <weft/io/file_format.h>

namespace weft {

/// From here on Ctrl-C is a request to stop, and ends the process where it comes again.
void catch_interrupts();

/// Whether there was one.
const std::function<bool()>& stop_question();

/// Writes all of it to standard output. Throws FileError, and Cancelled after Ctrl-C.
void print_out(std::string_view text);

/// Hooks of the evaluations of one call of the command.
class CommandHooks {
 public:
  /// The trace goes to that file, or, where that is empty, there is none. Throws FileError where a
  /// file cannot be made there, ParameterError where it is the output's.
  explicit CommandHooks(const std::string& trace_file = {}, const std::string& output = {});
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

  std::optional<detail::FileWriter> trace_file_{};
  std::optional<Trace> trace_{};
  const Clock::time_point start_ = Clock::now();
  Clock::time_point shown_ = start_;
  bool is_bar_there_ = false;
  const std::function<void(double)> progress_;
};

}  // namespace weft

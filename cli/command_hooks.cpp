// SPDX-License-Identifier: Apache-2.0
// Bars are plain characters and carriage returns: no escapes, on terminals alone.
#include <weft/cli/command_hooks.h>

#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <system_error>
#include <unistd.h>

#include <weft/graph/value/error.h>
#include <weft/io/output.h>

namespace weft {
namespace {

using namespace std::chrono_literals;

// What takes no longer has no bar, and bars are drawn as often.
constexpr std::chrono::milliseconds bar_after = 1s, bar_every = 100ms;
constexpr std::size_t bar_width = 40;

std::atomic<bool> is_interrupted = false;
extern "C" void interrupt(int) { is_interrupted = true; }

const std::function<bool()> is_asked_to_stop = [] { return is_interrupted.load(); };

/// Whether both lead to the same file, which may not be there yet.
bool is_same_path(const std::string& a, const std::string& b) {
  namespace fs = std::filesystem;
  std::error_code error;
  if (fs::is_other(a, error)) return false;  // a device may get both
  const fs::path real = fs::weakly_canonical(fs::absolute(a, error), error);
  return !real.empty() && real == fs::weakly_canonical(fs::absolute(b, error), error);
}

}  // namespace

void catch_interrupts() {
  struct sigaction action {};
  action.sa_handler = interrupt;
  // What waits for a pipe has to return (no SA_RESTART), and who asks twice does not want to wait.
  action.sa_flags = SA_RESETHAND;
  ::sigaction(SIGINT, &action, nullptr);
}

const std::function<bool()>& stop_question() { return is_asked_to_stop; }

void print_out(std::string_view text) {
  detail::OrderedOutput(STDOUT_FILENO, "standard output", &stop_question()).write(text);
}

CommandHooks::CommandHooks(const std::string& trace_file, const std::string& output)
    : progress_([this](double done) { show(done); }) {
  if (trace_file.empty()) return;
  if (is_same_path(trace_file, output))
    throw ParameterError("bad_trace", fmt::format("--trace {}: the output goes there", trace_file));
  // Before anything is written: what cannot be traced is not done.
  trace_file_.emplace(trace_file, &stop_question());
  trace_.emplace();
}

CommandHooks::~CommandHooks() { clear_bar(); }

void CommandHooks::add_to(EvalOptions& options) {
  options.should_stop = &stop_question();
  if (::isatty(STDERR_FILENO)) options.progress = &progress_;
  if (trace_) options.trace = &*trace_;
}

void CommandHooks::finish() {
  clear_bar();
  if (!trace_) return;
  trace_file_->output().write(trace_->json());
  trace_file_->commit({});
}

void CommandHooks::show(double done) {
  const Clock::time_point now = Clock::now();
  if (now - start_ < bar_after || now - shown_ < bar_every) return;
  shown_ = now;
  is_bar_there_ = true;
  const auto full = static_cast<std::size_t>(done * static_cast<double>(bar_width));
  fmt::print(stderr, "\r[{:#<{}}{:.<{}}] {:3.0f} %", "", full, "", bar_width - full, 100 * done);
  std::fflush(stderr);
}

void CommandHooks::clear_bar() {
  if (!is_bar_there_) return;
  is_bar_there_ = false;
  fmt::print(stderr, "\r{:{}}\r", "", bar_width + std::strlen("[] 100 %"));
  std::fflush(stderr);
}

}  // namespace weft

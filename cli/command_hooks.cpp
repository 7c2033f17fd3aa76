// SPDX-License-Identifier: Apache-2.0
// Bars are plain characters and carriage returns: no escapes, on terminals alone.
#include <weft/cli/command_hooks.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <unistd.h>

#include <weft/graph/value/error.h>
#include <weft/io/file_format.h>
#include <weft/io/output.h>

namespace weft {
namespace {

using namespace std::chrono_literals;

// What takes no longer has no bar, and bars are drawn as often.
constexpr std::chrono::milliseconds bar_after = 1s, bar_every = 100ms;
constexpr std::size_t bar_width = 40;

std::atomic<bool> is_interrupted = false;
extern "C" void interrupt(int) { is_interrupted = true; }

}  // namespace

void catch_interrupts() { std::signal(SIGINT, interrupt); }

CommandHooks::CommandHooks(std::string trace_file)
    : trace_file_(std::move(trace_file)),
      should_stop_([] { return is_interrupted.load(); }),
      progress_([this](double done) { show(done); }) {
  if (trace_file_.empty()) return;
  std::filesystem::path folder = std::filesystem::path(trace_file_).parent_path();
  if (folder.empty()) folder = ".";
  if (::access(folder.c_str(), W_OK) != 0)
    throw FileError(fmt::format("--trace: cannot write {}: {}", trace_file_, std::strerror(errno)));
  trace_.emplace();
}

CommandHooks::~CommandHooks() { clear_bar(); }

void CommandHooks::add_to(EvalOptions& options) {
  options.should_stop = &should_stop_;
  if (::isatty(STDERR_FILENO)) options.progress = &progress_;
  if (trace_) options.trace = &*trace_;
}

void CommandHooks::finish() {
  clear_bar();
  if (trace_)
    detail::write_file(trace_file_, {}, [&](detail::Output& to) { to.write(trace_->json()); });
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

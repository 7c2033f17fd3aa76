// SPDX-License-Identifier: Apache-2.0
// What is told of a file that cannot be read or written, and of waiting for one.
#pragma once

#include <cerrno>
#include <fmt/format.h>
#include <functional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include <weft/engine/run/options.h>
#include <weft/graph/value/error.h>

namespace weft::detail {

/// What the system said of which file.
class SystemError : public FileError {
 public:
  SystemError(const std::string& message, int error, std::string file)
      : FileError(message), number_(error), path_(std::move(file)) {}
  int number() const noexcept { return number_; }  ///< of errno, or 0
  const std::string& path() const noexcept { return path_; }

 private:
  int number_;
  std::string path_;
};

/// A FileError with the system's words for errno: "save: cannot write x: ...".
[[noreturn]] inline void throw_errno(std::string_view who, std::string_view verb,
                                     const std::string& path) {
  const int error = errno;
  throw SystemError(
      fmt::format("{}: {} {:.300}: {}", who, verb, path,
                  error ? std::generic_category().message(error) : "the system does not say why"),
      error, path);
}

/// The same of a program that is read or written through a stream; errno was 0 before.
[[noreturn]] inline void throw_file_error(std::string_view verb, const std::string& path) {
  throw_errno("program", fmt::format("cannot {}", verb), path);
}

/// Whether to stop, where that can be asked.
using StopQuestion = const std::function<bool()>*;

[[noreturn]] inline void throw_stopped() {
  throw Cancelled("file: stopped before all of it was read or written");
}

/// Before what may wait for others, as a pipe does. Throws Cancelled where there is a request to
/// stop.
inline void check_asked(StopQuestion should_stop) {
  if (should_stop && (*should_stop)()) throw_stopped();
}

/// Whether what has failed was broken off by a signal alone and is to be done again. Throws
/// Cancelled where the signal was a request to stop.
inline bool is_to_repeat(StopQuestion should_stop) {
  if (errno != EINTR) return false;
  check_asked(should_stop);
  return true;
}

}  // namespace weft::detail

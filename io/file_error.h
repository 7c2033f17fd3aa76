// SPDX-License-Identifier: Apache-2.0
// What is told of a file that cannot be read or written.
#pragma once

#include <cerrno>
#include <fmt/format.h>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

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

}  // namespace weft::detail

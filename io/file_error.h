// SPDX-License-Identifier: Apache-2.0
// What is told of a file that cannot be read or written.
#pragma once

#include <cerrno>
#include <fmt/format.h>
#include <string>
#include <string_view>
#include <system_error>

#include <weft/graph/value/error.h>

namespace weft::detail {

/// A FileError with the system's words for errno: "save: cannot write x: ...".
[[noreturn]] inline void throw_errno(std::string_view who, std::string_view verb,
                                     const std::string& path) {
  const int error = errno;
  throw FileError(
      fmt::format("{}: {} {:.300}: {}", who, verb, path,
                  error ? std::generic_category().message(error) : "the system does not say why"));
}

/// The same of a program that is read or written through a stream; errno was 0 before.
[[noreturn]] inline void throw_file_error(std::string_view verb, const std::string& path) {
  throw_errno("program", fmt::format("cannot {}", verb), path);
}

}  // namespace weft::detail

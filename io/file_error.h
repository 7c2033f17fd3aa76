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

/// A FileError with the system's words for errno, which was 0 before: "program: cannot read x:
/// ...".
[[noreturn]] inline void throw_file_error(std::string_view verb, const std::string& path) {
  const int error = errno;
  throw FileError(
      fmt::format("program: cannot {} {}: {}", verb, path,
                  error ? std::generic_category().message(error) : "the system does not say why"));
}

}  // namespace weft::detail

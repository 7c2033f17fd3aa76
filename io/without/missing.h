// SPDX-License-Identifier: Apache-2.0
// A format whose library was not there when weft was built.
#pragma once

#include <fmt/format.h>
#include <string_view>

#include <weft/graph/value/error.h>
#include <weft/io/file_format.h>

namespace weft::detail {

struct Missing {
  const char* format;
  const char* library;

  [[noreturn]] void refuse() const {
    throw FormatError(
        fmt::format("{}: weft was built without {}, which this format needs", format, library));
  }
};

template <const Missing& missing>
constexpr FileFormat missing_format(std::span<const std::string_view> extensions) {
  return {missing.format,
          extensions,
          [](std::span<const std::byte>) { return false; },
          [](const FileBytes&, const LoadOptions&) -> Tensor { missing.refuse(); },
          nullptr,
          [](const FileBytes&, const LoadOptions&) -> FileInfo { missing.refuse(); },
          [](const Tensor&, Output&, const SaveOptions&) { missing.refuse(); }};
}

}  // namespace weft::detail

// SPDX-License-Identifier: Apache-2.0
// The header of safetensors files.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <weft/graph/value/dtype.h>
#include <weft/io/file_bytes.h>

namespace weft::detail {

/// A tensor as the header tells it: bytes `begin` to `end` of the data.
struct SafetensorsEntry {
  std::string name;
  std::optional<DType> dtype{};
  std::vector<std::int64_t> shape{};
  std::uint64_t begin = 0, end = 0;
};

struct SafetensorsHeader {
  std::vector<SafetensorsEntry> entries;  ///< in the order of their bytes
  std::uint64_t data;                     ///< where those begin in the file
};

/// Bytes of a header, without its length.
inline constexpr std::uint64_t most_safetensors_header = 100'000'000;

/// Reads and checks all of it. Throws FormatError.
SafetensorsHeader read_safetensors_header(const FileBytes& file);

/// The name of a type, or none where the format has none.
std::string_view safetensors_name(DType dtype);

}  // namespace weft::detail

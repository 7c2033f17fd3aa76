// SPDX-License-Identifier: Apache-2.0
// The headers of zip archives, zip64 included.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <weft/io/file_bytes.h>

namespace weft::detail {

/// A member of an archive.
struct ZipMember {
  static constexpr std::uint16_t stored = 0, deflated = 8;

  std::string name{};
  std::uint16_t method = stored;
  std::uint32_t crc = 0;
  std::uint64_t packed = 0;  ///< bytes in the file
  std::uint64_t size = 0;    ///< bytes of what they are
  std::uint64_t header = 0;  ///< where its own header begins
  std::uint64_t data = 0;    ///< and its bytes
};

/// Reads the directory, and the header of each member. Throws FormatError where anything is outside
/// the file, members overlap, are encrypted or packed otherwise, or claim more than deflate can
/// hold.
std::vector<ZipMember> read_zip(const FileBytes& file);

/// The header in front of a member whose bytes begin at a multiple of `alignment`: `member.header`
/// is set, crc and sizes may change without changing its length, but for sizes from `big` on.
std::string zip_local_header(const ZipMember& member, std::uint64_t alignment);
/// The end of an archive, which begins at `offset`.
std::string zip_directory(const std::vector<ZipMember>& members, std::uint64_t offset);

}  // namespace weft::detail

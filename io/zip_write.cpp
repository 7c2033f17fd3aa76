// SPDX-License-Identifier: Apache-2.0
// Writing the headers of a zip archive.
#include <weft/io/zip.h>

#include <algorithm>

namespace weft::detail {
namespace {

constexpr std::uint16_t needs_20 = 20, needs_zip64 = 45, is_utf8_flag = 1 << 11;
constexpr std::uint16_t first_day =
    1 << 5 | 1;                               // 1980-01-01: files that are equal have equal bytes
constexpr std::uint16_t padding_id = 0xD935;  // as archives of Android are aligned
// Compressing may add some bytes to what has no room for more.
constexpr std::uint64_t big = 0xF0000000;

template <class T>
void add(std::string& to, T value) {
  for (std::size_t k = 0; k < sizeof(T); ++k)
    to += static_cast<char>(static_cast<std::uint64_t>(value) >> 8 * k & 0xFF);
}
void add16(std::string& to, std::uint64_t value) { add(to, static_cast<std::uint16_t>(value)); }
void add32(std::string& to, std::uint64_t value) { add(to, static_cast<std::uint32_t>(value)); }

bool is_big(const ZipMember& member) { return member.size >= big; }

std::uint16_t flags(const ZipMember& member) {
  const bool is_ascii =
      std::all_of(member.name.begin(), member.name.end(), [](char c) { return c >= 0; });
  return is_ascii ? 0 : is_utf8_flag;
}

/// What the member's own header and its entry begin with.
void add_common(std::string& to, const ZipMember& member, bool needs_64) {
  add16(to, needs_64 ? needs_zip64 : needs_20);
  add16(to, flags(member));
  add16(to, member.method);
  add16(to, 0);
  add16(to, first_day);
  add32(to, member.crc);
  add32(to, is_big(member) ? 0xFFFFFFFF : member.packed);
  add32(to, is_big(member) ? 0xFFFFFFFF : member.size);
  add16(to, member.name.size());
}

}  // namespace

std::string zip_local_header(const ZipMember& member, std::uint64_t alignment) {
  std::string extra;
  if (is_big(member)) {
    add16(extra, 1);
    add16(extra, 16);
    add<std::uint64_t>(extra, member.size);
    add<std::uint64_t>(extra, member.packed);
  }
  const std::uint64_t end = member.header + 30 + member.name.size() + extra.size() + 6;
  const std::uint64_t padding = (alignment - end % alignment) % alignment;
  add16(extra, padding_id);
  add16(extra, 2 + padding);
  add16(extra, alignment);
  extra.append(padding, '\0');
  std::string header;
  add32(header, 0x04034b50);
  add_common(header, member, is_big(member));
  add16(header, extra.size());
  return header + member.name + extra;
}

std::string zip_directory(const std::vector<ZipMember>& members, std::uint64_t offset) {
  std::string all;
  for (const ZipMember& member : members) {
    const bool is_far = member.header >= big;
    std::string extra;
    if (is_big(member) || is_far) {
      add16(extra, 1);
      add16(extra, (is_big(member) ? 16 : 0) + (is_far ? 8 : 0));
      if (is_big(member)) {
        add<std::uint64_t>(extra, member.size);
        add<std::uint64_t>(extra, member.packed);
      }
      if (is_far) add<std::uint64_t>(extra, member.header);
    }
    add32(all, 0x02014b50);
    add16(all, needs_zip64);
    add_common(all, member, !extra.empty());
    add16(all, extra.size());
    for (int k = 0; k < 3; ++k) add16(all, 0);  // no comment, disk 0, no attributes
    add32(all, 0);
    add32(all, is_far ? 0xFFFFFFFF : member.header);
    all += member.name + extra;
  }
  const std::uint64_t bytes = all.size(), end = offset + bytes;
  const bool needs_64 = end >= big || members.size() >= 0xFFFF;
  if (needs_64) {
    add32(all, 0x06064b50);
    add<std::uint64_t>(all, 44);
    add16(all, needs_zip64);
    add16(all, needs_zip64);
    add32(all, 0);
    add32(all, 0);
    add<std::uint64_t>(all, members.size());
    add<std::uint64_t>(all, members.size());
    add<std::uint64_t>(all, bytes);
    add<std::uint64_t>(all, offset);
    add32(all, 0x07064b50);
    add32(all, 0);
    add<std::uint64_t>(all, end);
    add32(all, 1);
  }
  add32(all, 0x06054b50);
  add16(all, 0);
  add16(all, 0);
  add16(all, needs_64 ? 0xFFFF : members.size());
  add16(all, needs_64 ? 0xFFFF : members.size());
  add32(all, needs_64 ? 0xFFFFFFFF : bytes);
  add32(all, needs_64 ? 0xFFFFFFFF : offset);
  add16(all, 0);
  return all;
}

}  // namespace weft::detail

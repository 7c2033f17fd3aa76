// SPDX-License-Identifier: Apache-2.0
// Reading the directory of a zip archive, which may say anything.
#include <weft/io/zip.h>

#include <algorithm>
#include <fmt/format.h>

namespace weft::detail {
namespace {

constexpr std::uint32_t local_magic = 0x04034b50, entry_magic = 0x02014b50, end_magic = 0x06054b50,
                        end64_magic = 0x06064b50, locator_magic = 0x07064b50;
constexpr std::uint64_t local_bytes = 30, entry_bytes = 46, end_bytes = 22, end64_bytes = 56,
                        locator_bytes = 20, most_comment = 0xFFFF;
constexpr std::uint16_t is_encrypted = 1;
constexpr std::uint32_t in_zip64 = 0xFFFFFFFF;
constexpr std::uint64_t most_ratio = 1032;  // of deflate

struct Directory {
  std::uint64_t entries, offset, bytes;
};

/// Where the record is that ends the archive: the last one whose comment reaches to the end.
std::uint64_t find_end(const FileBytes& file) {
  const std::uint64_t size = file.size();
  if (size >= end_bytes)
    for (std::uint64_t back = end_bytes; back <= std::min(size, end_bytes + most_comment); ++back)
      if (file.number<std::uint32_t>("its end", size - back) == end_magic &&
          file.number<std::uint16_t>("its end", size - back + 20) == back - end_bytes)
        return size - back;
  file.refuse("it does not end as a zip archive does");
}

Directory read_end(const FileBytes& file) {
  const std::uint64_t end = find_end(file);
  const auto number16 = [&](std::uint64_t at) { return file.number<std::uint16_t>("its end", at); };
  const auto number32 = [&](std::uint64_t at) { return file.number<std::uint32_t>("its end", at); };
  const auto number64 = [&](std::uint64_t at) { return file.number<std::uint64_t>("its end", at); };
  Directory directory{number16(end + 10), number32(end + 16), number32(end + 12)};
  std::uint64_t limit = end;
  if (end >= locator_bytes && number32(end - locator_bytes) == locator_magic) {
    const std::uint64_t end64 = number64(end - locator_bytes + 8);
    file.part("its end", end64, end64_bytes);
    if (number32(end64) != end64_magic) file.refuse("its zip64 end is not where it is said to be");
    directory = {number64(end64 + 32), number64(end64 + 48), number64(end64 + 40)};
    limit = end64;
  }
  if (directory.offset > limit || directory.bytes > limit - directory.offset)
    file.refuse("its directory is not inside the file");
  if (directory.entries > directory.bytes / entry_bytes)
    file.refuse(fmt::format("its directory has {} bytes, too few for {} members", directory.bytes,
                            directory.entries));
  return directory;
}

/// Numbers that had no room in an entry, in the order in which they are missing there.
void read_zip64(const FileBytes& file, ZipMember& member, std::uint64_t at, std::uint64_t bytes) {
  std::uint64_t* const numbers[] = {&member.size, &member.packed, &member.header};
  const std::uint64_t end = at + bytes;
  while (end - at >= 4) {
    const auto id = file.number<std::uint16_t>("an extra field", at);
    const std::uint64_t length = file.number<std::uint16_t>("an extra field", at + 2);
    at += 4;
    if (length > end - at) break;
    if (id == 1) {
      const std::uint64_t field_end = at + length;
      for (std::uint64_t* const number : numbers) {
        if (*number != in_zip64) continue;
        if (field_end - at < 8) file.refuse("a zip64 field is too short");
        *number = file.number<std::uint64_t>("a zip64 field", at);
        at += 8;
      }
      return;
    }
    at += length;
  }
  if (std::any_of(std::begin(numbers), std::end(numbers),
                  [](const std::uint64_t* number) { return *number == in_zip64; }))
    file.refuse("a zip64 field is missing");
}

/// Where the bytes are, which the member's own header says.
void find_data(const FileBytes& file, ZipMember& member) {
  file.part("a member's header", member.header, local_bytes);
  const auto number16 = [&](std::uint64_t at) {
    return std::uint64_t{file.number<std::uint16_t>("a member's header", member.header + at)};
  };
  if (file.number<std::uint32_t>("a member's header", member.header) != local_magic)
    file.refuse(fmt::format("member {:.100} is not where the directory says", member.name));
  if (file.text("a member's name", member.header + local_bytes, number16(26)) != member.name)
    file.refuse(fmt::format("member {:.100} has another name in its own header", member.name));
  member.data = member.header + local_bytes + number16(26) + number16(28);
  file.part(member.name, member.data, member.packed);
}

void check(const FileBytes& file, const ZipMember& member, std::uint16_t flags) {
  const auto refuse = [&](std::string_view why) {
    file.refuse(fmt::format("member {:.100} {}", member.name, why));
  };
  if (flags & is_encrypted) refuse("is encrypted");
  if (member.method != ZipMember::stored && member.method != ZipMember::deflated)
    refuse(
        fmt::format("is packed by method {}, expected 0 (stored) or 8 (deflate)", member.method));
  if (member.method == ZipMember::stored && member.packed != member.size)
    refuse("is stored in another number of bytes than it has");
  if (member.size / most_ratio > member.packed)
    refuse(fmt::format("claims {} bytes, which {} cannot hold", member.size, member.packed));
}

void check_apart(const FileBytes& file, const std::vector<ZipMember>& members,
                 std::uint64_t directory) {
  std::vector<const ZipMember*> sorted;
  for (const ZipMember& member : members) sorted.push_back(&member);
  std::sort(sorted.begin(), sorted.end(),
            [](const ZipMember* a, const ZipMember* b) { return a->header < b->header; });
  for (std::size_t k = 0; k < sorted.size(); ++k) {
    const std::uint64_t next = k + 1 < sorted.size() ? sorted[k + 1]->header : directory;
    const std::uint64_t end = sorted[k]->data + sorted[k]->packed;
    if (end > next)
      file.refuse(fmt::format("member {:.100} overlaps what follows it", sorted[k]->name));
  }
  std::sort(sorted.begin(), sorted.end(),
            [](const ZipMember* a, const ZipMember* b) { return a->name < b->name; });
  const auto twice =
      std::adjacent_find(sorted.begin(), sorted.end(),
                         [](const ZipMember* a, const ZipMember* b) { return a->name == b->name; });
  if (twice != sorted.end())
    file.refuse(fmt::format("two members are named {:.100}", (*twice)->name));
}

}  // namespace

std::vector<ZipMember> read_zip(const FileBytes& file) {
  const Directory directory = read_end(file);
  const std::uint64_t end = directory.offset + directory.bytes;
  std::vector<ZipMember> members;
  std::uint64_t at = directory.offset;
  for (std::uint64_t k = 0; k < directory.entries; ++k) {
    if (end - at < entry_bytes || file.number<std::uint32_t>("an entry", at) != entry_magic)
      file.refuse(fmt::format("entry {} of its directory is none", k));
    const auto number16 = [&](std::uint64_t in) {
      return file.number<std::uint16_t>("an entry", at + in);
    };
    const auto number32 = [&](std::uint64_t in) {
      return file.number<std::uint32_t>("an entry", at + in);
    };
    const std::uint64_t name = number16(28), extra = number16(30), comment = number16(32);
    if (name + extra + comment > end - at - entry_bytes)
      file.refuse(fmt::format("entry {} of its directory is too long", k));
    ZipMember member{std::string(file.text("a name", at + entry_bytes, name)),
                     number16(10),
                     number32(16),
                     number32(20),
                     number32(24),
                     number32(42)};
    read_zip64(file, member, at + entry_bytes + name, extra);
    check(file, member, number16(8));
    find_data(file, member);
    members.push_back(std::move(member));
    at += entry_bytes + name + extra + comment;
  }
  check_apart(file, members, directory.offset);
  return members;
}

}  // namespace weft::detail

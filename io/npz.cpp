// SPDX-License-Identifier: Apache-2.0
// Arrays in archives.
#include <weft/io/npz.h>

#include <algorithm>
#include <array>
#include <fmt/format.h>

#include <weft/engine/view/parts.h>
#include <weft/graph/value/error.h>
#include <weft/io/deflate.h>
#include <weft/io/file_format.h>
#include <weft/io/members.h>
#include <weft/io/npy_array.h>
#include <weft/io/zip.h>

namespace weft {
namespace detail {
namespace {

constexpr std::string_view suffix = ".npy";
constexpr std::string_view unnamed = "arr_0";
constexpr std::uint64_t alignment = 64;
constexpr std::size_t most_name_bytes = 1000;

bool begins(std::span<const std::byte> bytes) {
  return begin_with(bytes, "PK\3\4") || begin_with(bytes, "PK\5\6");
}

/// The arrays among the members, without the suffix of their names.
std::vector<ZipMember> arrays_of(const FileBytes& file) {
  std::vector<ZipMember> members = read_zip(file);
  std::erase_if(members, [](const ZipMember& member) { return !member.name.ends_with(suffix); });
  for (ZipMember& member : members) member.name.resize(member.name.size() - suffix.size());
  return members;
}

/// A member as a file of its own.
FileBytes unpacked(const FileBytes& file, const ZipMember& member) {
  const FileBytes packed = file.inside(member.name, member.data, member.packed);
  if (member.method == ZipMember::stored) return packed;
  FileBytes whole = inflated(packed, member.size);
  if (crc32_of(whole.all()) != member.crc) whole.refuse("its checksum is another");
  return whole;
}

Tensor load(const FileBytes& file, const LoadOptions& options) {
  return read_npy(unpacked(file, chosen_member(file, arrays_of(file), options.member)),
                  options.bfloat16);
}

void load_each(const FileBytes& file, const LoadOptions& options, const TakeTensor& take) {
  for (const ZipMember& member : arrays_of(file))
    take(member.name, read_npy(unpacked(file, member), options.bfloat16));
}

FileInfo info(const FileBytes& file, const LoadOptions& options) {
  FileInfo all{"npz", {}};
  for (const ZipMember& member : arrays_of(file)) {
    FileInfo::Member told = npy_member(unpacked(file, member), options.bfloat16);
    told.name = member.name;
    if (member.method == ZipMember::deflated)
      told.note = fmt::format("{}{}compressed", told.note, told.note.empty() ? "" : ", ");
    all.members.push_back(std::move(told));
  }
  return all;
}

/// Writes the bytes of a member behind its header, and says what that has to say.
void write_stored(const std::string& header, const Tensor& x, ZipMember& member, Output& to,
                  const SaveOptions& options) {
  const std::uint64_t begin = to.position();
  to.write(header);
  to.write(x, options.eval);
  to.look_at(begin, to.position() - begin,
             [&](std::span<const std::byte> bytes) { member.crc = crc32_of(bytes); });
}

void write_deflated(const std::string& header, const Tensor& x, ZipMember& member, Output& to,
                    const SaveOptions& options) {
  const std::uint64_t begin = to.position();
  Deflater deflater([&](std::span<const std::byte> bytes) { to.write(bytes); });
  const auto add = [&](std::span<const std::byte> bytes) {
    member.crc = crc32_of(bytes, member.crc);
    deflater.add(bytes);
  };
  add(std::as_bytes(std::span(header.data(), header.size())));
  eval_in_parts(x, {.in_order = true}, options.eval, [&](const Shape&, const Tensor& part) {
    add({part.node().value().get(), static_cast<std::size_t>(part.bytes())});
  });
  deflater.finish();
  member.packed = to.position() - begin;
}

/// Bytes in memory, for what cannot go back.
class MemoryOutput final : public Output {
 public:
  std::vector<std::byte> bytes;

  bool can_go_back() const override { return true; }
  void look_at(std::uint64_t offset, std::uint64_t count,
               const std::function<void(std::span<const std::byte>)>& look) const override {
    look(std::span(bytes).subspan(offset, count));
  }

 private:
  void put(std::span<const std::byte> more) override {
    bytes.insert(bytes.end(), more.begin(), more.end());
  }
  void put(const Tensor& x, const EvalOptions& options) override {
    eval_in_parts(x, {.in_order = true}, options, [&](const Shape&, const Tensor& part) {
      put({part.node().value().get(), static_cast<std::size_t>(part.bytes())});
    });
  }
};

void write_member(ZipMember& member, const Tensor& x, Output& to, const SaveOptions& options) {
  const std::string npy = npy_header(x);
  const auto write_bytes = [&](Output& where) {
    (options.deflate ? write_deflated : write_stored)(npy, x, member, where, options);
  };
  member.method = options.deflate ? ZipMember::deflated : ZipMember::stored;
  member.size = member.packed = npy.size() + static_cast<std::uint64_t>(x.bytes());
  member.header = to.position();
  if (to.can_go_back()) {
    to.write(zip_local_header(member, alignment));
    write_bytes(to);
    return to.replace(member.header, zip_local_header(member, alignment));
  }
  MemoryOutput memory;
  write_bytes(memory);
  to.write(zip_local_header(member, alignment));
  to.write(memory.bytes);
}

void write(const NamedTensors& tensors, Output& to, const SaveOptions& options) {
  check_names(tensors);
  std::vector<ZipMember> members;
  std::int64_t before = 0;
  for (const auto& [name, x] : tensors) {
    if (name.size() > most_name_bytes)
      throw ParameterError(
          "bad_name", fmt::format("save: the name {:.60}... has {} bytes, at most {} are saved",
                                  name, name.size(), most_name_bytes));
    ZipMember member;
    member.name = fmt::format("{}{}", name, suffix);
    const PartOptions part = part_of(tensors, before, x, options.eval);
    SaveOptions own = options;
    own.eval = part.options();
    write_member(member, x, to, own);
    before += x.bytes();
    members.push_back(std::move(member));
  }
  to.write(zip_directory(members, to.position()));
}

void save(const Tensor& x, Output& to, const SaveOptions& options) {
  write({{options.member.empty() ? std::string(unnamed) : options.member, x}}, to, options);
}

constexpr std::array<std::string_view, 1> extensions{".npz"};

}  // namespace

constinit const FileFormat npz_format{"npz", extensions, begins, load, load_each, info, save};

}  // namespace detail

Tensor load_npz(const std::string& path, const LoadOptions& options) {
  return detail::load_as(detail::npz_format, path, options);
}

void save_npz(const NamedTensors& tensors, const std::string& path, const SaveOptions& options) {
  detail::write_file(path, options.eval,
                     [&](detail::Output& to) { detail::write(tensors, to, options); });
}

}  // namespace weft

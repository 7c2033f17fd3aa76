// SPDX-License-Identifier: Apache-2.0
// Tensors of safetensors files, and such files of tensors.
#include <weft/io/safetensors.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <weft/graph/value/error.h>
#include <weft/io/file_format.h>
#include <weft/io/json_item.h>
#include <weft/io/members.h>
#include <weft/io/safetensors_header.h>

namespace weft {
namespace detail {
namespace {

constexpr std::uint64_t alignment = 64;
constexpr std::string_view unnamed = "data";

/// A length that a header may have, and a bracket behind it: there is nothing else to know one by.
bool begins(std::span<const std::byte> bytes) {
  std::uint64_t length = 0;
  if (bytes.size() < sizeof length) return false;
  std::memcpy(&length, bytes.data(), sizeof length);
  return length <= most_safetensors_header && begin_with(bytes.subspan(sizeof length), "{");
}

Tensor load(const FileBytes& file, const LoadOptions& options) {
  const SafetensorsHeader header = read_safetensors_header(file);
  const SafetensorsEntry& entry = chosen_member(file, header.entries, options.member);
  return file.tensor(header.data + entry.begin, *entry.dtype, entry.shape);
}

FileInfo info(const FileBytes& file, const LoadOptions&) {
  FileInfo all{"safetensors", {}};
  for (SafetensorsEntry& entry : read_safetensors_header(file).entries)
    all.members.push_back({std::move(entry.name), *entry.dtype, std::move(entry.shape), ""});
  return all;
}

void load_each(const FileBytes& file, const LoadOptions&, const TakeTensor& take) {
  const SafetensorsHeader header = read_safetensors_header(file);
  for (const SafetensorsEntry& entry : header.entries)
    take(entry.name, file.tensor(header.data + entry.begin, *entry.dtype, entry.shape));
}

void write(NamedTensors tensors, Output& to, const SaveOptions& options) {
  check_names(tensors);
  // Each begins at a multiple of its size then.
  std::stable_sort(tensors.begin(), tensors.end(), [](const auto& a, const auto& b) {
    return a.second.dtype().size() > b.second.dtype().size();
  });
  std::vector<std::string> entries;
  std::int64_t begin = 0;
  for (const auto& [name, x] : tensors) {
    const std::string_view type = safetensors_name(x.dtype());
    if (type.empty())
      throw DtypeError(fmt::format("save: {:.100} is of {}, which safetensors has no name for",
                                   name, x.dtype().name()));
    entries.push_back(fmt::format(R"({}:{{"dtype":"{}","shape":[{}],"data_offsets":[{},{}]}})",
                                  detail::quoted(name), type, fmt::join(x.shape(), ","), begin,
                                  begin + x.bytes()));
    begin += x.bytes();
  }
  std::string header = fmt::format("{{{}}}", fmt::join(entries, ","));
  header.resize((header.size() + 8 + alignment - 1) / alignment * alignment - 8, ' ');
  std::string length;
  for (int k = 0; k < 8; ++k) length += static_cast<char>(header.size() >> 8 * k & 0xFF);
  to.write(length);
  to.write(header);
  std::int64_t before = 0;
  for (const auto& [name, x] : tensors) {
    to.write(x, part_of(tensors, before, x, options.eval).options());
    before += x.bytes();
  }
}

void save(const Tensor& x, Output& to, const SaveOptions& options) {
  write({{options.member.empty() ? std::string(unnamed) : options.member, x}}, to, options);
}

constexpr std::array<std::string_view, 1> extensions{".safetensors"};

}  // namespace

constinit const FileFormat safetensors_format{"safetensors", extensions, begins, load,
                                              load_each,     info,       save};

}  // namespace detail

Tensor load_safetensors(const std::string& path, const LoadOptions& options) {
  return detail::load_as(detail::safetensors_format, path, options);
}

void save_safetensors(const NamedTensors& tensors, const std::string& path,
                      const SaveOptions& options) {
  detail::write_file(path, options.eval,
                     [&](detail::Output& to) { detail::write(tensors, to, options); });
}

}  // namespace weft

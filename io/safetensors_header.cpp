// SPDX-License-Identifier: Apache-2.0
// Reading headers event by event: what is kept is what a tensor needs, whatever the text.
#include <weft/io/safetensors_header.h>

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <weft/graph/value/error.h>

namespace weft::detail {
namespace {

using Json = nlohmann::json;

struct Name {
  std::string_view name;
  DType dtype;
};

std::vector<Name> names() {
  return {{"BOOL", bool_},
          {"I8", i8},
          {"I16", i16},
          {"I32", i32},
          {"I64", i64},
          {"U8", u8},
          {"U16", u16},
          {"U32", u32},
          {"U64", u64},
          {"F16", f16},
          {"BF16", bf16},
          {"F32", f32},
          {"F64", f64},
          {"C64", c64},
          {"F8_E4M3", described(1, "ml_dtypes.float8_e4m3fn")},
          {"F8_E5M2", described(1, "ml_dtypes.float8_e5m2")},
          {"F8_E8M0", described(1, "ml_dtypes.float8_e8m0fnu")}};
}

/// Takes the events of a header. Levels: 1 names, 2 the members of a tensor or of the metadata,
/// 3 the numbers of a list.
class Reader final : public nlohmann::json_sax<Json> {
 public:
  explicit Reader(const FileBytes& file) : file_(&file), names_(names()) {}

  std::vector<SafetensorsEntry> entries;

  bool key(string_t& key) override {
    if (level_ == 1) {
      in_metadata_ = key == "__metadata__";
      if (in_metadata_ && has_metadata_) file_->refuse("it has __metadata__ twice");
      has_metadata_ |= in_metadata_;
      if (!in_metadata_) entries.push_back({std::move(key)});
      has_dtype_ = has_shape_ = has_range_ = false;
      return true;
    }
    if (in_metadata_) return true;
    bool* const seen = key == "dtype"          ? &has_dtype_
                       : key == "shape"        ? &has_shape_
                       : key == "data_offsets" ? &has_range_
                                               : nullptr;
    if (!seen) refuse(fmt::format("a member {:.60} is not known", key));
    if (*seen) refuse(fmt::format("it has {} twice", key));
    *seen = true;
    member_ = seen;
    offsets_ = 0;
    return true;
  }

  bool string(string_t& text) override {
    if (level_ != 2) refuse("a text is out of place");
    if (in_metadata_) return true;
    if (member_ != &has_dtype_) refuse("a text is out of place");
    const auto found = std::find_if(names_.begin(), names_.end(),
                                    [&](const Name& name) { return name.name == text; });
    if (found == names_.end()) refuse(fmt::format("the element type {:.60} is not known", text));
    entries.back().dtype = found->dtype;
    return true;
  }

  bool number_unsigned(number_unsigned_t value) override {
    if (level_ != 3) refuse("a number is out of place");
    SafetensorsEntry& entry = entries.back();
    if (member_ == &has_shape_) {
      if (entry.shape.size() == max_rank) refuse(fmt::format("its rank is above {}", max_rank));
      if (value > static_cast<std::uint64_t>(INT64_MAX)) refuse("an extent is too large");
      entry.shape.push_back(static_cast<std::int64_t>(value));
    } else {
      if (offsets_ == 2) refuse("its data_offsets are more than two");
      (offsets_ == 0 ? entry.begin : entry.end) = value;
      ++offsets_;
    }
    return true;
  }

  bool start_object(std::size_t) override {
    if (level_ >= 2 || (level_ == 1 && entries.empty() && !in_metadata_))
      refuse("an object is out of place");
    ++level_;
    return true;
  }
  bool end_object() override {
    if (level_ == 2 && !in_metadata_) check();
    --level_;
    return true;
  }
  bool start_array(std::size_t) override {
    if (level_ != 2 || in_metadata_ || member_ == &has_dtype_) refuse("a list is out of place");
    ++level_;
    return true;
  }
  bool end_array() override {
    if (member_ == &has_range_ && offsets_ != 2) refuse("its data_offsets are not two");
    --level_;
    return true;
  }

  bool null() override { refuse("null is out of place"); }
  bool boolean(bool) override { refuse("a flag is out of place"); }
  bool number_integer(number_integer_t) override { refuse("a number is negative"); }
  bool number_float(number_float_t, const string_t&) override {
    refuse("a number is no integer of 64 bits");
  }
  bool binary(binary_t&) override { refuse("bytes are out of place"); }
  bool parse_error(std::size_t position, const std::string&,
                   const nlohmann::detail::exception&) override {
    file_->refuse(fmt::format("its header is no JSON at byte {}", position));
  }

 private:
  [[noreturn]] void refuse(std::string_view why) const {
    if (level_ == 0 || in_metadata_ || entries.empty())
      file_->refuse(fmt::format("its header: {}", why));
    file_->refuse(fmt::format("tensor {:.100}: {}", entries.back().name, why));
  }

  void check() const {
    const SafetensorsEntry& entry = entries.back();
    if (!entry.dtype || !has_shape_ || !has_range_)
      refuse("dtype, shape or data_offsets are missing");
    const std::uint64_t bytes = file_->bytes_of(*entry.dtype, entry.shape);
    if (entry.begin > entry.end || entry.end - entry.begin != bytes)
      refuse(fmt::format("its data_offsets are {} to {}, its shape and type need {} bytes",
                         entry.begin, entry.end, bytes));
  }

  const FileBytes* file_;
  const std::vector<Name> names_;
  int level_ = 0;
  bool in_metadata_ = false, has_metadata_ = false;
  bool has_dtype_ = false, has_shape_ = false, has_range_ = false;
  const bool* member_ = nullptr;  // which of those the value is of
  int offsets_ = 0;
};

void check_names(const FileBytes& file, const std::vector<SafetensorsEntry>& entries) {
  std::vector<std::string_view> sorted;
  sorted.reserve(entries.size());
  for (const SafetensorsEntry& entry : entries) sorted.push_back(entry.name);
  std::sort(sorted.begin(), sorted.end());
  const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
  if (twice != sorted.end()) file.refuse(fmt::format("two tensors are named {:.100}", *twice));
}

}  // namespace

SafetensorsHeader read_safetensors_header(const FileBytes& file) {
  const auto bytes = file.number<std::uint64_t>("the length of the header", 0);
  if (bytes > most_safetensors_header)
    file.refuse(fmt::format("its header has {} bytes, at most {} are read", bytes,
                            most_safetensors_header));
  const std::string_view text = file.text("the header", sizeof bytes, bytes);
  if (!text.starts_with('{')) file.refuse("its header does not begin with {");
  Reader reader(file);
  Json::sax_parse(text.begin(), text.end(), &reader);
  SafetensorsHeader header{std::move(reader.entries), sizeof bytes + bytes};
  check_names(file, header.entries);
  std::stable_sort(header.entries.begin(), header.entries.end(),
                   [](const SafetensorsEntry& a, const SafetensorsEntry& b) {
                     return std::pair(a.begin, a.end) < std::pair(b.begin, b.end);
                   });
  std::uint64_t end = 0;
  for (const SafetensorsEntry& entry : header.entries) {
    if (entry.begin != end)
      file.refuse(fmt::format("tensor {:.100} begins at byte {} of the data, expected {}",
                              entry.name, entry.begin, end));
    end = entry.end;
  }
  if (end != file.size() - header.data)
    file.refuse(
        fmt::format("its tensors have {} bytes, the data {}", end, file.size() - header.data));
  return header;
}

std::string_view safetensors_name(DType dtype) {
  for (const Name& name : names())
    if (name.dtype == dtype) return name.name;
  return {};
}

}  // namespace weft::detail

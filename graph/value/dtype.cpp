// SPDX-License-Identifier: Apache-2.0
// The names of the element types.
#include <weft/graph/value/dtype.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <deque>
#include <fmt/format.h>
#include <map>
#include <mutex>

namespace weft {

namespace {

constexpr std::array names{"bool", "i8",  "i16",  "i32", "i64", "u8",  "u16", "u32",
                           "u64",  "f16", "bf16", "f32", "f64", "c64", "c128"};

/// All descriptions, for all threads. What is global has to be, for a type is copied and compared
/// everywhere and must own nothing; it only grows, and no further than numbers of two bytes.
class Descriptions {
 public:
  static Descriptions& all() {
    // Never freed: there may be types in what is destroyed at the end.
    static auto& descriptions = *new Descriptions();
    return descriptions;
  }

  std::uint16_t number_of(std::string_view text) {
    const std::lock_guard lock(mutex_);
    if (const auto known = numbers_.find(text); known != numbers_.end()) return known->second;
    if (texts_.size() == UINT16_MAX)
      throw DtypeError(
          fmt::format("described: there are {} descriptions already, no more can be "
                      "kept",
                      texts_.size()));
    const auto number = static_cast<std::uint16_t>(texts_.size() + 1);
    const std::string& kept = texts_.emplace_back(text);
    numbers_.emplace(kept, number);
    return number;
  }
  std::string_view text_of(std::uint16_t number) {
    const std::lock_guard lock(mutex_);
    return texts_[number - 1u];
  }

 private:
  std::mutex mutex_;
  std::deque<std::string> texts_;  // stay where they are
  std::map<std::string_view, std::uint16_t> numbers_;
};

}  // namespace

std::string_view DType::interned(std::uint16_t number) noexcept {
  return Descriptions::all().text_of(number);
}

std::string DType::name() const {
  if (description_ != 0) return fmt::format("struct of {} bytes ({})", size_, description());
  if (kind_ == Kind::opaque) return fmt::format("struct of {} bytes", size_);
  return names[static_cast<std::size_t>(kind_)];
}

DType described(std::uint32_t size, std::string_view description) {
  if (description.empty() || description.size() > most_description_bytes)
    throw DtypeError(fmt::format("described: the description has {} bytes, expected 1 to {}",
                                 description.size(), most_description_bytes));
  DType dtype = opaque(size);
  dtype.description_ = Descriptions::all().number_of(description);
  return dtype;
}

std::optional<DType> parse_dtype(std::string_view name) {
  const auto named = std::find(names.begin(), names.end(), name);
  if (named != names.end()) return DType(static_cast<DType::Kind>(named - names.begin()));
  constexpr std::string_view before = "struct of ", after = " bytes";
  const std::size_t end_of_size = name.find(after);
  if (!name.starts_with(before) || end_of_size == name.npos) return {};
  const std::string_view digits = name.substr(before.size(), end_of_size - before.size());
  std::string_view description = name.substr(end_of_size + after.size());
  std::uint32_t size = 0;
  const char* const end = digits.data() + digits.size();
  if (std::from_chars(digits.data(), end, size).ptr != end || size == 0) return {};
  if (fmt::format("{}", size) != digits) return {};
  if (description.empty()) return opaque(size);
  if (!description.starts_with(" (") || !description.ends_with(")")) return {};
  description = description.substr(2, description.size() - 3);
  if (description.empty() || description.size() > most_description_bytes) return {};
  return described(size, description);
}

}  // namespace weft

// SPDX-License-Identifier: Apache-2.0
// Parts of a JSON document that know where they are, so that every complaint says so.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace weft::detail {

using Json = nlohmann::json;

/// Extents hand their names on from call to call: a long one would take its bytes again in each.
inline constexpr std::size_t most_name_bytes = 256;

/// Parses JSON of which nobody knows where it comes from. Throws FormatError for what is no JSON,
/// keys that a level has twice, numbers that are no integers of 64 bits, and more than 32 levels.
/// The stack that this and the destructor need does not depend on the text.
Json parse_json(std::string_view text);

/// The text as a JSON string. Throws FormatError where it is no UTF-8.
std::string quoted(std::string_view text);

/// A value and the JSON pointer to it. Whatever is not as asked for is a FormatError. The document
/// must outlive it.
class JsonItem {
 public:
  JsonItem(const Json& value, std::string at) : value_(&value), at_(std::move(at)) {}

  [[noreturn]] void refuse(std::string_view why) const;

  bool is_null() const { return value_->is_null(); }
  bool is_number() const { return value_->is_number(); }
  bool is_list() const { return value_->is_array(); }
  bool is_object() const { return value_->is_object(); }
  bool has(std::string_view name) const { return value_->contains(name); }

  /// An object's member.
  JsonItem member(std::string_view name) const;
  /// Refuses anything but an object with no members beside these.
  void check_members(std::span<const std::string_view> names) const;
  void check_members(std::initializer_list<std::string_view> names) const {
    check_members(std::span(names.begin(), names.size()));
  }
  /// The name of the only member.
  const std::string& only_name() const;

  /// A list's items.
  std::size_t size() const;
  JsonItem operator[](std::size_t k) const;

  const std::string& text() const;
  bool flag() const;
  /// An integer from `low` (0 or less) to `high`, as the bits of an int64 or a uint64.
  std::int64_t number(std::int64_t low, std::uint64_t high) const;

 private:
  const Json* value_;
  std::string at_;
};

}  // namespace weft::detail

// SPDX-License-Identifier: Apache-2.0
// How fields read.
#include <weft/graph/fields.h>

#include <fmt/format.h>

namespace weft {

Ints Default::ints() const {
  if (kind_ == Kind::not_given) return none;
  SmallVector<std::int64_t, 4> values(integers_.begin(), integers_.begin() + count_);
  return Ints(i64, kind_ == Kind::integer ? 0 : 1,
              std::span<const std::int64_t>(values.data(), values.size()));
}

std::string Default::spelled() const {
  switch (kind_) {
    case Kind::absent:
      return "";
    case Kind::not_given:
      return "none";
    case Kind::integer:
      return ints().text();
    case Kind::list: {
      const std::string list = ints().text();
      return fmt::format("{{{}}}", list.substr(1, list.size() - 2));
    }
    case Kind::number:
      return fmt::format("{}", number_);
    case Kind::flag:
      return flag() ? "true" : "false";
    default:
      return fmt::format("\"{}\"", text_);
  }
}

namespace detail {

std::string value_text(std::int64_t value) { return fmt::format("{}", value); }
std::string value_text(const std::string& value) { return value; }

void append_field(std::string& text, std::string_view name, const std::string& value) {
  if (!text.empty()) text += ", ";
  if (!name.empty()) text += fmt::format("{}=", name);
  text += value;
}

}  // namespace detail
}  // namespace weft

// SPDX-License-Identifier: Apache-2.0
// Parsing JSON that may be hostile, and asking for what should be in it.
#include <weft/io/json_item.h>

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <weft/graph/value/error.h>

namespace weft::detail {
namespace {

constexpr std::size_t most_levels = 32;

[[noreturn]] void refuse_at(const std::string& at, std::string_view why) {
  // Keys, and the lists that ops quote, may be as long as the text.
  throw FormatError(
      fmt::format("program: {:.300}: {:.500}", at.empty() ? "the document" : at, why));
}

/// Builds the document while it is read: what the library's own builder lets pass is refused here.
class Builder final : public nlohmann::json_sax<Json> {
 public:
  explicit Builder(std::string_view text) : text_(text) {}
  Json take() { return std::move(root_); }

  bool null() override { return add(nullptr); }
  bool boolean(bool value) override { return add(value); }
  bool number_integer(number_integer_t value) override { return add(value); }
  bool number_unsigned(number_unsigned_t value) override { return add(value); }
  bool number_float(number_float_t, const string_t&) override {
    refuse_at(place(), "a number is no integer of 64 bits");
  }
  bool string(string_t& value) override { return add(std::move(value)); }
  bool binary(binary_t&) override { return false; }  // there is none in text
  bool start_object(std::size_t) override { return open(Json::object()); }
  bool start_array(std::size_t) override { return open(Json::array()); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }

  bool key(string_t& name) override {
    Level& level = open_.back();
    level.key = std::move(name);
    if (level.value->contains(level.key)) refuse_at(place(), "the key was given before");
    return true;
  }

  bool parse_error(std::size_t position, const std::string&,
                   const nlohmann::detail::exception& error) override {
    const std::string_view read = text_.substr(0, position);
    // The library's message goes on with what was read, of any length.
    std::string_view message = error.what();
    message.remove_prefix(
        std::min({message.find("syntax error"), message.find("number overflow"), message.size()}));
    message = message.substr(0, std::min(message.find("; last read"), message.find(" parsing '")));
    throw FormatError(fmt::format("program: line {}, byte {}: {}",
                                  1 + std::count(read.begin(), read.end(), '\n'), position,
                                  message));
  }

 private:
  struct Level {
    Json* value;
    std::string key;  // of an object: the last one
  };

  Json* put(Json&& value) {
    if (open_.empty()) return &(root_ = std::move(value));
    Json& parent = *open_.back().value;
    if (parent.is_object()) return &(parent[open_.back().key] = std::move(value));
    parent.push_back(std::move(value));
    return &parent.back();
  }

  bool add(Json&& value) {
    put(std::move(value));
    return true;
  }

  bool open(Json&& value) {
    if (open_.size() == most_levels)
      refuse_at(place(), fmt::format("more than {} levels of brackets", most_levels));
    open_.push_back({put(std::move(value)), {}});
    return true;
  }

  bool close() {
    open_.pop_back();
    return true;
  }

  /// Where the next value goes.
  std::string place() const {
    Json::json_pointer at;
    for (const auto& [value, key] : open_) {
      if (value->is_object()) at /= key;
      else at /= value->size() - (value == open_.back().value ? 0 : 1);
    }
    return at.to_string();
  }

  std::string_view text_;
  Json root_;
  std::vector<Level> open_;
};

}  // namespace

Json parse_json(std::string_view text) {
  Builder builder(text);
  Json::sax_parse(text.begin(), text.end(), &builder);
  return builder.take();
}

std::string quoted(std::string_view text) {
  try {
    return Json(text).dump();
  } catch (const Json::type_error&) {
    throw FormatError(fmt::format("program: the name {} is no UTF-8",
                                  Json(text).dump(-1, ' ', true, Json::error_handler_t::replace)));
  }
}

void JsonItem::refuse(std::string_view why) const { refuse_at(at_, why); }

JsonItem JsonItem::member(std::string_view name) const {
  if (!value_->is_object()) refuse("expected an object");
  const auto found = value_->find(name);
  if (found == value_->end()) refuse(fmt::format("there is no \"{}\"", name));
  return {*found, fmt::format("{}/{}", at_, name)};
}

void JsonItem::check_members(std::span<const std::string_view> names) const {
  if (!value_->is_object()) refuse("expected an object");
  for (const auto& item : value_->items())
    if (std::find(names.begin(), names.end(), item.key()) == names.end())
      JsonItem(item.value(), (Json::json_pointer(at_) / item.key()).to_string())
          .refuse(fmt::format("is not known, expected {}", fmt::join(names, ", ")));
}

const std::string& JsonItem::only_name() const {
  if (!value_->is_object() || value_->size() != 1) refuse("expected an object of one member");
  return value_->get_ptr<const Json::object_t*>()->begin()->first;
}

std::size_t JsonItem::size() const {
  if (!is_list()) refuse("expected a list");
  return value_->size();
}

JsonItem JsonItem::operator[](std::size_t k) const {
  return {(*value_)[k], fmt::format("{}/{}", at_, k)};
}

const std::string& JsonItem::text() const {
  if (!value_->is_string()) refuse("expected a string");
  return *value_->get_ptr<const std::string*>();
}

bool JsonItem::flag() const {
  if (!value_->is_boolean()) refuse("expected true or false");
  return value_->get<bool>();
}

std::int64_t JsonItem::number(std::int64_t low, std::uint64_t high) const {
  if (!value_->is_number_integer()) refuse("expected an integer");
  const bool is_negative = !value_->is_number_unsigned() && value_->get<std::int64_t>() < 0;
  const std::int64_t bits = value_->get<std::int64_t>();
  if (is_negative ? bits < low : static_cast<std::uint64_t>(bits) > high)
    refuse(fmt::format("{} is out of range, expected {} to {}", value_->dump(), low, high));
  return bits;
}

}  // namespace weft::detail

// SPDX-License-Identifier: Apache-2.0
// Parsing Python's literals by descent, no deeper than a bound.
#include <weft/io/python_literal.h>

#include <charconv>
#include <fmt/format.h>

#include <weft/graph/value/error.h>

namespace weft::detail {
namespace {

using Kind = PythonLiteral::Kind;

constexpr int most_levels = 32;
constexpr std::size_t most_keys = 16;  // they are looked for one by one

void append_utf8(std::string& to, std::uint32_t code) {
  const auto add = [&](std::uint32_t byte) { to += static_cast<char>(byte); };
  if (code < 0x80) return add(code);
  const int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
  constexpr std::uint32_t lead[] = {0, 0xC0, 0xE0, 0xF0};
  add(lead[more] | code >> 6 * more);
  for (int k = more - 1; k >= 0; --k) add(0x80 | (code >> 6 * k & 0x3F));
}

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  PythonLiteral whole() {
    PythonLiteral value = literal(0);
    skip_blanks();
    if (at_ != text_.size()) refuse("something follows the value");
    return value;
  }

 private:
  [[noreturn]] void refuse(std::string_view why) const {
    throw FormatError(fmt::format("byte {}: {}", at_, why));
  }
  char next() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  void skip_blanks() {
    while (next() == ' ' || next() == '\t' || next() == '\n' || next() == '\r') ++at_;
  }
  bool take(char expected) {
    skip_blanks();
    if (next() != expected) return false;
    ++at_;
    return true;
  }
  bool take_word(std::string_view word) {
    if (!text_.substr(at_).starts_with(word)) return false;
    at_ += word.size();
    return true;
  }

  PythonLiteral literal(int level) {
    if (level > most_levels) refuse(fmt::format("more than {} levels of brackets", most_levels));
    skip_blanks();
    PythonLiteral value;
    if (next() == '\'' || next() == '"') {
      value.kind = Kind::text;
      value.text = text();
    } else if (next() == '-' || (next() >= '0' && next() <= '9')) {
      value.kind = Kind::number;
      value.number = number();
    } else if (take('(')) {
      sequence(value, ')', level);
    } else if (take('[')) {
      sequence(value, ']', level);
    } else if (take('{')) {
      dict(value, level);
    } else if (const bool is_true = take_word("True"); is_true || take_word("False")) {
      value.kind = Kind::flag;
      value.number = is_true;
    } else if (!take_word("None")) {
      refuse("expected a value");
    }
    return value;
  }

  /// What is behind an opening bracket; a value in parentheses without a comma is that value.
  void sequence(PythonLiteral& value, char end, int level) {
    value.kind = end == ')' ? Kind::tuple : Kind::list;
    while (!take(end)) {
      value.items.push_back(literal(level + 1));
      if (take(',')) continue;
      if (!take(end)) refuse(fmt::format("expected a comma or {}", end));
      if (end == ')' && value.items.size() == 1) {
        PythonLiteral only = std::move(value.items[0]);
        value = std::move(only);
      }
      return;
    }
  }

  void dict(PythonLiteral& value, int level) {
    value.kind = Kind::dict;
    while (!take('}')) {
      PythonLiteral key = literal(level + 1);
      if (!key.is_text()) refuse("a key is no text");
      if (value.items.size() == 2 * most_keys)
        refuse(fmt::format("a dict has more than {} keys", most_keys));
      if (value.find(key.text)) refuse(fmt::format("the key '{:.60}' was given before", key.text));
      if (!take(':')) refuse("expected a colon");
      value.items.push_back(std::move(key));
      value.items.push_back(literal(level + 1));
      if (take(',')) continue;
      if (!take('}')) refuse("expected a comma or }");
      return;
    }
  }

  std::int64_t number() {
    std::int64_t value = 0;
    const char* const begin = text_.data() + at_;
    const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), value);
    if (error != std::errc()) refuse("expected an integer of 64 bits");
    at_ += static_cast<std::size_t>(end - begin);
    if (next() == 'L') ++at_;  // Python 2's
    return value;
  }

  std::string text() {
    const char quote = text_[at_++];
    std::string value;
    for (;; ++at_) {
      const char c = next();
      if (at_ >= text_.size() || c == '\n') refuse("a text has no end");
      if (c == quote) break;
      if (c != '\\') {
        value += c;
        continue;
      }
      ++at_;
      escape(value);
    }
    ++at_;
    return value;
  }

  /// At the character behind a backslash; stays at the last one of the escape.
  void escape(std::string& value) {
    const char c = next();
    if (c == '\\' || c == '\'' || c == '"') value += c;
    else if (c == 'n') value += '\n';
    else if (c == 'r') value += '\r';
    else if (c == 't') value += '\t';
    else if (c == 'x' || c == 'u' || c == 'U')
      append_utf8(value, code(c == 'x' ? 2 : c == 'u' ? 4 : 8));
    else refuse("an escape is not known");
  }

  std::uint32_t code(std::size_t digits) {
    const std::string_view hex = text_.substr(at_ + 1, digits);
    std::uint32_t value = 0;
    const auto [end, error] = std::from_chars(hex.data(), hex.data() + hex.size(), value, 16);
    if (hex.size() != digits || error != std::errc() || end != hex.data() + digits ||
        value > 0x10FFFF || (value >= 0xD800 && value < 0xE000))
      refuse("an escape is no character");
    at_ += digits;
    return value;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

const PythonLiteral* PythonLiteral::find(std::string_view key) const {
  for (std::size_t k = 0; is_dict() && k + 1 < items.size(); k += 2)
    if (items[k].text == key) return &items[k + 1];
  return nullptr;
}

PythonLiteral parse_python_literal(std::string_view text) { return Parser(text).whole(); }

std::string python_quoted(std::string_view text) {
  const bool has_quote = text.find('\'') != text.npos;
  const char quote = has_quote && text.find('"') == text.npos ? '"' : '\'';
  std::string quoted(1, quote);
  for (const char c : text) {
    if (c == quote || c == '\\') quoted += fmt::format("\\{}", c);
    else if (c == '\n') quoted += "\\n";
    else if (c == '\r') quoted += "\\r";
    else if (c == '\t') quoted += "\\t";
    else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F)
      quoted += fmt::format("\\x{:02x}", c);
    else quoted += c;
  }
  return quoted + quote;
}

}  // namespace weft::detail

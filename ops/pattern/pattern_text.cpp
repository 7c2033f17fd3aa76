// SPDX-License-Identifier: Apache-2.0
// Parsing patterns.
#include <weft/ops/pattern/pattern_text.h>

#include <charconv>
#include <fmt/format.h>
#include <system_error>

#include <weft/graph/value/error.h>
#include <weft/graph/value/shape.h>

namespace weft::pattern {
namespace {

constexpr std::string_view cut = "[...]";  // where a message leaves out some of a text
constexpr std::size_t most_shown = 80;

}  // namespace

std::string shown(std::string_view text, std::size_t most) {
  std::string line(text.substr(0, most));
  for (char& c : line)
    if (c < ' ' || c > '~') c = '?';
  return text.size() > most ? line.append(cut) : line;
}

std::string Source::message(const std::string& what) const {
  return fmt::format("{}: {}\n  {}", op, what, shown(pattern, most_shown));
}

std::string Source::message(const std::string& what, std::size_t at) const {
  const bool is_cut = pattern.size() > most_shown && at > most_shown / 2;
  const std::size_t begin = is_cut ? at - most_shown / 2 : 0;
  const std::string_view lead = is_cut ? cut : "";
  return fmt::format("{}: {}\n  {}{}\n  {:{}}^", op, what, lead,
                     shown(pattern.substr(begin), most_shown), "", lead.size() + at - begin);
}

void Source::refuse(const std::string& what, std::size_t at) const {
  throw ParameterError("bad_pattern", message(what, at));
}

void Source::refuse_rank(const std::string& what, std::size_t at) const {
  throw ParameterError("bad_rank", message(what, at));
}

std::string to_string(const Axis& axis) {
  return axis.kind == Axis::dots ? "the ellipsis" : "axis " + shown(axis.text);
}

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_of_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_' || c == '.';
}

class SideParser {
 public:
  SideParser(const Source& source, OneSided one_sided, std::string_view where,
             bool may_repeat = false)
      : source_(source),
        may_have_numbers_(where == (one_sided == OneSided::left    ? "left"
                                    : one_sided == OneSided::right ? "right"
                                                                   : "")),
        may_repeat_(may_repeat) {
    side_.where = where;
  }

  Side parse(std::size_t begin, std::size_t end) {
    for (std::size_t at = begin; at < end;) {
      if (source_.pattern[at] == ' ') {
        ++at;
        continue;
      }
      const std::size_t length = word_length(at);
      if (length > 0) add_word(source_.pattern.substr(at, length), at);
      else add_sign(source_.pattern[at], at);
      if (std::max(side_.group_count(), side_.axis_count()) > max_rank)
        source_.refuse_rank(fmt::format("more than {} axes on the {}", max_rank, side_.where), at);
      at += std::max<std::size_t>(length, 1);
    }
    if (is_open_) source_.refuse("this \"(\" is not closed", side_.groups.back().at);
    return std::move(side_);
  }

 private:
  std::size_t word_length(std::size_t at) const {
    const auto begin = source_.pattern.begin() + static_cast<std::ptrdiff_t>(at);
    return static_cast<std::size_t>(std::find_if_not(begin, source_.pattern.end(), is_of_word) -
                                    begin);
  }

  void add_sign(char c, std::size_t at) {
    if (c == '(') {
      if (is_open_) source_.refuse("parentheses within parentheses", at);
      side_.groups.push_back({at, true, {}});
      is_open_ = true;
    } else if (c == ')') {
      if (!is_open_) source_.refuse("no \"(\" is open here", at);
      is_open_ = false;
    } else {
      const bool is_printable = c > ' ' && c <= '~';
      source_.refuse(
          is_printable ? fmt::format("character '{}' has no meaning", c)
                       : fmt::format("byte 0x{:02x} has no meaning", static_cast<unsigned char>(c)),
          at);
    }
  }

  void add_word(std::string_view word, std::size_t at) {
    if (word == ellipsis) return add_ellipsis(at);
    if (const std::size_t dot = word.find('.'); dot != word.npos)
      source_.refuse("dots stand only for an ellipsis of three, apart from names", at + dot);
    if (std::all_of(word.begin(), word.end(), is_digit)) return add_number(word, at);
    if (is_digit(word[0]))
      source_.refuse(fmt::format("axis {} starts with a digit", shown(word)), at);
    if (word.front() == '_' || word.back() == '_')
      source_.refuse(fmt::format("axis {} starts or ends with an underscore", shown(word)), at);
    add({Axis::name, word, at});
  }

  void add_ellipsis(std::size_t at) {
    if (is_open_ && side_.where == "left")
      source_.refuse("an ellipsis in parentheses is only allowed on the right", at);
    add({Axis::dots, ellipsis, at});
  }

  void add_number(std::string_view digits, std::size_t at) {
    std::int64_t value = 0;
    const bool is_large = std::from_chars(digits.data(), digits.data() + digits.size(), value).ec ==
                          std::errc::result_out_of_range;
    if (!is_large && value == 1) {
      if (!is_open_) side_.groups.push_back({at, false, {}});
      return;
    }
    if (!may_have_numbers_)
      source_.refuse(fmt::format("number {} is not allowed, only 1 is", shown(digits)), at);
    if (is_large)
      throw OverflowError(source_.message(fmt::format("{} is beyond int64", shown(digits)), at));
    if (value == 0) source_.refuse("a new axis has extent 0, expected 1 or more", at);
    add({Axis::number, digits, at, value});
  }

  void add(const Axis& axis) {
    const bool may_repeat = axis.kind == Axis::number || (may_repeat_ && axis.kind == Axis::name);
    if (!may_repeat && side_.find(axis.text, axis.kind))
      source_.refuse(fmt::format("{} is named twice on the {}", to_string(axis), side_.where),
                     axis.at);
    if (!is_open_) side_.groups.push_back({axis.at, false, {}});
    side_.groups.back().axes.push_back(axis);
  }

  const Source& source_;
  bool may_have_numbers_, may_repeat_;
  bool is_open_ = false;  ///< the last group
  Side side_;
};
/// Every axis of `side` is also on the other one.
void check_is_matched(const Pattern& pattern, const Side& side, const Side& other) {
  for (const Group& group : side.groups)
    for (const Axis& axis : group.axes) {
      const OneSided here = &side == &pattern.right ? OneSided::right : OneSided::left;
      // What an ellipsis stands for may go, but nothing says how much of it would be new.
      const bool may_be_alone =
          pattern.one_sided == here && (here == OneSided::left || axis.kind != Axis::dots);
      if (!may_be_alone && !other.find(axis.text, axis.kind))
        pattern.source.refuse(fmt::format("{} is only on the {}", to_string(axis), side.where),
                              axis.at);
    }
}

}  // namespace

Side parse_side(const Source& source, std::string_view where, std::size_t begin, std::size_t end,
                bool may_repeat) {
  return SideParser(source, OneSided::neither, where, may_repeat).parse(begin, end);
}

Pattern parse(std::string_view op, std::string_view text, OneSided one_sided) {
  const Source source{op, text};
  const std::size_t arrow = text.find("->");
  if (arrow == text.npos) source.refuse("there is no \"->\"", text.size());
  const std::size_t second = text.find("->", arrow + 2);
  if (second != text.npos) source.refuse("there is a second \"->\"", second);
  Pattern pattern{source, one_sided, arrow, SideParser(source, one_sided, "left").parse(0, arrow),
                  SideParser(source, one_sided, "right").parse(arrow + 2, text.size())};
  check_is_matched(pattern, pattern.left, pattern.right);
  check_is_matched(pattern, pattern.right, pattern.left);
  return pattern;
}

}  // namespace weft::pattern

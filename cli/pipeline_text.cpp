// SPDX-License-Identifier: Apache-2.0
// A recursive descent over docs/pipelines.md's grammar.
#include <weft/cli/pipeline_text.h>

#include <charconv>
#include <fmt/format.h>
#include <utility>

#include <weft/cli/parse_pipeline.h>

namespace weft {
namespace {

constexpr int most_levels = 64;

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  std::vector<PipelineCall> run() {
    std::vector<PipelineCall> steps;
    do {
      if (at_end() || peek() == '|') refuse("a step is missing");
      steps.push_back(call());
    } while (take('|'));
    if (!at_end()) refuse("'|' or the end is expected");
    return steps;
  }

 private:
  [[noreturn]] void refuse(const std::string& why) const { refuse(why, at_); }
  [[noreturn]] static void refuse(const std::string& why, std::size_t at) {
    throw PipelineError("pipeline: " + why, at);
  }

  void skip_blanks() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n'))
      ++at_;
  }
  bool at_end() {
    skip_blanks();
    return at_ == text_.size();
  }
  char peek() {
    skip_blanks();
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool take(char c) {
    if (at_end() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  void expect(char c, std::string_view where) {
    if (!take(c)) refuse(fmt::format("'{}' is expected {}", c, where));
  }

  std::string word() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_]))) ++at_;
    return std::string(text_.substr(begin, at_ - begin));
  }

  PipelineCall call() {
    if (!is_letter(peek())) refuse("the name of an op is expected");
    PipelineCall made{at_, word(), {}};
    if (take('(')) made.arguments = arguments();
    return made;
  }

  std::vector<PipelineArgument> arguments() {
    const Level level(*this);
    std::vector<PipelineArgument> made;
    if (take(')')) return made;
    do {
      PipelineArgument argument;
      peek();
      argument.at = at_;
      if (is_letter(peek())) {
        const std::string name = word();
        if (take('=')) argument.name = name;
        else at_ = argument.at;
      }
      if (argument.name.empty() && !made.empty() && !made.back().name.empty())
        refuse("an argument without a name cannot follow one with a name", argument.at);
      argument.value = value();
      made.push_back(std::move(argument));
    } while (take(','));
    expect(')', "after the arguments");
    return made;
  }

  PipelineValue value() {
    const char first = peek();
    PipelineValue made{at_, {}};
    if (first == '[') made.value = list();
    else if (first == '\'' || first == '"') made.value = quoted();
    else if (is_digit(first) || first == '-' || first == '+' || first == '.') number(made);
    else if (is_letter(first)) named(made);
    else refuse("an argument is expected");
    if (auto* const values = std::get_if<std::vector<PipelineValue>>(&made.value)) {
      std::vector<std::int64_t> integers;
      for (const PipelineValue& each : *values)
        if (const auto* const integer = std::get_if<std::int64_t>(&each.value))
          integers.push_back(*integer);
      if (integers.size() == values->size()) made.value = std::move(integers);
    }
    return made;
  }

  /// Of integers, or of tensors.
  std::vector<PipelineValue> list() {
    const Level level(*this);
    std::vector<PipelineValue> made;
    expect('[', "");
    if (take(']')) return made;
    do made.push_back(value());
    while (take(','));
    expect(']', "after the list");
    return made;
  }

  std::string quoted() {
    const std::size_t begin = at_;
    const char quote = text_[at_++];
    std::string made;
    for (; at_ < text_.size() && text_[at_] != quote; ++at_) made += text_[at_];
    if (at_ == text_.size()) refuse("a text has no end", begin);
    ++at_;
    return made;
  }

  void number(PipelineValue& made) {
    std::size_t end = at_ + (text_[at_] == '+' ? 1 : 0);
    const std::size_t begin = end;
    bool is_whole = true;
    if (end < text_.size() && text_[end] == '-') ++end;
    for (; end < text_.size(); ++end) {
      const char c = text_[end];
      const bool is_sign =
          (c == '-' || c == '+') && (text_[end - 1] == 'e' || text_[end - 1] == 'E');
      if (!is_digit(c) && !is_letter(c) && c != '.' && !is_sign) break;
      is_whole = is_whole && is_digit(c);
    }
    const char *const from = text_.data() + begin, *const to = text_.data() + end;
    std::from_chars_result read{};
    if (is_whole) read = std::from_chars(from, to, made.value.emplace<std::int64_t>());
    else read = std::from_chars(from, to, made.value.emplace<double>());
    if (read.ec == std::errc::result_out_of_range)
      refuse(is_whole ? "a number is too large" : "a number is too large or too small for f64");
    if (read.ec != std::errc() || read.ptr != to)
      refuse(fmt::format("'{:.60}' is no number", text_.substr(at_, end - at_)));
    at_ = end;
  }

  void named(PipelineValue& made) {
    PipelineWord name{word()};
    if (peek() != '(') {
      made.value = std::move(name);
      return;
    }
    expect('(', "");
    PipelineCall own{made.at, std::move(name.text), arguments()};
    made.value.emplace<std::vector<PipelineCall>>().push_back(std::move(own));
  }

  class Level {
   public:
    explicit Level(Parser& parser) : parser_(parser) {
      if (++parser.levels_ > most_levels)
        parser.refuse(fmt::format("more than {} brackets within one another", most_levels));
    }
    ~Level() { --parser_.levels_; }

   private:
    Parser& parser_;
  };

  const std::string_view text_;
  std::size_t at_ = 0;
  int levels_ = 0;
};

}  // namespace

std::vector<PipelineCall> parse_pipeline_text(std::string_view text) { return Parser(text).run(); }

}  // namespace weft

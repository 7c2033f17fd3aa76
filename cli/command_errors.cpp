// SPDX-License-Identifier: Apache-2.0
#include <weft/cli/command_errors.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <weft/io/utf8.h>

namespace weft {
namespace {

bool is_colored(const std::string& color) {
  if (color != "auto") return color == "always";
  const char* const no = std::getenv("NO_COLOR");
  return ::isatty(STDERR_FILENO) && (!no || !*no);
}

/// In one line.
std::string shown(std::string text) {
  for (char& c : text)
    if (c == '\n' || c == '\t') c = ' ';
  return detail::printable(text);
}

/// The same place, or the next one where a character begins.
std::size_t whole_characters(const std::string& text, std::size_t at) {
  while (at < text.size() && (text[at] & 0xC0) == 0x80) ++at;
  return at;
}

/// How wide a terminal shows it: fmt fills what is wide with less.
std::size_t columns_of(const std::string& text) {
  const std::size_t wide = text.size() + 1;
  return wide - (fmt::format("{:<{}}", text, wide).size() - text.size());
}

}  // namespace

void tell(const std::string& message, const std::string& color, const std::string& pipeline,
          std::size_t place) {
  const bool has_color = is_colored(color);
  const std::string_view red = has_color ? "\033[31m" : "", plain = has_color ? "\033[0m" : "";
  fmt::print(stderr, "{}weft:{} {}\n", red, plain, shown(message));
  if (place == nowhere) return;
  constexpr std::size_t around = 60;
  const std::size_t at = std::min(place, pipeline.size());
  const std::size_t first = whole_characters(pipeline, at > around ? at - around : 0);
  const std::size_t end = whole_characters(pipeline, std::min(first + 2 * around, pipeline.size()));
  const std::string before = shown(pipeline.substr(first, at - first));
  fmt::print(stderr, "  {}{}\n  {:{}}{}^{}\n", before, shown(pipeline.substr(at, end - at)), "",
             columns_of(before), red, plain);
}

std::string color_of(int argc, const char* const* argv) {
  constexpr std::string_view option = "--color";
  std::string color = "auto";
  for (int k = 1; k < argc; ++k) {
    const std::string_view word = argv[k];
    if (word == option && k + 1 < argc) color = argv[++k];
    else if (word.starts_with("--color=")) color = word.substr(option.size() + 1);
  }
  return color == "always" || color == "never" ? color : "auto";
}

std::string no_command_text(const CLI::App& app, int argc, const char* const* argv) {
  std::vector<std::string> names;
  for (const CLI::App* const command : app.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(command->get_name());
  std::string why = "a command is missing";
  for (int k = 1; k < argc; ++k) {
    const std::string_view word = argv[k];
    const bool is_option = word.starts_with('-');
    if (word == "--color") ++k;  // what follows is its value
    else if (!word.starts_with("--color=")) {
      why = fmt::format("there is no {} {:.60}", is_option ? "option" : "command", word);
      break;
    }
  }
  return fmt::format("{}; there are {}, and --help", why, fmt::join(names, ", "));
}

}  // namespace weft

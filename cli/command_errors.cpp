// SPDX-License-Identifier: Apache-2.0
#include <weft/cli/command_errors.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

namespace weft {
namespace {

bool is_colored(const std::string& color) {
  if (color != "auto") return color == "always";
  const char* const no = std::getenv("NO_COLOR");
  return ::isatty(STDERR_FILENO) && (!no || !*no);
}

}  // namespace

void tell(const std::string& message, const std::string& color, const std::string& pipeline,
          std::size_t place) {
  const bool has_color = is_colored(color);
  const std::string_view red = has_color ? "\033[31m" : "", plain = has_color ? "\033[0m" : "";
  std::string line = message;
  std::replace(line.begin(), line.end(), '\n', ' ');
  fmt::print(stderr, "{}weft:{} {}\n", red, plain, line);
  if (place == nowhere) return;
  std::string text = pipeline;
  std::replace(text.begin(), text.end(), '\n', ' ');
  constexpr std::size_t around = 60;
  const std::size_t at = std::min(place, text.size()), first = at > around ? at - around : 0;
  fmt::print(stderr, "  {}\n  {:>{}}{}^{}\n", text.substr(first, 2 * around), "", at - first, red,
             plain);
}

std::string no_command_text(const CLI::App& app, int argc, const char* const* argv) {
  std::vector<std::string> names;
  for (const CLI::App* const command : app.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(command->get_name());
  std::string given;
  for (int k = 1; k < argc && given.empty(); ++k)
    if (argv[k][0] != '-') given = argv[k];
  return fmt::format(
      "{}; there are {}, and --help",
      given.empty() ? "a command is missing" : fmt::format("there is no command {:.60}", given),
      fmt::join(names, ", "));
}

}  // namespace weft

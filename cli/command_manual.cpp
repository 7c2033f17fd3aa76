// SPDX-License-Identifier: Apache-2.0
#include <weft/cli/command_manual.h>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <weft/cli/command_texts.h>
#include <weft/ops/op_table.h>

namespace weft {
namespace {

std::vector<const CLI::App*> commands_of(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App*) { return true; });
}

/// Those that have a name of their own: "--threads".
std::string option_names(const CLI::App& app) {
  std::string names;
  for (const CLI::Option* const option : app.get_options())
    for (const std::string& name : option->get_lnames())
      names += (names.empty() ? "--" : " --") + name;
  return names;
}

std::string op_names() {
  std::string names;
  for (const Op* const op : op_table()) names += (names.empty() ? "" : " ") + std::string(op->name);
  return names;
}

std::string command_names(const CLI::App& app) {
  std::string names;
  for (const CLI::App* const command : commands_of(app))
    names += (names.empty() ? "" : " ") + command->get_name();
  return names;
}

/// Cases of a shell's `case`: what each command takes.
std::string cases(const CLI::App& app) {
  std::string text;
  for (const CLI::App* const command : commands_of(app)) {
    std::string words = option_names(*command) + " " + option_names(app);
    if (command->get_name() == "ops") words += " " + op_names();
    if (command->get_name() == "completion") words += " bash zsh";
    text += fmt::format("    {}) words=\"{}\" ;;\n", command->get_name(), words);
  }
  return text;
}

/// As text of troff, whatever it begins with.
std::string troff(const std::string& text) {
  std::string all;
  for (const char c : text) {
    if (c == '\\') all += "\\e";
    else if (c == '-') all += "\\-";
    else if ((c == '.' || c == '\'') && (all.empty() || all.back() == '\n'))
      all += "\\&" + std::string(1, c);
    else all += c;
  }
  return all;
}

std::string options_page(const CLI::App& app) {
  std::string text;
  for (const CLI::Option* const option : app.get_options()) {
    const bool is_flag = option->get_type_size() == 0;
    const std::string name = option->get_name(option->get_positional(), true);
    text +=
        fmt::format(".TP\n.B {}{}\n{}\n", troff(name),
                    is_flag || option->get_positional() ? "" : troff(" " + option->get_type_name()),
                    troff(option->get_description()));
  }
  return text;
}

}  // namespace

std::string completion_text(const CLI::App& app, const std::string& shell) {
  if (shell == "bash")
    return fmt::format(
        R"(# Completion of weft for bash: weft completion bash > FILE, which ~/.bashrc reads.
_weft() {{
  local words
  case "${{COMP_WORDS[1]}}" in
{}    *) words="{} {}" ;;
  esac
  if [ "$COMP_CWORD" -eq 1 ]; then words="{} {}"; fi
  COMPREPLY=($(compgen -W "$words" -- "${{COMP_WORDS[COMP_CWORD]}}"))
}}
complete -o default -F _weft weft
)",
        cases(app), command_names(app), option_names(app), command_names(app), option_names(app));
  return fmt::format(R"(#compdef weft
# Completion of weft for zsh: weft completion zsh > _weft, in a folder of $fpath.
_weft() {{
  local words_of_weft words
  local command="${{(Q)${{=BUFFER}}[2]}}"
  case "$command" in
{}    *) words="{} {}" ;;
  esac
  if (( CURRENT == 2 )); then words="{} {}"; fi
  compadd -- ${{=words}}
  _files
}}
compdef _weft weft
)",
                     cases(app), command_names(app), option_names(app), command_names(app),
                     option_names(app));
}

std::string manual_text(const CLI::App& app) {
  std::string text = fmt::format(
      ".TH WEFT 1\n.SH NAME\nweft \\- {}\n.SH SYNOPSIS\n.B weft\n[options] command [arguments]\n",
      troff(app.get_description()));
  text += ".SH OPTIONS\n" + options_page(app) + ".SH COMMANDS\n";
  for (const CLI::App* const command : commands_of(app)) {
    text += fmt::format(".SS weft {}\n{}.\n", troff(command->get_name()),
                        troff(command->get_description()));
    text += options_page(*command);
    if (!command->get_footer().empty())
      text += fmt::format(".PP\nFor example:\n.PP\n.nf\n{}\n.fi\n", troff(command->get_footer()));
  }
  text +=
      ".SH PIPELINES\nSteps are calls of ops, with | between them; what one makes is the first "
      "operand of the next, or stands where that says _. Arguments are given in order or by "
      "name. These are the ops, with what is taken where an argument is not given:\n.PP\n.nf\n" +
      troff(all_ops_text()) + ".fi\n";
  text += R"(.SH EXIT STATUS
0; 1 for what can be mended, which is told; 2 for a defect of weft; 130 after Ctrl\-C.
Whatever it is but 0, an output that was there is as it was.
.SH ENVIRONMENT
.TP
.B NO_COLOR
Where it is set, errors have no colours.
)";
  return text;
}

}  // namespace weft

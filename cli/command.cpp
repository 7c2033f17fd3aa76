// SPDX-License-Identifier: Apache-2.0
// The command's options.
#include <weft/cli/command.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <sstream>
#include <vector>

#include <weft/cli/command_errors.h>
#include <weft/cli/command_hooks.h>
#include <weft/cli/command_manual.h>
#include <weft/cli/command_words.h>
#include <weft/cli/parse_pipeline.h>

namespace weft {
namespace {

constexpr int mendable = 1, defect = 2, interrupted = 130;

void add_reading(CLI::App& command, Given& given) {
  command.add_option("--dtype", given.dtype, "Type of inputs that are raw bytes: f32, u8, ...");
  command.add_option("--shape", given.shape, "Shape of inputs that are raw bytes: 480,640,3");
  command.add_flag("--bf16", given.bfloat16, "Two bytes without a name in .npy ('<V2') are bf16");
}
void add_writing(CLI::App& command, Given& given) {
  command.add_option("--format", given.format,
                     "Format of the output: npy, npz, safetensors, png, jpeg, raw");
  command.add_flag("--deflate", given.deflate, "Compress members of .npz");
  command.add_option("--quality", given.quality, "Of JPEG, 1 to 100")->check(CLI::Range(1, 100));
}
void add_limits(CLI::App& command, Given& given) {
  command.add_option("--threads", given.threads, "Threads at most")->check(CLI::Range(0, 4096));
  command.add_option("--memory", given.memory_bytes, "Memory at most: 64M, 2G")
      ->transform(CLI::AsSizeValue(false));
}
void add_evaluating(CLI::App& command, Given& given) {
  add_limits(command, given);
  command.add_option("--trace", given.trace, "File for what was done when, in Chrome's trace JSON");
}
void add_pipeline(CLI::App& command, Given& given, bool takes_program) {
  command
      .add_option("pipeline", given.pipeline,
                  takes_program ? "Steps, or a saved program (FILE.json)" : "Steps")
      ->required();
  command.add_option("input", given.input, "File that the first step takes, or -");
  command.add_option("--in", given.named, "NAME=FILE, NAME:=2 or NAME:=[1,2]; may be repeated")
      ->take_all();
  add_reading(command, given);
}

/// What CLI11 parses, the last word first. Where it takes several it reads a word in brackets as a
/// list; a file's name is the same behind "./".
std::vector<std::string> words_of(int argc, const char* const* argv) {
  std::vector<std::string> words(argv + 1, argv + argc);
  bool are_files = false;
  for (std::size_t k = 0; k < words.size(); ++k) {
    const bool is_list = words[k].starts_with('[') && words[k].ends_with(']');
    if (are_files && is_list && words[k - 1] != "--shape") words[k].insert(0, "./");
    if (words[k] == "info") are_files = true;
  }
  std::reverse(words.begin(), words.end());
  return words;
}

}  // namespace

int run_command(int argc, const char* const* argv) {
  catch_interrupts();
  const std::string color = color_of(argc, argv);
  CLI::App app("Rearranges tensors in files and computes with them, in one pass.", "weft");
  app.require_subcommand(1);
  Given given;
  app.add_option("--color", given.color, "Of errors: auto (on terminals, unless NO_COLOR is set)")
      ->check(CLI::IsMember({"auto", "always", "never"}));
  app.set_version_flag("--version", "weft " WEFT_VERSION, "Print the version and exit");
  app.fallthrough();
  std::function<void()> chosen;
  const auto add = [&](const char* name, const char* about, void (*work)(Given&)) {
    CLI::App& command = *app.add_subcommand(name, about);
    command.callback([&given, &chosen, work] { chosen = [&given, work] { work(given); }; });
    return &command;
  };

  const auto add_own = [&](const char* name, const char* about,
                           std::function<std::string(const Given&)> text) {
    CLI::App& command = *app.add_subcommand(name, about);
    command.callback(
        [&given, &chosen, text] { chosen = [&given, text] { print_out(text(given)); }; });
    return &command;
  };

  CLI::App* command = add("run", "Run a pipeline or a saved program", command_run);
  add_pipeline(*command, given, true);
  command->add_option("-o,--output", given.output, "File to write, or - (the default)");
  add_writing(*command, given);
  add_evaluating(*command, given);
  command->footer(
      "weft run \"transpose([2,0,1]) | roll([5],[0])\" in.npy -o out.npy\n"
      "weft run \"slice_scatter(data, updates, start=[0], stop=[5], step=[2])\" "
      "--in data=a.npy --in updates=b.npy -o out.npy");
  command = add("explain", "Say what a pipeline would do", command_explain);
  add_pipeline(*command, given, true);
  command->add_flag("--json", given.is_json, "Plans as JSON, for programs");
  command->footer("weft explain \"flip([1]) | transpose([2,0,1])\" photograph.png");
  command = add("draw", "Draw a pipeline's graph, and the plan that is made of it", command_draw);
  add_pipeline(*command, given, false);
  command->add_option("-o,--output", given.output, "FILE.svg or FILE.dot, or - (the default)");
  command->add_option("--format", given.format, "svg or dot; by the file's name otherwise")
      ->check(CLI::IsMember({"svg", "dot"}));
  command->footer("weft draw \"flip([1]) | transpose([2,0,1])\" photograph.png -o plan.svg");
  command = add("bench", "Time a pipeline fused and step by step, beside a copy", command_bench);
  add_pipeline(*command, given, false);
  command->add_option("--rounds", given.rounds, "So many of each (15)")
      ->check(CLI::Range(1, 10000));
  command->add_flag("--json", given.is_json, "As JSON, for programs");
  add_limits(*command, given);
  command->footer("weft bench \"flip([1]) | transpose([2,0,1])\" photograph.png");
  command = add("info", "Tell what files hold", command_info);
  command->add_option("file", given.files, "Files, or -")->required();
  add_reading(*command, given);
  command->footer("weft info weights.safetensors");
  command = add("ops", "List the ops, or tell what one takes", command_ops);
  command->add_option("name", given.op, "An op");
  command->footer("weft ops slice_scatter");
  command = add("convert", "Write a file in another format", command_convert);
  command->add_option("input", given.input, "File to read, or -")->required();
  command->add_option("output", given.output, "File to write, or -")->required();
  add_reading(*command, given);
  add_writing(*command, given);
  add_evaluating(*command, given);
  command->footer("weft convert photograph.jpg photograph.npy");
  add_own("completion", "Completion for a shell",
          [&](const Given& own) { return completion_text(app, own.shell); })
      ->add_option("shell", given.shell, "bash or zsh")
      ->required()
      ->check(CLI::IsMember({"bash", "zsh"}));
  add_own("man", "This manual, as a page for man", [&](const Given&) { return manual_text(app); });
  given.output = "-";

  try {
    app.parse(words_of(argc, argv));
  } catch (const CLI::Success& told) {
    std::ostringstream text;
    app.exit(told, text, text);
    chosen = [text = text.str()] { print_out(text); };
  } catch (const CLI::ParseError& error) {
    tell(app.get_subcommands().empty() ? no_command_text(app, argc, argv) : error.what(), color);
    return mendable;
  }
  try {
    chosen();
    return 0;
  } catch (const Cancelled&) {
    return interrupted;
  } catch (const FileError& error) {
    if (stop_question()()) return interrupted;  // what was waited for was broken off
    tell(error.what(), color);
    return mendable;
  } catch (const InternalError& error) {
    tell(error.what(), color);
    return defect;
  } catch (const PipelineError& error) {
    tell(error.what(), color, given.pipeline, given.at);
    return mendable;
  } catch (const Error& error) {
    tell(error.what(), color, given.pipeline, given.at);
    return mendable;
  } catch (const std::bad_alloc&) {
    tell("out of memory", color);
    return mendable;
  } catch (const std::exception& error) {
    tell(error.what(), color);
    return defect;
  }
}

}  // namespace weft

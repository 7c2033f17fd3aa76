// SPDX-License-Identifier: Apache-2.0
// The command's options, and what each of its words does.
#include <weft/cli/command.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <functional>
#include <unistd.h>

#include <weft/cli/command_inputs.h>
#include <weft/cli/command_texts.h>
#include <weft/cli/parse_pipeline.h>
#include <weft/engine/view/explain.h>
#include <weft/io/file.h>
#include <weft/io/program_json.h>

namespace weft {
namespace {

constexpr int mendable = 1, defect = 2, interrupted = 130;

std::atomic<bool> is_interrupted = false;
extern "C" void interrupt(int) { is_interrupted = true; }

/// What the options of all subcommands say.
struct Given {
  std::string pipeline, input, output, format, dtype, shape;
  std::vector<std::string> named, files;
  int threads = 0;
  std::uint64_t memory_bytes = 0;
  bool in_place = false, bfloat16 = false, deflate = false;
  int quality = 90;
  std::string op;
  static constexpr std::size_t nowhere = static_cast<std::size_t>(-1);
  std::size_t at = nowhere;  ///< of the pipeline, where it is wrong
};

LoadOptions load_options(const Given& given) {
  LoadOptions options;
  if (!given.dtype.empty()) {
    options.format = "raw";
    options.dtype = parse_dtype(given.dtype);
    if (!options.dtype)
      throw DtypeError(fmt::format("--dtype {}: there is no such type", given.dtype));
  }
  if (!given.shape.empty()) options.shape = shape_from(given.shape);
  options.bfloat16 = given.bfloat16;
  return options;
}

const std::function<bool()> should_stop = [] { return is_interrupted.load(); };

EvalOptions eval_options(const Given& given) {
  EvalOptions options;
  options.threads = given.threads;
  options.memory_limit = static_cast<std::int64_t>(given.memory_bytes);
  options.in_place = given.in_place;
  options.should_stop = &should_stop;
  return options;
}

void write(const Tensor& x, const Given& given) {
  SaveOptions options;
  options.format = given.format;
  options.eval = eval_options(given);
  options.deflate = given.deflate;
  options.quality = given.quality;
  if (given.output != "-") return save(x, given.output, options);
  if (::isatty(STDOUT_FILENO))
    throw FileError("standard output is a terminal: -o FILE writes the result there");
  save_to(STDOUT_FILENO, x, options);
}

bool is_program(const std::string& text) {
  return text.ends_with(".json") && ::access(text.c_str(), R_OK) == 0;
}

/// The inputs of a saved program by their names.
std::vector<Tensor> program_inputs(const Program& program, const PipelineInputs& inputs) {
  const std::vector<std::string> names = input_names(program);
  std::vector<Tensor> tensors;
  for (const std::string& name : names) {
    const auto own = inputs.contains(name)                       ? inputs.find(name)
                     : names.size() == 1 && inputs.contains("_") ? inputs.find("_")
                                                                 : inputs.end();
    if (own == inputs.end())
      throw ParameterError("missing_input", fmt::format("program: input {} is missing", name));
    tensors.push_back(own->second);
  }
  for (const auto& [name, value] : inputs)
    if (name != "_" && std::find(names.begin(), names.end(), name) == names.end())
      throw ParameterError("bad_input", fmt::format("program: it has no input {}; it has {}", name,
                                                    fmt::join(names, ", ")));
  return tensors;
}

int run(Given& given) {
  const PipelineInputs inputs = command_inputs(given.input, given.named, load_options(given));
  if (!is_program(given.pipeline)) {
    const Tensor made = parse_pipeline(given.pipeline, inputs, &given.at);
    given.at = Given::nowhere;
    write(made, given);
    return 0;
  }
  const Program program = load_program(given.pipeline);
  const Results made = program.run(program_inputs(program, inputs), eval_options(given));
  if (made.size() != 1)
    throw ParameterError("length_mismatch",
                         fmt::format("program: it has {} outputs, one can be written", made.size()));
  write(made[0], given);
  return 0;
}

int explain(Given& given) {
  const PipelineInputs inputs = command_inputs(given.input, given.named, load_options(given));
  if (is_program(given.pipeline)) {
    const Program program = load_program(given.pipeline);
    fmt::print("{}", program.explain(program_inputs(program, inputs)));
  } else {
    fmt::print("{}", weft::explain(parse_pipeline(given.pipeline, inputs, &given.at)));
  }
  return 0;
}

int info(Given& given) {
  for (const std::string& file : given.files)
    fmt::print("{}", file_text(file, load_options(given), eval_options(given)));
  return 0;
}

int ops(Given& given) {
  fmt::print("{}", given.op.empty() ? all_ops_text() : op_text(given.op));
  return 0;
}

int convert(Given& given) {
  write(load_named(given.input, load_options(given)), given);
  return 0;
}

void add_reading(CLI::App& command, Given& given) {
  command.add_option("--dtype", given.dtype, "Type of raw bytes: f32, u8, ...");
  command.add_option("--shape", given.shape, "Shape of raw bytes: 480,640,3");
  command.add_flag("--bf16", given.bfloat16, "Two bytes without a name in .npy ('<V2') are bf16");
}
void add_writing(CLI::App& command, Given& given) {
  command.add_option("--format", given.format,
                     "Format of the output: npy, npz, safetensors, png, jpeg, raw");
  command.add_flag("--deflate", given.deflate, "Compress members of .npz");
  command.add_option("--quality", given.quality, "Of JPEG, 1 to 100")->check(CLI::Range(1, 100));
}
void add_evaluating(CLI::App& command, Given& given) {
  command.add_option("--threads", given.threads, "Threads at most")->check(CLI::Range(0, 4096));
  command.add_option("--memory", given.memory_bytes, "Memory at most: 64M, 2G")
      ->transform(CLI::AsSizeValue(false));
  command.add_flag("--in-place", given.in_place, "Refuse what cannot be written over its input");
}
void add_pipeline(CLI::App& command, Given& given) {
  command.add_option("pipeline", given.pipeline, "Steps, or a saved program (FILE.json)")
      ->required();
  command.add_option("input", given.input, "File that the first step takes, or -");
  command.add_option("--in", given.named, "NAME=FILE, NAME:=2 or NAME:=[1,2]; may be repeated")
      ->take_all();
  add_reading(command, given);
}

/// In three lines at most.
void tell(const std::string& message, const Given* given) {
  std::string line = message;
  std::replace(line.begin(), line.end(), '\n', ' ');
  fmt::print(stderr, "weft: {}\n", line);
  if (!given || given->at == Given::nowhere) return;
  std::string text = given->pipeline;
  std::replace(text.begin(), text.end(), '\n', ' ');
  constexpr std::size_t around = 60;
  const std::size_t at = std::min(given->at, text.size()),
                    first = at > around ? at - around : 0;
  fmt::print(stderr, "  {}\n  {:>{}}\n", text.substr(first, 2 * around), '^', at - first + 1);
}

}  // namespace

int run_command(int argc, const char* const* argv) {
  CLI::App app("Rearranges tensors in files and computes with them, in one pass.", "weft");
  app.require_subcommand(1);
  Given given;
  std::function<int()> chosen;
  const auto add = [&](const char* name, const char* about, int (*work)(Given&)) {
    CLI::App& command = *app.add_subcommand(name, about);
    command.callback(
        [&given, &chosen, work] { chosen = [&given, work] { return work(given); }; });
    return &command;
  };

  CLI::App* command = add("run", "Run a pipeline or a saved program", run);
  add_pipeline(*command, given);
  command->add_option("-o,--output", given.output, "File to write, or - (the default)");
  add_writing(*command, given);
  add_evaluating(*command, given);
  command->footer(
      "weft run \"transpose([2,0,1]) | roll([5],[0])\" in.npy -o out.npy\n"
      "weft run \"slice_scatter(data, updates, start=[0], stop=[5], step=[2])\" "
      "--in data=a.npy --in updates=b.npy -o out.npy");
  command = add("explain", "Say what a pipeline would do", explain);
  add_pipeline(*command, given);
  command->footer("weft explain \"flip([1]) | transpose([2,0,1])\" photograph.png");
  command = add("info", "Tell what files hold", info);
  command->add_option("file", given.files, "Files")->required();
  add_reading(*command, given);
  command->footer("weft info weights.safetensors");
  command = add("ops", "List the ops, or tell what one takes", ops);
  command->add_option("name", given.op, "An op");
  command->footer("weft ops slice_scatter");
  command = add("convert", "Write a file in another format", convert);
  command->add_option("input", given.input, "File to read, or -")->required();
  command->add_option("output", given.output, "File to write, or -")->required();
  add_reading(*command, given);
  add_writing(*command, given);
  add_evaluating(*command, given);
  command->footer("weft convert photograph.jpg photograph.npy");
  given.output = "-";

  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& help) {
    return app.exit(help);
  } catch (const CLI::ParseError& error) {
    tell(error.what(), nullptr);
    return mendable;
  }
  std::signal(SIGINT, interrupt);
  try {
    return chosen();
  } catch (const StoppedError&) {
    return interrupted;
  } catch (const InternalError& error) {
    tell(error.what(), nullptr);
    return defect;
  } catch (const PipelineError& error) {
    tell(error.what(), &given);
    return mendable;
  } catch (const Error& error) {
    tell(error.what(), &given);
    return mendable;
  } catch (const std::bad_alloc&) {
    tell("out of memory", nullptr);
    return mendable;
  } catch (const std::exception& error) {
    tell(error.what(), nullptr);
    return defect;
  }
}

}  // namespace weft

// SPDX-License-Identifier: Apache-2.0
#include <weft/cli/command_words.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limits>
#include <unistd.h>

#include <weft/cli/command_bench.h>
#include <weft/cli/command_hooks.h>
#include <weft/cli/command_inputs.h>
#include <weft/cli/command_texts.h>
#include <weft/cli/parse_pipeline.h>
#include <weft/engine/view/draw.h>
#include <weft/engine/view/explain.h>
#include <weft/io/file.h>
#include <weft/io/file_format.h>
#include <weft/io/output.h>
#include <weft/io/program_json.h>

namespace weft {
namespace {

LoadOptions load_options(const Given& given) {
  LoadOptions options;
  if (!given.dtype.empty()) {
    options.dtype = parse_dtype(given.dtype);
    if (!options.dtype)
      throw DtypeError(fmt::format("--dtype {}: there is no such type", given.dtype));
  }
  if (!given.shape.empty()) options.shape = shape_from(given.shape);
  options.bfloat16 = given.bfloat16;
  options.should_stop = &stop_question();
  return options;
}

EvalOptions eval_options(const Given& given, CommandHooks& hooks) {
  EvalOptions options;
  options.threads = given.threads;
  constexpr auto most = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  if (given.memory_bytes > most)
    throw ParameterError("bad_memory",
                         fmt::format("--memory: {} bytes are the most that can be said", most));
  options.memory_limit = static_cast<std::int64_t>(given.memory_bytes);
  hooks.add_to(options);
  return options;
}

void write(const Tensor& x, const Given& given, CommandHooks& hooks) {
  SaveOptions options;
  options.format = given.format;
  options.eval = eval_options(given, hooks);
  options.deflate = given.deflate;
  options.quality = given.quality;
  if (given.output != "-") return save(x, given.output, options);
  if (::isatty(STDOUT_FILENO))
    throw FileError("standard output is a terminal: -o FILE writes the result there");
  save_to(STDOUT_FILENO, x, options);
}

void write_text(const std::string& text, const std::string& path) {
  if (path == "-") return print_out(text);
  const EvalOptions options{.should_stop = &stop_question()};
  detail::write_file(path, options, [&](detail::Output& to) { to.write(text); });
}

/// No pipeline ends so.
bool is_program(const std::string& text) { return text.ends_with(".json"); }

void refuse_program(const Given& given, std::string_view word) {
  if (is_program(given.pipeline))
    throw ParameterError(
        "not_a_pipeline",
        fmt::format("{}: {} is a saved program, and a pipeline is expected", word, given.pipeline));
}

/// Whether a picture is drawn, and not the text that dot takes.
bool is_picture(const Given& given) {
  if (!given.format.empty()) return given.format == "svg";
  std::string extension = std::filesystem::path(given.output).extension().string();
  for (char& c : extension) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  if (given.output != "-" && extension != ".svg" && extension != ".dot")
    throw ParameterError("bad_format",
                         fmt::format("draw: {}: its extension tells no format, expected .svg or "
                                     ".dot, or --format",
                                     given.output));
  return extension == ".svg";
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

}  // namespace

void command_run(Given& given) {
  CommandHooks hooks(given.trace, given.output);
  const PipelineInputs inputs = command_inputs(given.input, given.named, load_options(given));
  if (!is_program(given.pipeline)) {
    const Tensor made = parse_pipeline(given.pipeline, inputs, &given.at);
    given.at = nowhere;
    write(made, given, hooks);
    hooks.finish();
    return;
  }
  const Program program = load_program(given.pipeline);
  const Results made = program.run(program_inputs(program, inputs), eval_options(given, hooks));
  if (made.size() != 1)
    throw ParameterError(
        "length_mismatch",
        fmt::format("program: it has {} outputs, one can be written", made.size()));
  write(made[0], given, hooks);
  hooks.finish();
}

void command_explain(Given& given) {
  const PipelineInputs inputs = command_inputs(given.input, given.named, load_options(given));
  if (is_program(given.pipeline)) {
    const Program program = load_program(given.pipeline);
    const std::vector<Tensor> own = program_inputs(program, inputs);
    print_out(given.is_json ? plans_json(program.plan_summaries(own)) : program.explain(own));
  } else {
    const Tensor made = parse_pipeline(given.pipeline, inputs, &given.at);
    given.at = nowhere;
    print_out(given.is_json ? plans_json({plan_summary(made)}) : weft::explain(made));
  }
}

void command_draw(Given& given) {
  refuse_program(given, "draw");
  const bool is_svg = is_picture(given);
  const PipelineInputs inputs = command_inputs(given.input, given.named, load_options(given));
  const Tensor made = parse_pipeline(given.pipeline, inputs, &given.at);
  given.at = nowhere;
  write_text(is_svg ? draw_svg(made) : draw_dot(made), given.output);
}

void command_bench(Given& given) {
  refuse_program(given, "bench");
  CommandHooks hooks;
  EvalOptions options = eval_options(given, hooks);
  options.progress = nullptr;
  const PipelineInputs inputs = command_inputs(given.input, given.named, load_options(given));
  const std::string text =
      bench_text(given.pipeline, inputs, given.rounds, options, given.is_json, &given.at);
  given.at = nowhere;
  print_out(text);
}

void command_info(Given& given) {
  CommandHooks hooks;
  for (const std::string& name : given.files)
    print_out(file_text(name, open_only(name, load_options(given)), eval_options(given, hooks)));
}

void command_ops(Given& given) { print_out(given.op.empty() ? all_ops_text() : op_text(given.op)); }

void command_convert(Given& given) {
  CommandHooks hooks(given.trace, given.output);
  write(open_only(given.input, load_options(given)).load(), given, hooks);
  hooks.finish();
}

}  // namespace weft

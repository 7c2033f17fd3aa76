// SPDX-License-Identifier: Apache-2.0
#include <weft/cli/command_words.h>

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
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
    options.format = "raw";
    options.dtype = parse_dtype(given.dtype);
    if (!options.dtype)
      throw DtypeError(fmt::format("--dtype {}: there is no such type", given.dtype));
  }
  if (!given.shape.empty()) options.shape = shape_from(given.shape);
  options.bfloat16 = given.bfloat16;
  return options;
}

EvalOptions eval_options(const Given& given, CommandHooks& hooks) {
  EvalOptions options;
  options.threads = given.threads;
  options.memory_limit = static_cast<std::int64_t>(given.memory_bytes);
  options.in_place = given.in_place;
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
  if (path == "-") return fmt::print("{}", text);
  detail::write_file(path, {}, [&](detail::Output& to) { to.write(text); });
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

}  // namespace

void command_run(Given& given) {
  CommandHooks hooks(given.trace);
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
    fmt::print("{}",
               given.is_json ? plans_json(program.plan_summaries(own)) : program.explain(own));
  } else {
    const Tensor made = parse_pipeline(given.pipeline, inputs, &given.at);
    fmt::print("{}", given.is_json ? plans_json({plan_summary(made)}) : weft::explain(made));
  }
}

void command_draw(Given& given) {
  const PipelineInputs inputs = command_inputs(given.input, given.named, load_options(given));
  const Tensor made = parse_pipeline(given.pipeline, inputs, &given.at);
  given.at = nowhere;
  const bool is_svg = given.format.empty() ? given.output.ends_with(".svg") : given.format == "svg";
  write_text(is_svg ? draw_svg(made) : draw_dot(made), given.output);
}

void command_bench(Given& given) {
  CommandHooks hooks({});
  EvalOptions options = eval_options(given, hooks);
  options.progress = nullptr;
  const PipelineInputs inputs = command_inputs(given.input, given.named, load_options(given));
  const std::string text =
      bench_text(given.pipeline, inputs, given.rounds, options, given.is_json, &given.at);
  fmt::print("{}", text);
}

void command_info(Given& given) {
  CommandHooks hooks({});
  for (const std::string& file : given.files)
    fmt::print("{}", file_text(file, load_options(given), eval_options(given, hooks)));
}

void command_ops(Given& given) {
  fmt::print("{}", given.op.empty() ? all_ops_text() : op_text(given.op));
}

void command_convert(Given& given) {
  CommandHooks hooks(given.trace);
  write(load_named(given.input, load_options(given)), given, hooks);
  hooks.finish();
}

}  // namespace weft

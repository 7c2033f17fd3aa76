// SPDX-License-Identifier: Apache-2.0
// Inputs by name.
#include <weft/cli/command_inputs.h>

#include <filesystem>
#include <fmt/format.h>
#include <optional>
#include <system_error>
#include <unistd.h>
#include <utility>

#include <weft/cli/pipeline_text.h>
#include <weft/engine/memory/create.h>
#include <weft/ops/create/full.h>

namespace weft {
namespace {

/// Integers, written as a pipeline writes them: of rank 0 or 1.
Tensor integers_from(const std::string& text, const std::string& refusal) {
  try {
    const auto calls = parse_pipeline_text("x(" + text + ")");
    if (calls.size() == 1 && calls[0].arguments.size() == 1) {
      const PipelineValue& value = calls[0].arguments[0].value;
      if (const auto* const integer = std::get_if<std::int64_t>(&value.value))
        return full({}, *integer);
      if (const auto* const list = std::get_if<std::vector<std::int64_t>>(&value.value))
        return from_vector(*list, {std::ssize(*list)});
    }
  } catch (const PipelineError&) {
  }
  throw ParameterError("bad_input", refusal);
}

bool is_there(const std::string& path) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  return std::filesystem::exists(status) && !std::filesystem::is_directory(status);
}

/// Where the name of a member begins behind that of its file; npos: it is a file's name.
std::size_t colon_of(const std::string& name) {
  if (is_there(name)) return std::string::npos;
  // Members may have colons in their names, as files may: the longest that is there.
  std::size_t at = name.rfind(':');
  while (at != std::string::npos && !is_there(name.substr(0, at)))
    at = at == 0 ? std::string::npos : name.rfind(':', at - 1);
  return at;
}

detail::FileBytes bytes_named(const std::string& path, const LoadOptions& options) {
  if (path != "-") return detail::FileBytes::open(path, options.should_stop);
  return detail::FileBytes::read(STDIN_FILENO, "standard input", options.should_stop);
}

}  // namespace

NamedFile open_named(const std::string& name, LoadOptions options) {
  const std::size_t colon = name == "-" ? std::string::npos : colon_of(name);
  if (colon != std::string::npos) options.member = name.substr(colon + 1);
  const std::string path = name.substr(0, colon);
  detail::FileBytes bytes = bytes_named(path, options);
  const detail::FileFormat& format = detail::format_of(bytes, path, options);
  return {std::move(bytes), &format, std::move(options)};
}

NamedFile open_only(const std::string& name, const LoadOptions& options) {
  NamedFile file = open_named(name, options);
  detail::refuse_raw_options(file.bytes, *file.format, file.options);
  return file;
}

PipelineInputs command_inputs(const std::string& first, const std::vector<std::string>& named,
                              const LoadOptions& options) {
  PipelineInputs inputs;
  bool is_any_raw = false;
  std::optional<NamedFile> other;
  const auto loaded = [&](const std::string& name) {
    NamedFile file = open_named(name, options);
    Tensor x = file.load();
    if (file.is_raw()) is_any_raw = true;
    else if (!other) other = std::move(file);
    return x;
  };
  if (!first.empty()) inputs.emplace("_", loaded(first));
  for (const std::string& given : named) {
    const std::size_t at = given.find('=');
    const bool is_number = at != std::string::npos && at > 0 && given[at - 1] == ':';
    const std::string name = given.substr(0, is_number ? at - 1 : at);
    if (at == std::string::npos || name.empty() || at + 1 == given.size())
      throw ParameterError("bad_input",
                           fmt::format("--in {}: NAME=FILE or NAME:=INTEGERS is expected", given));
    const std::string value = given.substr(at + 1);
    if (inputs.contains(name))
      throw ParameterError("bad_input", fmt::format("--in {}: {} is given twice", given, name));
    const std::string refusal =
        fmt::format("--in {}: an integer or a list of them is expected", given);
    if (is_number) inputs.emplace(name, integers_from(value, refusal));
    else inputs.emplace(name, loaded(value));
  }
  if (!is_any_raw && other) detail::refuse_raw_options(other->bytes, *other->format, options);
  return inputs;
}

std::vector<std::int64_t> shape_from(const std::string& text) {
  const Tensor shape =
      integers_from(text.starts_with('[') ? text : "[" + text + "]",
                    fmt::format("--shape {}: extents are expected, as in 480,640,3", text));
  const auto extents = shape.span<std::int64_t>();
  return {extents.begin(), extents.end()};
}

}  // namespace weft

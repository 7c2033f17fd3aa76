// SPDX-License-Identifier: Apache-2.0
// Inputs by name.
#include <weft/cli/command_inputs.h>

#include <cerrno>
#include <filesystem>
#include <fmt/format.h>
#include <system_error>
#include <unistd.h>
#include <utility>

#include <weft/cli/pipeline_text.h>
#include <weft/engine/memory/create.h>
#include <weft/ops/create/full.h>

namespace weft {
namespace {

std::vector<std::byte> standard_input() {
  constexpr std::size_t step = 1 << 20;
  std::vector<std::byte> bytes;
  for (std::size_t count = 0;;) {
    bytes.resize(count + step);
    const ssize_t got = ::read(STDIN_FILENO, bytes.data() + count, step);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw FileError("standard input: " + std::generic_category().message(errno));
    bytes.resize(count += static_cast<std::size_t>(got));
    if (got == 0) return bytes;
  }
}

/// Integers, written as a pipeline writes them: of rank 0 or 1.
Tensor integers_from(const std::string& given, const std::string& text) {
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
  throw ParameterError("bad_input",
                       fmt::format("--in {}: an integer or a list of them is expected", given));
}

}  // namespace

Tensor load_named(const std::string& name, LoadOptions options) {
  if (name == "-") return load_bytes(standard_input(), options);
  const std::size_t colon = name.rfind(':');
  std::error_code error;
  if (colon == std::string::npos || std::filesystem::exists(name, error))
    return load(name, options);
  options.member = name.substr(colon + 1);
  return load(name.substr(0, colon), options);
}

PipelineInputs command_inputs(const std::string& first, const std::vector<std::string>& named,
                              const LoadOptions& options) {
  PipelineInputs inputs;
  if (!first.empty()) inputs.emplace("_", load_named(first, options));
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
    if (is_number) inputs.emplace(name, integers_from(given, value));
    else inputs.emplace(name, load_named(value, options));
  }
  return inputs;
}

std::vector<std::int64_t> shape_from(const std::string& text) {
  const Tensor shape = integers_from(text, text.starts_with('[') ? text : "[" + text + "]");
  const auto extents = shape.span<std::int64_t>();
  return {extents.begin(), extents.end()};
}

}  // namespace weft

// SPDX-License-Identifier: Apache-2.0
// Writing programs as JSON, in lines that people can read.
#include <weft/io/program_json.h>

#include <bit>
#include <cerrno>
#include <fmt/format.h>
#include <fstream>

#include <weft/graph/value/error.h>
#include <weft/io/file_error.h>
#include <weft/io/json_item.h>

namespace weft {
namespace {

// The form tells bytes as they are in memory.
static_assert(std::endian::native == std::endian::little, "the JSON form is little-endian");

std::string name_text(const std::string& name) {
  if (name.size() > detail::most_name_bytes)
    throw FormatError(fmt::format("program: a name has {} bytes, at most {} are allowed",
                                  name.size(), detail::most_name_bytes));
  return detail::quoted(name);
}

std::string dtype_text(DType dtype) {
  if (dtype.kind() != DType::Kind::opaque) return fmt::format("\"{}\"", dtype.name());
  if (dtype.description().empty()) return fmt::format("{{\"opaque\": {}}}", dtype.size());
  return fmt::format("{{\"opaque\": {}, \"description\": {}}}", dtype.size(),
                     detail::quoted(dtype.description()));
}

std::string dim_text(const Dim& dim) {
  if (dim.is_known() && dim.name().empty()) return fmt::format("{}", dim.low());
  std::string members;
  const auto add = [&](std::string_view name, const std::string& value) {
    members += fmt::format("{}\"{}\": {}", members.empty() ? "" : ", ", name, value);
  };
  if (dim.low() > 0) add("low", fmt::format("{}", dim.low()));
  if (dim.high() != Dim::unbounded) add("high", fmt::format("{}", dim.high()));
  if (!dim.name().empty()) add("name", name_text(dim.name()));
  return "{" + members + "}";
}

std::string shape_text(const PartialShape& shape) {
  if (!shape.has_rank()) return "null";
  std::string dims;
  for (const Dim& dim : shape.dims()) dims += (dims.empty() ? "" : ", ") + dim_text(dim);
  return "[" + dims + "]";
}

std::string type_text(DType dtype, const PartialShape& shape) {
  return fmt::format("\"dtype\": {}, \"shape\": {}", dtype_text(dtype), shape_text(shape));
}

std::string text(const Recording::Input& input) {
  const std::string name =
      input.name.empty() ? "" : fmt::format("\"name\": {}, ", name_text(input.name));
  return fmt::format("{{{}{}}}", name, type_text(input.dtype, input.shape));
}

std::string text(const Tensor& constant) {
  static constexpr char digits[] = "0123456789abcdef";
  const auto* const bytes = reinterpret_cast<const unsigned char*>(constant.node().value().get());
  std::string hex(static_cast<std::size_t>(constant.bytes()) * 2, ' ');
  for (std::size_t k = 0; k < hex.size(); ++k)
    hex[k] = digits[k % 2 == 0 ? bytes[k / 2] >> 4 : bytes[k / 2] & 15];
  return fmt::format("{{{}, \"bytes\": \"{}\"}}", type_text(constant.dtype(), constant.shape()),
                     hex);
}

std::string text(const Recording::Parameter& parameter) {
  if (parameter.number != Recording::Parameter::literal)
    return fmt::format("{{\"value\": {}}}", parameter.number);
  switch (type_of(parameter.value)) {
    case ArgumentType::text:
      return detail::quoted(std::get<std::string>(parameter.value));
    case ArgumentType::number:  // in the shortest digits that are read as the same
      return fmt::format("{{\"number\": \"{}\"}}", std::get<double>(parameter.value));
    case ArgumentType::flag:
      return std::get<bool>(parameter.value) ? "true" : "false";
    case ArgumentType::dtype:
      return fmt::format("{{\"dtype\": {}}}", dtype_text(std::get<DType>(parameter.value)));
    default:
      break;
  }
  const Ints& value = std::get<Ints>(parameter.value);
  if (value.is_none()) return "null";
  std::string values;
  for (std::size_t i = 0; i < value.size(); ++i) values += (i > 0 ? ", " : "") + value.text(i);
  const std::size_t rank = static_cast<std::size_t>(value.rank());
  return fmt::format("{{\"{}\": {}{}{}}}", value.dtype().name(), std::string(rank, '['), values,
                     std::string(rank, ']'));
}

std::string text(const Recording::Call& call) {
  std::string parameters;
  for (std::size_t k = 0; k < call.parameters.size(); ++k)
    parameters += fmt::format("{}\"{}\": {}", k == 0 ? "" : ", ", call.op->parameters[k],
                              text(call.parameters[k]));
  return fmt::format("{{\"op\": \"{}\", \"operands\": [{}], \"parameters\": {{{}}}}}",
                     call.op->name, fmt::join(call.operands, ", "), parameters);
}

/// A member that is a list, an item a line.
template <class Items>
void add_list(std::string& to, std::string_view name, const Items& items) {
  to += fmt::format(",\n  \"{}\": [", name);
  for (std::size_t k = 0; k < items.size(); ++k) {
    to += k == 0 ? "\n    " : ",\n    ";
    to += text(items[k]);
  }
  to += items.empty() ? "]" : "\n  ]";
}

}  // namespace

std::string to_json(const Program& program) {
  const Recording& recording = program.recording();
  std::string all = "{\n  \"weft\": \"program\",\n  \"version\": 1";
  add_list(all, "inputs", recording.inputs);
  add_list(all, "constants", recording.constants);
  add_list(all, "calls", recording.calls);
  all += fmt::format(",\n  \"outputs\": [{}]\n}}\n", fmt::join(recording.outputs, ", "));
  return all;
}

void save_program(const Program& program, const std::string& path) {
  const std::string text = to_json(program);
  errno = 0;
  std::ofstream file(path, std::ios::binary);
  file << text << std::flush;
  if (!file) detail::throw_file_error("write", path);
}

}  // namespace weft

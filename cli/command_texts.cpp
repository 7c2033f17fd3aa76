// SPDX-License-Identifier: Apache-2.0
// Texts for people.
#include <weft/cli/command_texts.h>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <weft/engine/run/eval.h>
#include <weft/io/utf8.h>
#include <weft/ops/elementwise/astype.h>
#include <weft/ops/elementwise/predicates.h>
#include <weft/ops/op_table.h>
#include <weft/ops/reduce/extremes.h>
#include <weft/ops/reduce/moments.h>
#include <weft/ops/reduce/truths.h>

namespace weft {
namespace {

/// "min 0, max 255, mean 31.5", of numbers that can be ordered.
std::string statistics_text(const Tensor& x, const EvalOptions& options) {
  const DType type = x.dtype();
  const bool is_float = type == f16 || type == bf16 || type == f32 || type == f64;
  if ((!is_float && !type.is_integer()) || x.size() == 0) return {};
  const Tensor wide = x.astype(f64), least = min(wide, none, false),
               largest = max(wide, none, false), middle = mean(wide, none, false);
  std::vector<Tensor> all{least, largest, middle};
  if (is_float) all.push_back(count_nonzero(isnan(x), none, false));
  eval(all, options);
  std::string text = fmt::format(", min {:.6g}, max {:.6g}, mean {:.6g}", least.item<double>(),
                                 largest.item<double>(), middle.item<double>());
  if (is_float) text += fmt::format(", {} NaN", all[3].item<std::int64_t>());
  return text;
}

std::string_view name_of(ArgumentType type) {
  constexpr std::string_view names[] = {"integers", "text", "number", "flag", "type"};
  return names[static_cast<std::size_t>(type)];
}

/// "roll(x, shift, axes)"
std::string signature(const Op& op) {
  std::string text;
  for (const ArgumentInfo& argument : op.arguments) {
    text += fmt::format("{}{}", text.empty() ? "" : ", ", argument.name);
    if (argument.otherwise.is_given()) text += " = " + argument.otherwise.spelled();
  }
  return fmt::format("{}({})", op.name, text);
}

}  // namespace

std::string file_text(const std::string& name, const NamedFile& file, const EvalOptions& eval) {
  const FileInfo info = file.format->info(file.bytes, file.options);
  std::string text = fmt::format(
      "{}: {}\n", detail::printable(name == "-" ? file.bytes.name() : name), info.format);
  const auto tell = [&](const FileInfo::Member& member, const Tensor& x) {
    text += fmt::format("  {}{}{} [{}]{}{}\n", detail::printable(member.name),
                        member.name.empty() ? "" : ": ", member.dtype.name(),
                        fmt::join(member.shape, ", "), statistics_text(x, eval),
                        member.note.empty() ? "" : ", " + detail::printable(member.note));
  };
  const std::string& only = file.options.member;
  if (only.empty() && file.format->load_each) {
    auto member = info.members.begin();  // in the same order
    file.format->load_each(file.bytes, file.options,
                           [&](const std::string&, const Tensor& x) { tell(*member++, x); });
    return text;
  }
  const Tensor x = file.load();  // refuses members that are not there
  for (const FileInfo::Member& member : info.members)
    if (member.name == only) tell(member, x);
  return text;
}

std::string all_ops_text() {
  std::string text;
  for (const Op* const op : op_table()) text += signature(*op) + "\n";
  return text;
}

std::string op_text(const std::string& name) {
  const Op* const op = op_named(name);
  if (!op) throw ParameterError("bad_op", fmt::format("there is no op {}", name));
  std::string text = signature(*op) + "\n";
  for (const ArgumentInfo& argument : op->arguments) {
    const std::string_view kind = argument.role == Role::operands    ? "tensors"
                                  : argument.role != Role::parameter ? "tensor"
                                                                     : name_of(argument.type);
    text += fmt::format("  {:<12} {:<9} {}\n", argument.name, kind, argument.doc);
  }
  return text;
}

std::string plans_json(const std::vector<PlanSummary>& plans) {
  using Json = nlohmann::ordered_json;
  Json all = Json::array();
  for (const PlanSummary& plan : plans) {
    Json passes = Json::array();
    for (const PassSummary& pass : plan.passes)
      passes.push_back(
          {{"op", pass.op},
           {"dtype", pass.type.dtype.name()},
           {"shape", std::vector<std::int64_t>(pass.type.shape.begin(), pass.type.shape.end())},
           {"boxes", pass.boxes},
           {"pieces", pass.pieces},
           {"read", pass.read},
           {"written", pass.written},
           {"temporary", pass.is_temporary},
           {"text", pass.text}});
    all.push_back({{"passes", std::move(passes)},
                   {"read", plan.read},
                   {"written", plan.written},
                   {"temporary_bytes", plan.temporary_bytes},
                   {"refusals", plan.refusals}});
  }
  return all.dump(1) + "\n";
}

std::vector<std::string> input_names(const Program& program) {
  const Recording recording = program.recording();
  std::vector<std::string> names;
  for (std::size_t k = 0; k < recording.inputs.size(); ++k) {
    const std::string& name = recording.inputs[k].name;
    names.push_back(name.empty() ? fmt::format("in{}", k) : name);
  }
  return names;
}

}  // namespace weft

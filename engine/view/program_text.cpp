// SPDX-License-Identifier: Apache-2.0
// Programs and their pieces in words.
#include <weft/engine/view/program_text.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <weft/engine/view/print_number.h>

namespace weft {

std::string bytes_text(std::int64_t bytes) {
  if (bytes < 10 * 1024) return fmt::format("{} B", bytes);
  if (bytes < 10 * 1024 * 1024) return fmt::format("{:.1f} KiB", static_cast<double>(bytes) / 1024);
  return fmt::format("{:.1f} MiB", static_cast<double>(bytes) / (1024 * 1024));
}

const char* plural(std::size_t count, const char* one, const char* many) {
  return count == 1 ? one : many;
}

std::string source_text(const Plan& plan, std::size_t s) {
  const PlanSource& source = plan.sources[s];
  return source.pass == PlanSource::stored ? fmt::format("source {}", s)
                                           : fmt::format("pass {}", source.pass + 1);
}

void add_name(std::string_view name, std::string& names) {
  for (std::string_view left = names; !left.empty();) {
    const std::size_t end = std::min(left.find('+'), left.size());
    if (left.substr(0, end) == name) return;
    left.remove_prefix(std::min(end + 1, left.size()));
  }
  if (!names.empty()) names += '+';
  names += name;
}

namespace {

/// How an operand is found: "%1 source 2 by transpose".
std::string operand_text(const SourceNames& names, const PassProgram& program,
                         const BlockSteps& steps, const BlockPiece& piece, std::size_t k) {
  const BlockOperand& operand = piece.operands[k];
  const std::size_t value = steps.is_single() ? program.steps[0].operands[k] : k;
  std::string text = value < program.reads ? fmt::format("%{} ", value) : std::string();
  text += names(operand.source);
  if (operand.finding == Finding::still) text += " by row";
  if (operand.finding == Finding::periodic) text += " periodic";
  if (operand.finding != Finding::gathered) return text;
  std::string kernels;
  piece.for_each_kind([&](std::size_t kind, std::int64_t, std::int64_t, std::int64_t) {
    const std::uint32_t gather = operand.gather[kind];
    if (operand.staged >= 0) add_name(steps.moves[gather - 1].name(), kernels);
    add_name(steps.moves[gather].name(), kernels);
  });
  return text + " by " + kernels;
}

}  // namespace

std::string piece_text(const SourceNames& names, const Pass& planned, const BlockSteps& steps,
                       std::size_t i) {
  const JointBox& box = planned.pieces[i].box;
  const BlockPiece& piece = steps.pieces[i - steps.first_piece];
  const std::size_t program = planned.pieces[i].program;
  std::string name(name_of(steps));
  if (planned.programs.size() > 1) name += fmt::format(" {}", program + 1);
  std::string text =
      fmt::format("{:<9} {:>12}  from ", name, bytes_text(box.count() * planned.element()));
  for (std::size_t k = 0; k < piece.operands.size(); ++k)
    text += (k == 0 ? "" : ", ") + operand_text(names, planned.programs[program], steps, piece, k);
  if (piece.result.is_aside()) {
    std::string kernels;
    piece.for_each_kind([&](std::size_t kind, std::int64_t, std::int64_t, std::int64_t) {
      add_name(steps.moves[piece.result.move[kind]].name(), kernels);
    });
    text += ", put into place by " + kernels;
  }
  text += fmt::format("; out {} src {}", box.offset, fmt::join(box.first, " "));
  for (const JointLoop& loop : box.loops) {
    text += fmt::format(" ({}: {},", loop.extent, loop.stride);
    for (const JointStep& step : loop.steps) text += fmt::format(" {}", step.step);
    text += ")";
  }
  return text;
}

namespace {

/// A value of a program: "%2", or the element of a constant.
std::string value_text(const Plan& plan, const PassProgram& program, std::size_t value) {
  if (value < program.reads || value >= program.first_step()) return fmt::format("%{}", value);
  const std::size_t constant = program.constants[value - program.reads];
  const PlanSource& source = plan.sources[constant];
  if (source.pass != PlanSource::stored) return fmt::format("({})", source_text(plan, constant));
  return scalar_word(program.types[value], source.value.get(), {});
}

}  // namespace

std::string program_text(const Plan& plan, const PassProgram& program, const BlockSteps& steps) {
  std::string text;
  for (std::size_t k = 0; k < program.reads; ++k)
    text += fmt::format("{}%{} {}", k == 0 ? "  reads " : ", ", k, program.types[k].name());
  if (!text.empty()) text += "\n";
  for (std::size_t k = 0; k < program.steps.size(); ++k) {
    const PassProgram::Step& step = program.steps[k];
    const std::size_t made = program.first_step() + k;
    text += fmt::format("  %{} = {} {}", made, step.instruction->op, program.types[made].name());
    for (const std::uint32_t operand : step.operands)
      text += " " + value_text(plan, program, operand);
    text += "\n";
  }
  if (const std::size_t aside = steps.program.slots; aside > 0)
    text += fmt::format("  room for {} {} put aside\n", aside, plural(aside, "value", "values"));
  return text;
}

}  // namespace weft

// SPDX-License-Identifier: Apache-2.0
// An executable in words: what its steps do, box by box.
#include <weft/engine/view/executable_text.h>

#include <algorithm>
#include <fmt/format.h>
#include <vector>

#include <weft/engine/run/traffic.h>
#include <weft/engine/view/print_number.h>

namespace weft {
namespace {

// Boxes that are listed one by one.
constexpr std::size_t listed_boxes = 12;
// From here on it is told what a plan takes itself.
constexpr std::int64_t told_from = std::int64_t{1} << 20;

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

std::string box_text(const Plan& plan, const Copy& copy, std::int64_t element,
                     std::string_view kernel, std::size_t layer) {
  std::string text =
      fmt::format("{:<9} {:>12}  from {}", kernel, bytes_text(copy.count() * element),
                  source_text(plan, copy.source));
  text += fmt::format(", out {} src {}", copy.out_offset, copy.src_offset);
  for (const Loop& loop : copy.loops) {
    text += loop.is_plain()
                ? fmt::format(" ({}: {}, {})", loop.extent, loop.out_stride, loop.src_stride)
                : fmt::format(" ({}: table)", loop.extent);
  }
  if (layer > 0) text += fmt::format(", painted over layer {}", layer);
  return text;
}

/// The kernels that make a box, and what lies beside it where that has kernels of its own.
struct Kernels {
  std::string own, beside;
};

void add_name(std::string_view name, std::string& names) {
  for (std::string_view left = names; !left.empty();) {
    const std::size_t end = std::min(left.find('+'), left.size());
    if (left.substr(0, end) == name) return;
    left.remove_prefix(std::min(end + 1, left.size()));
  }
  if (!names.empty()) names += '+';
  names += name;
}

std::vector<Kernels> kernels_of(const ExecutablePass& pass, std::size_t boxes) {
  std::vector<Kernels> kernels(boxes);
  for_each_step(pass.steps, [&](const Step& step) {
    Kernels& of_box = kernels[step.box];
    add_name(step.bound.name(), step.is_beside ? of_box.beside : of_box.own);
    if (step.bound.sources > 1) add_name("and", of_box.beside);
  });
  return kernels;
}

std::string streams_text(const PassSteps& steps) {
  if (steps.manner == PassSteps::Manner::aside) return ", put together aside and streamed";
  switch (streaming_of(steps)) {
    case Streaming::all:
      return ", streamed";
    case Streaming::part:
      return ", streamed in part";
    default:
      return {};
  }
}

std::string tasks_text(const PassSteps& steps) {
  if (steps.tasks() < 2) return {};
  return fmt::format(", {} tasks on all threads{}", steps.tasks(), streams_text(steps));
}

std::string boxes_text(const Executable& executable, std::size_t p) {
  const Plan& plan = executable.plan;
  const Pass& planned = plan.passes[p];
  const ExecutablePass& pass = executable.passes()[p];
  std::string text;
  const std::vector<Piece> boxes = boxes_of(planned, {.is_beside_blocks = planned.has_program()});
  const std::vector<Kernels> kernels = kernels_of(pass, boxes.size());
  std::size_t layer = 0;
  for (std::size_t i = 0; i < boxes.size() && i < listed_boxes; ++i) {
    const Piece& box = boxes[i];
    if (i > 0 && box.copy.layer != boxes[i - 1].copy.layer) ++layer;
    text += "  " + box_text(plan, box.copy, planned.element(), kernels[i].own, layer) + "\n";
    if (box.beside)
      text +=
          "  " + box_text(plan, *box.beside, planned.element(), kernels[i].beside, layer) + "\n";
  }
  if (boxes.size() > listed_boxes)
    text += fmt::format("  and {} more\n", boxes.size() - listed_boxes);
  return text;
}

/// How an operand is found: "%1 source 2 by transpose".
std::string operand_text(const Plan& plan, const PassProgram& program, const BlockSteps& steps,
                         const BlockPiece& piece, std::size_t k) {
  const BlockOperand& operand = piece.operands[k];
  const std::size_t value = steps.is_single() ? program.steps[0].operands[k] : k;
  std::string text = value < program.reads ? fmt::format("%{} ", value) : std::string();
  text += source_text(plan, operand.source);
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

std::string piece_text(const Plan& plan, const Pass& planned, const BlockSteps& steps,
                       std::size_t i) {
  const JointBox& box = planned.pieces[i].box;
  const BlockPiece& piece = steps.pieces[i - steps.first_piece];
  const std::size_t program = planned.pieces[i].program;
  std::string name(name_of(steps));
  if (planned.programs.size() > 1) name += fmt::format(" {}", program + 1);
  std::string text =
      fmt::format("{:<9} {:>12}  from ", name, bytes_text(box.count() * planned.element()));
  for (std::size_t k = 0; k < piece.operands.size(); ++k)
    text += (k == 0 ? "" : ", ") + operand_text(plan, planned.programs[program], steps, piece, k);
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

/// A value of a program: "%2", or the element of a constant.
std::string value_text(const Plan& plan, const PassProgram& program, std::size_t value) {
  if (value < program.reads || value >= program.first_step()) return fmt::format("%{}", value);
  const PlanSource& source = plan.sources[program.constants[value - program.reads]];
  return scalar_word(source.type.dtype, source.value.get(), {});
}

/// What is read, and the steps in their order: "%2 = multiply f32 %0 0.5".
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

std::string computed_text(const Executable& executable, std::size_t p) {
  const Pass& planned = executable.plan.passes[p];
  const ExecutablePass& pass = executable.passes()[p];
  const std::size_t boxes = planned.copies.size(), programs = planned.programs.size();
  std::int64_t tasks = 0;
  for (const BlockSteps& steps : pass.blocks) tasks += steps.tasks();
  std::string text =
      fmt::format("pass {}: {} {}, ", p + 1, planned.what, to_string(planned.type.shape));
  if (boxes > 0) text += fmt::format("{} {}, ", boxes, plural(boxes, "box", "boxes"));
  text +=
      fmt::format("{} {}", planned.pieces.size(), plural(planned.pieces.size(), "piece", "pieces"));
  if (programs > 1) text += fmt::format(" of {} programs", programs);
  if (tasks > std::ssize(pass.blocks)) text += fmt::format(", {} tasks on all threads", tasks);
  if (pass.blocks[0].streams) text += ", streamed";
  if (pass.lead != ExecutablePass::none)
    text += fmt::format(", block by block beside pass {}", pass.lead + 1);
  if (pass.over != ExecutablePass::none) text += fmt::format(", over pass {}", pass.over + 1);
  text += "\n";
  if (boxes > 0) text += boxes_text(executable, p);
  for (std::size_t k = 0; k < programs; ++k) {
    if (programs > 1) text += fmt::format("  program {}\n", k + 1);
    text += program_text(executable.plan, planned.programs[k], pass.blocks[k]);
  }
  for (std::size_t i = 0; i < planned.pieces.size() && i < listed_boxes; ++i)
    text += "  " + piece_text(executable.plan, planned, pass.blocks[planned.pieces[i].program], i) +
            "\n";
  if (planned.pieces.size() > listed_boxes)
    text += fmt::format("  and {} more\n", planned.pieces.size() - listed_boxes);
  return text;
}

/// What a computation reads: "2 stored operands", or, where one is not, each of them.
std::string operands_text(const Plan& plan, const std::vector<PassOperand>& operands) {
  const auto is_stored = [](const PassOperand& operand) {
    return operand.source != PassOperand::in_output && operand.strides.size() == 0;
  };
  if (std::all_of(operands.begin(), operands.end(), is_stored))
    return fmt::format("{} stored {}", operands.size(),
                       plural(operands.size(), "operand", "operands"));
  std::string text;
  for (const PassOperand& operand : operands) {
    if (operand.source == PassOperand::in_output) continue;
    text += (text.empty() ? "" : ", ") + source_text(plan, operand.source);
    if (!is_stored(operand)) text += fmt::format(" by strides {}", to_string(operand.strides));
  }
  return text;
}

std::string pass_text(const Executable& executable, std::size_t p) {
  const Plan& plan = executable.plan;
  const Pass& planned = plan.passes[p];
  if (planned.has_program()) return computed_text(executable, p);
  const ExecutablePass& pass = executable.passes()[p];
  std::string text =
      fmt::format("pass {}: {} {}, ", p + 1, planned.what, to_string(planned.type.shape));
  const std::string computed =
      planned.computation ? "computed from " + operands_text(plan, planned.operands) : "";
  if (planned.computation && planned.copies.empty()) return text + computed + "\n";
  return text +
         fmt::format("{} {}{}{}{}\n", planned.copies.size(),
                     plural(planned.copies.size(), "box", "boxes"), tasks_text(pass.steps),
                     planned.computation ? ", then " : "", computed) +
         boxes_text(executable, p);
}

/// Passes whose output is memory of the evaluation, and no result.
struct Temporaries {
  std::size_t count = 0;
  std::int64_t bytes = 0;
};

Temporaries temporaries_of(const Executable& executable) {
  Temporaries all;
  for (const ExecutablePass& pass : executable.passes()) {
    if (pass.output != ExecutablePass::none) continue;
    ++all.count;
    all.bytes += pass.bytes;
  }
  return all;
}

}  // namespace

std::string executable_text(const Executable& executable, const std::string& what,
                            const std::string& in_place) {
  const Plan& plan = executable.plan;
  std::size_t boxes = 0;
  for (const Pass& pass : plan.passes) boxes += pass.copies.size() + pass.pieces.size();
  const Traffic moved = traffic_of(executable);
  const Temporaries temporaries = temporaries_of(executable);
  std::string text =
      fmt::format("{}: {} {}, {} {}, {} read, {} written, {} {}", what, plan.passes.size(),
                  plural(plan.passes.size(), "pass", "passes"), boxes,
                  plural(boxes, "box", "boxes"), bytes_text(moved.read), bytes_text(moved.written),
                  temporaries.count, plural(temporaries.count, "temporary", "temporaries"));
  if (temporaries.count > 0) text += fmt::format(" of {}", bytes_text(temporaries.bytes));
  if (const std::int64_t own = executable.own_bytes(); own >= told_from)
    text += fmt::format(", {} of boxes, steps, tables and copies of indices", bytes_text(own));
  text += "\n" + in_place;
  for (std::size_t p = 0; p < plan.passes.size(); ++p) text += pass_text(executable, p);
  for (const std::string& refusal : plan.refusals) text += refusal + "\n";
  for (const auto& [op, shape, uses, asking] : plan.shared)
    text += fmt::format("{} {} is used {} times: pulled through each, {} {}\n", op,
                        to_string(shape), uses, asking, plural(asking, "box", "boxes"));
  return text;
}

}  // namespace weft

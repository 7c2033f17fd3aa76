// SPDX-License-Identifier: Apache-2.0
// An executable in words: what its steps do, box by box.
#include <weft/engine/view/executable_text.h>

#include <algorithm>
#include <fmt/format.h>
#include <string_view>
#include <vector>

#include <weft/engine/run/machine.h>
#include <weft/engine/run/traffic.h>
#include <weft/engine/view/program_text.h>

namespace weft {
namespace {

// Boxes that are listed one by one.
constexpr std::size_t listed_boxes = 12;
// From here on it is told what a plan takes itself.
constexpr std::int64_t told_from = std::int64_t{1} << 20;

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
  const std::string_view threads =
      steps.is_by_one_of_few ? "one thread, or more than three" : "all threads";
  return fmt::format(", {} tasks on {}{}", steps.tasks(), threads, streams_text(steps));
}

std::string boxes_text(const Executable& executable, std::size_t p) {
  const Plan& plan = executable.plan;
  const Pass& planned = plan.passes[p];
  const ExecutablePass& pass = executable.passes()[p];
  std::string text;
  const bool is_divided = pass.steps.manner != PassSteps::Manner::here;
  const Pieces made = boxes_of(planned, {.is_beside_blocks = planned.has_program(),
                                         .fewest_divided = is_divided ? 0 : max_bytes});
  const std::vector<Piece>& boxes = made.pieces;
  const std::vector<Kernels> kernels = kernels_of(pass, boxes.size());
  std::size_t layer = 0;
  for (std::size_t i = 0; i < boxes.size() && i < listed_boxes; ++i) {
    const Piece& box = boxes[i];
    if (i > 0 && box.copy.layer != boxes[i - 1].copy.layer) ++layer;
    text += "  " + box_text(plan, box.copy, planned.element(), kernels[i].own, layer) + "\n";
    if (!box.stacked.empty())
      text += fmt::format("  and {} more, put together with it\n", box.stacked.size());
    if (box.beside)
      text +=
          "  " + box_text(plan, *box.beside, planned.element(), kernels[i].beside, layer) + "\n";
  }
  if (boxes.size() > listed_boxes)
    text += fmt::format("  and {} more\n", boxes.size() - listed_boxes);
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
  const SourceNames names = [&](std::size_t s) { return source_text(executable.plan, s); };
  for (std::size_t i = 0; i < planned.pieces.size() && i < listed_boxes; ++i)
    text += "  " + piece_text(names, planned, pass.blocks[planned.pieces[i].program], i) + "\n";
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

/// "sum f32 along (4096: 1) of (64: 4096), from source 0": the loops that go into a result, and
/// those around them.
std::string reduction_text(const Plan& plan, const Pass& planned) {
  const auto loops = [&](bool is_reduced) {
    std::string text;
    for (const PassReduction::Axis& axis : planned.reduction.axes)
      if (axis.is_reduced == is_reduced) text += fmt::format(" ({}: {})", axis.extent, axis.stride);
    return text;
  };
  const std::string around = loops(false);
  return fmt::format("{} {} along{}{}{}, from {}", planned.reduction.reducer->op,
                     planned.reduction.type.name(), loops(true), around.empty() ? "" : " of",
                     around, source_text(plan, planned.operands[0].source));
}

/// "f32 matrices [64, 32] times [32, 16] at strides (32, 1) and (1, 32), from sources 0 and 1".
std::string product_text(const Plan& plan, const Pass& planned) {
  const auto& [is_product, rows, inner, columns, batch, told] = planned.product;
  std::string text = told.empty() ? "" : told + ", ";
  if (!batch.empty()) {
    std::int64_t products = 1;
    for (const PassProduct::Axis& axis : batch) products *= axis.extent;
    text += fmt::format("{} of ", products);
  }
  return text +
         fmt::format("{} [{}, {}] times [{}, {}] by strides [{}, {}] and [{}, {}], from {} and {}",
                     planned.type.dtype.name(), rows.extent, inner.extent, inner.extent,
                     columns.extent, rows.left, inner.left, inner.right, columns.right,
                     source_text(plan, planned.operands[0].source),
                     source_text(plan, planned.operands[1].source));
}

std::string tasks_text(std::int64_t tasks) {
  return tasks < 2 ? "" : fmt::format(", {} tasks on all threads", tasks);
}

/// One of several passes that go row by row: what the first form of a slab does.
std::string member_text(const Executable& executable, std::size_t p) {
  const Plan& plan = executable.plan;
  const Pass& planned = plan.passes[p];
  const ExecutablePass& pass = executable.passes()[p];
  const std::size_t lead = pass.lead == ExecutablePass::none ? p : pass.lead;
  const RowGroup& group = *executable.passes()[lead].rows;
  const bool is_behind = plan.passes[lead].product.is_product;
  const RowMember& member = group.members[p - lead - (is_behind ? 1 : 0)];
  std::string text =
      fmt::format("pass {}: {} {}, ", p + 1, planned.what, to_string(planned.type.shape));
  if (planned.is_reduced()) text += reduction_text(plan, planned) + ", ";
  text += fmt::format("{} of {} rows at a time", group.division.most, group.division.ends.back());
  if (is_behind) text += fmt::format(", as pass {} makes them", lead + 1);
  else if (p != lead) text += fmt::format(", beside pass {}", lead + 1);
  else text += tasks_text(group.tasks());
  if (pass.over != ExecutablePass::none) text += fmt::format(", over pass {}", pass.over + 1);
  if (member.aside) text += ", in memory of a task";
  text += "\n";
  const RowForm& form = member.steps.forms[0];
  for (const BlockSteps& steps : form.blocks)
    text +=
        program_text(plan, planned.programs[form.pass.pieces[steps.first_piece].program], steps);
  return text;
}

/// A pass that makes what the next one reduces, or that one.
std::string fed_text(const Executable& executable, std::size_t p, const FedReduce& fed) {
  const Plan& plan = executable.plan;
  const Pass& planned = plan.passes[p];
  std::string text =
      fmt::format("pass {}: {} {}, ", p + 1, planned.what, to_string(planned.type.shape));
  if (planned.is_reduced())
    return text + reduction_text(plan, planned) + tasks_text(fed.reduce.tasks()) + "\n";
  if (fed.is_found())
    return text + fmt::format("read where it lies as it is reduced, {} {}\n", planned.copies.size(),
                              plural(planned.copies.size(), "box", "boxes"));
  text += fmt::format(
      "as it is reduced, {} rows of {} at a time, in memory of a task\n", fed.division.most,
      fed.reduce.manner == ReduceSteps::Manner::columns ? fed.reduce.width : fed.row);
  const RowForm& form = fed.blocks[0].forms[0];
  for (const BlockSteps& steps : form.blocks)
    text +=
        program_text(plan, planned.programs[form.pass.pieces[steps.first_piece].program], steps);
  return text;
}

/// Of two passes that go together portion by portion, one.
std::string portions_text(const Executable& executable, std::size_t p, const Portions& portions) {
  const Plan& plan = executable.plan;
  const Pass& planned = plan.passes[p];
  const bool is_made = executable.passes()[p].is_private;
  std::string kernels;
  for (std::int64_t k = 0; k < portions.count(); ++k)
    with_steps(portions, plan, is_made ? p + 1 : p, k, [&](const Portions::Steps& steps) {
      for_each_step(is_made ? steps.made : steps.moved,
                    [&](const Step& step) { add_name(step.bound.name(), kernels); });
    });
  std::string text = fmt::format("pass {}: {} {}, {} {}, by {}", p + 1, planned.what,
                                 to_string(planned.type.shape), planned.copies.size(),
                                 plural(planned.copies.size(), "box", "boxes"), kernels);
  if (is_made)
    text += fmt::format(", in memory of a task: {} of {} portions\n",
                        bytes_text(portions.made_bytes), portions.count());
  else
    with_steps(portions, plan, p, 0, [&](const Portions::Steps& first) {
      text += fmt::format(", {} portions on all threads{}\n", portions.count(),
                          streams_text(first.moved));
    });
  for (std::size_t i = 0; i < planned.copies.size() && i < listed_boxes; ++i)
    text += "  " + box_text(plan, planned.copies[i], planned.element(), "", 0) + "\n";
  if (planned.copies.size() > listed_boxes)
    text += fmt::format("  and {} more\n", planned.copies.size() - listed_boxes);
  return text;
}

std::string pass_text(const Executable& executable, std::size_t p) {
  const Plan& plan = executable.plan;
  const Pass& planned = plan.passes[p];
  const ExecutablePass& own = executable.passes()[p];
  if (const ExecutablePass* const lead = executable.joint_lead(p);
      lead && !planned.product.is_product)
    return lead->rows       ? member_text(executable, p)
           : lead->portions ? portions_text(executable, p, *lead->portions)
                            : fed_text(executable, p, *lead->fed);
  if (planned.is_reduced())
    return fmt::format("pass {}: {} {}, {}{}\n", p + 1, planned.what, to_string(planned.type.shape),
                       reduction_text(plan, planned),
                       tasks_text(own.reduce ? own.reduce->tasks() : 1));
  if (planned.product.is_product)
    return fmt::format("pass {}: {} {}, {}{}\n", p + 1, planned.what, to_string(planned.type.shape),
                       product_text(plan, planned),
                       tasks_text(own.product ? own.product->tasks() : 1));
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

/// Passes whose output is memory of the evaluation, and neither a result nor memory of tasks.
struct Temporaries {
  std::size_t count = 0;
  std::int64_t bytes = 0;
};

Temporaries temporaries_of(const Executable& executable) {
  Temporaries all;
  for (const ExecutablePass& pass : executable.passes()) {
    if (pass.output != ExecutablePass::none || pass.is_private) continue;
    ++all.count;
    all.bytes += pass.bytes;
  }
  return all;
}

/// By which numbers large outputs go past the caches or not.
std::string machine_text(const Executable& executable) {
  bool asks = false;
  for (std::size_t p = 0; p < executable.passes().size(); ++p) {
    const ExecutablePass& pass = executable.passes()[p];
    asks |= pass.steps.asks_machine;
    if (pass.portions)
      with_steps(*pass.portions, executable.plan, p + 1, 0,
                 [&](const Portions::Steps& first) { asks |= first.moved.asks_machine; });
  }
  if (!asks) return {};
  const Machine& told = machine(executable.plan.limits.may_measure);
  std::string text =
      fmt::format("caches keep what takes less than {}", bytes_text(told.kept_bytes));
  if (told.copied > 0)
    text += fmt::format(": a copy of 4 MiB moves {:.1f} GB/s, {:.1f} past them", told.copied,
                        told.streamed);
  return text + "\n";
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
  text += "\n" + in_place + machine_text(executable);
  if (executable.is_by_one) text += "all on one thread: that was found to take less\n";
  for (std::size_t p = 0; p < plan.passes.size(); ++p) text += pass_text(executable, p);
  for (const std::string& refusal : plan.refusals) text += refusal + "\n";
  for (const auto& [op, shape, uses, asking] : plan.shared)
    text += fmt::format("{} {} is used {} times: pulled through each, {} {}\n", op,
                        to_string(shape), uses, asking, plural(asking, "box", "boxes"));
  return text;
}

PlanSummary summary_of(const Executable& executable) {
  const Plan& plan = executable.plan;
  PlanSummary summary;
  for (std::size_t p = 0; p < plan.passes.size(); ++p) {
    const Pass& pass = plan.passes[p];
    const Traffic moved = traffic_of(executable, p);
    PassSummary& own = summary.passes.emplace_back(pass.what, pass.type);
    own.boxes = pass.copies.size();
    own.pieces = pass.pieces.size();
    own.read = moved.read;
    own.written = moved.written;
    own.is_temporary = executable.passes()[p].output == ExecutablePass::none;
    own.text = pass_text(executable, p);
    for (std::size_t s = 0; s < plan.sources.size(); ++s)
      if (pass.reads(s)) own.sources.push_back(s);
  }
  for (const PlanSource& source : plan.sources)
    summary.sources.push_back({source.type, source.pass == PlanSource::stored
                                                ? std::nullopt
                                                : std::optional(source.pass)});
  const Traffic moved = traffic_of(executable);
  summary.read = moved.read;
  summary.written = moved.written;
  summary.temporary_bytes = temporaries_of(executable).bytes;
  summary.refusals = plan.refusals;
  return summary;
}

}  // namespace weft

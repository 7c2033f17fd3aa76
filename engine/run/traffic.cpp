// SPDX-License-Identifier: Apache-2.0
// Adding up what kernels say of one run.
#include <weft/engine/run/traffic.h>

#include <algorithm>

#include <weft/engine/run/reduce_task.h>

namespace weft {
namespace {

void add(const Traffic& more, Traffic& to, std::int64_t times = 1) {
  to.read += times * more.read;
  to.written += times * more.written;
}

/// Calls visit(piece, traffic, count) for each kind of blocks, with that of one of them.
template <class Visit>
void for_each_kind_of_block(const BlockSteps& steps, const Visit& visit) {
  for (const BlockPiece& piece : steps.pieces)
    piece.for_each_kind([&](std::size_t kind, std::int64_t rows, std::int64_t columns,
                            std::int64_t count) {
      const bool is_one =
          !steps.is_single() && piece.are_one_row(rows, columns, kind % BlockLoop::kinds);
      visit(piece, is_one ? traffic_of(piece, 1, rows * columns) : traffic_of(piece, rows, columns),
            count);
    });
}

template <class Visit>
void for_each_step(const ExecutablePass& pass, const Visit& visit) {
  for_each_step(pass.steps, visit);
  if (pass.moved) for_each_step(pass.moved->steps, visit);
}

/// Calls visit(step) for both passes of portions of pass `p`.
template <class Visit>
void for_each_step(const Portions& portions, const Plan& plan, std::size_t p, const Visit& visit) {
  for (std::int64_t k = 0; k < portions.count(); ++k)
    with_steps(portions, plan, p, k, [&](const Portions::Steps& steps) {
      for_each_step(steps.made, visit);
      for_each_step(steps.moved, visit);
    });
}

/// Calls visit(form, times) for what makes rows of passes that go together.
template <class Visit>
void for_each_form(const RowGroup& group, const Visit& visit) {
  for (const RowMember& member : group.members)
    for (const RowSlab& slab : group.slabs) visit(member.steps.form(slab));
}
template <class Visit>
void for_each_form(const FedReduce& fed, const Visit& visit) {
  if (fed.is_found()) return;
  for (std::int64_t u = 0; u < fed.reduce.units(); ++u)
    for_each_slab(fed, unit_of(fed.reduce, u),
                  [&](const RowSteps& steps, const RowSlab& slab) { visit(steps.form(slab)); });
}

}  // namespace

std::vector<KernelCount> kernel_counts_of(const Executable& executable) {
  std::vector<KernelCount> counts;
  const auto count_of = [&](std::string_view name) -> KernelCount& {
    const auto same = std::find_if(counts.begin(), counts.end(),
                                   [&](const KernelCount& each) { return each.name == name; });
    return same == counts.end() ? *counts.insert(same, {name}) : *same;
  };
  const auto count_bound = [&](const Bound& bound, std::int64_t times) {
    KernelCount& own = count_of(bound.name());
    own.calls += times * bound.runs();
    add(bound.traffic(), own.traffic, times);
  };
  const auto count = [&](const Step& step) { count_bound(step.bound, 1); };
  const auto count_blocks = [&](const BlockSteps& blocks) {
    for_each_move(blocks,
                  [&](const Bound& move, std::int64_t times, bool) { count_bound(move, times); });
    for_each_kind_of_block(blocks, [&](const BlockPiece&, const Traffic& one, std::int64_t calls) {
      KernelCount& own = count_of(name_of(blocks));
      own.calls += calls;
      add(one, own.traffic, calls);
    });
  };
  for (std::size_t p = 0; p < executable.passes().size(); ++p) {
    const ExecutablePass& pass = executable.passes()[p];
    if (!pass.is_needed) continue;
    for_each_step(pass, count);
    if (pass.portions) for_each_step(*pass.portions, executable.plan, p + 1, count);
    for (const BlockSteps& blocks : pass.blocks) count_blocks(blocks);
    const auto count_form = [&](const RowForm& form) {
      for_each_step(form.steps, count);
      for (const BlockSteps& blocks : form.blocks) count_blocks(blocks);
    };
    if (pass.rows) for_each_form(*pass.rows, count_form);
    if (pass.fed) for_each_form(*pass.fed, count_form);
  }
  std::sort(counts.begin(), counts.end(),
            [](const KernelCount& a, const KernelCount& b) { return a.name < b.name; });
  return counts;
}

namespace {

/// What is put aside stays in the caches: its source is read, and the output is written.
void add(const BlockSteps& blocks, Traffic& all) {
  for_each_move(blocks, [&](const Bound& move, std::int64_t count, bool reads_source) {
    if (reads_source) all.read += count * move.traffic().read;
  });
  for_each_kind_of_block(blocks,
                         [&](const BlockPiece& piece, const Traffic& one, std::int64_t count) {
                           add(one, all, count);
                           for (const BlockOperand& operand : piece.operands)
                             if (operand.finding == Finding::gathered)
                               all.read -= count * one.written / piece.element * operand.bytes;
                         });
}

}  // namespace

namespace {

/// What a pass reads and writes that goes with others, but for memory of tasks; what loops repeat
/// is read once.
Traffic joint_traffic(const Executable& executable, std::size_t p) {
  const Plan& plan = executable.plan;
  const Pass& pass = plan.passes[p];
  Traffic all;
  const auto read = [&](std::size_t source, std::int64_t bytes) {
    const std::size_t by = plan.sources[source].pass;
    if (by == PlanSource::stored || !executable.passes()[by].is_private) all.read += bytes;
  };
  if (!executable.passes()[p].is_private) all.written = pass.bytes();
  for (const Copy& copy : pass.copies) read(copy.source, copy.count() * pass.element());
  for (const ComputedPiece& piece : pass.pieces)
    for (std::size_t k = 0; k < piece.sources.size(); ++k) {
      std::int64_t elements = 1;
      for (const JointLoop& loop : piece.box.loops)
        if (loop.steps[k].step != 0 || loop.steps[k].table) elements *= loop.extent;
      read(piece.sources[k], elements * pass.programs[piece.program].types[k].size());
    }
  if (!pass.is_reduced()) return all;
  std::int64_t elements = 1;
  for (const PassReduction::Axis& axis : pass.reduction.axes)
    if (axis.stride != 0) elements *= axis.extent;
  read(pass.operands[0].source, elements * pass.reduction.type.size());
  return all;
}

}  // namespace

Traffic traffic_of(const Executable& executable, std::size_t p) {
  const Pass& planned = executable.plan.passes[p];
  if (planned.is_reduced() || (executable.joint_lead(p) && !planned.product.is_product))
    return joint_traffic(executable, p);
  const Plan& plan = executable.plan;
  Traffic all;
  for_each_step(executable.passes()[p], [&](const Step& step) { add(step.bound.traffic(), all); });
  for (const BlockSteps& blocks : executable.passes()[p].blocks) add(blocks, all);
  if (!plan.passes[p].is_of_whole()) return all;
  const bool has_copies = !plan.passes[p].copies.empty();
  for (const PassOperand& operand : plan.passes[p].operands) {
    if (operand.source == PassOperand::in_output) continue;
    all.read += operand.bytes;
    if (has_copies) all.written += operand.bytes;  // over what the copies wrote
  }
  if (!has_copies) all.written += executable.passes()[p].bytes;
  return all;
}

Traffic traffic_of(const Executable& executable) {
  Traffic all;
  for (std::size_t p = 0; p < executable.passes().size(); ++p) add(traffic_of(executable, p), all);
  return all;
}

Streaming streaming_of(const PassSteps& steps) {
  std::int64_t streamed = 0, cached = 0;
  for_each_step(steps, [&](const Step& step) {
    (step.bound.streams() ? streamed : cached) += step.bound.traffic().written;
  });
  if (streamed == 0) return Streaming::nothing;
  return cached == 0 ? Streaming::all : Streaming::part;
}

}  // namespace weft

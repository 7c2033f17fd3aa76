// SPDX-License-Identifier: Apache-2.0
// Making executables: the steps of every pass, and how long its memory is kept.
#include <weft/engine/run/executable.h>

#include <algorithm>

#include <weft/engine/memory/buffer.h>
#include <weft/engine/run/in_place.h>
#include <weft/engine/run/limits.h>
#include <weft/engine/run/over_operand.h>
#include <weft/engine/run/task_order.h>

namespace weft {
namespace {

/// Whether an earlier pass has read a source: it could not be carried out again over what pass `p`
/// has begun to write.
bool is_read_before(const Plan& plan, std::size_t p, std::size_t source) {
  return std::any_of(plan.passes.begin(), plan.passes.begin() + static_cast<std::ptrdiff_t>(p),
                     [&](const Pass& pass) { return pass.reads(source); });
}

/// Only what differs from the base is written.
void lower_over_base(const Plan& plan, std::size_t p, const PassTarget& target,
                     ExecutablePass& pass) {
  OverBase parts = over_base(plan.passes[p], pass.base, plan.sources.size());
  const bool has_moved = parts.moved.count > 0;
  pass.steps = make_pass_steps(
      parts.pass, {.is_over_base = true,
                   .is_lost_otherwise = has_moved || is_read_before(plan, p, pass.base),
                   .is_once = target.is_once,
                   .may_measure = target.may_measure,
                   .most_bytes = target.most_bytes});
  if (!has_moved) return;
  PassSteps steps = make_pass_steps(parts.moved, target);
  pass.moved.emplace(ExecutablePass::Moved{std::move(parts.moved), std::move(steps)});
}

}  // namespace

void Executable::make_ready(const Bases& bases, bool is_once) {
  if (is_ready_ && bases == bases_) return;
  is_ready_ = false;
  passes_.clear();
  passes_.resize(plan.passes.size());
  bases_ = bases;
  find_lifetimes();
  own_bytes_ = plan.own_bytes();
  find_joint_passes();
  find_portions(is_once);
  const auto sum = [](std::int64_t a, std::int64_t b) {
    return b > max_bytes - a ? max_bytes : a + b;
  };
  std::int64_t passes_bytes = 0, most_aside = 0;
  for (std::size_t p = 0; p < passes_.size(); ++p) {
    const Pass& planned = plan.passes[p];
    ExecutablePass& pass = passes_[p];
    pass.bytes = pass.is_private ? 0 : planned.bytes();
    passes_bytes = sum(passes_bytes, pass.bytes);
    if (pass.rows || pass.fed || pass.portions) {
      own_bytes_ += pass.step_bytes();
      most_aside = std::max(most_aside, pass.most_aside());
    }
    if (joint_lead(p)) continue;
    if (planned.is_reduced() && (!is_once || pass.is_needed))
      pass.reduce = make_reduce_steps(planned);
    if (planned.product.is_product && (!is_once || pass.is_needed)) {
      pass.product = make_product_steps(planned);
      most_aside = std::max(most_aside, pass.most_aside());
    }
    const bool has_steps = !planned.is_of_whole() || !planned.copies.empty();
    if (!has_steps || (is_once && !pass.is_needed)) continue;
    const std::vector<std::size_t> makers = makers_of(p);
    const PassTarget target{
        .is_beside_blocks = planned.has_program(),
        .is_once = is_once,
        .may_measure = plan.limits.may_measure,
        .reads_made = !makers.empty(),
        .fewest_divided = fewest_divided(p, makers),
        .most_bytes = std::max<std::int64_t>(0, plan.limits.planning_bytes - own_bytes_)};
    if (planned.has_program()) make_blocks(p, false);
    else if (pass.base != OutputTarget::no_base) lower_over_base(plan, p, target, pass);
    if (pass.base == OutputTarget::no_base && (!planned.has_program() || !planned.copies.empty()))
      pass.steps = make_pass_steps(planned, target);
    if (p > 0 && waits_too_long(p, makers, order_tasks(pass.steps, plan))) {
      pass.steps.is_by_one_of_few = true;
      for (const std::size_t q : makers) passes_[q].steps.is_by_one_of_few = true;
    }
    own_bytes_ += pass.step_bytes();
    most_aside = std::max(most_aside, pass.most_aside());
  }
  most_bytes_ = sum(sum(passes_bytes, most_aside), counted_own_bytes());
  if (most_bytes_ > plan.limits.stored_bytes) put_less_aside();
  find_beside();
  // Of what one thread made others would first have to take the lines that they write.
  for (std::size_t p = 0; p < passes_.size(); ++p)
    if (const std::size_t made = passes_[p].over;
        made != ExecutablePass::none &&
        (passes_[p].is_of_one_task() || !passes_[made].is_of_one_task()))
      passes_[made].under = p;
  is_ready_ = true;
  const EvalOptions none;
  is_quick_ =
      is_of_steps_alone() && plan.limits == limits_of(none) && most_bytes_ <= stored_limit(none);
}

std::vector<std::size_t> Executable::makers_of(std::size_t p) const {
  std::vector<std::size_t> makers;
  if (p == 0) return makers;
  plan.passes[p].for_each_source([&](std::size_t source) {
    if (plan.sources[source].pass != PlanSource::stored)
      makers.push_back(plan.sources[source].pass);
  });
  std::sort(makers.begin(), makers.end());
  makers.erase(std::unique(makers.begin(), makers.end()), makers.end());
  return makers;
}

std::int64_t Executable::fewest_divided(std::size_t p, std::span<const std::size_t> makers) const {
  constexpr std::int64_t much = 3;
  std::int64_t here = 0;
  for (const std::size_t q : makers) {
    const Pass& pass = plan.passes[q];
    if (pass.has_program() || pass.is_of_whole() || joint_lead(q) ||
        passes_[q].steps.manner != PassSteps::Manner::here)
      return parallel_bytes;
    here += pass.bytes();
  }
  return much * here >= plan.passes[p].bytes() ? 2 * parallel_bytes : parallel_bytes;
}

bool Executable::waits_too_long(std::size_t p, std::span<const std::size_t> makers,
                                double strange_bytes) const {
  // In picoseconds: a line that the other thread has made, in the order that reading has, and a
  // pass that is handed out (docs/decisions/0053).
  constexpr double a_line = 10'000, a_pass = 2'000'000;
  constexpr std::int64_t small = 4 * parallel_bytes;
  if (strange_bytes == 0 || plan.passes[p].bytes() > small) return false;
  double here = picoseconds_of(passes_[p].steps, false);
  for (const std::size_t q : makers) {
    const Pass& pass = plan.passes[q];
    if (pass.has_program() || pass.is_of_whole() || joint_lead(q) || pass.bytes() > small)
      return false;
    here += picoseconds_of(passes_[q].steps, false);
  }
  const double waits =
      strange_bytes / cache_line * a_line + static_cast<double>(1 + makers.size()) * a_pass;
  return here / 2 < waits;
}

bool Executable::is_of_steps_alone() const {
  if (passes_.size() != 1) return false;
  const Pass& planned = plan.passes[0];
  const ExecutablePass& pass = passes_[0];
  return !planned.copies.empty() && !planned.computation && pass.base == OutputTarget::no_base &&
         pass.blocks.empty() && !pass.reduce && !pass.product;
}

void Executable::make_blocks(std::size_t p, bool is_tight) {
  ExecutablePass& pass = passes_[p];
  const Pass& planned = plan.passes[p];
  pass.blocks.clear();
  pass.blocks.reserve(planned.programs.size());
  std::int64_t left = plan.limits.planning_bytes - own_bytes_;
  for (std::size_t k = 0; k < planned.programs.size(); ++k) {
    pass.blocks.push_back(make_block_steps(planned,
                                           {.most_bytes = std::max<std::int64_t>(0, left),
                                            .is_tight = is_tight,
                                            .shrink = plan.limits.smaller_blocks,
                                            .is_over_operand = pass.is_over_operand()},
                                           k));
    order_tasks(pass.blocks.back(), plan);
    left -= pass.blocks.back().bytes();
  }
}

/// Passes beside whose memory there is none for what a task puts aside do with smaller blocks.
void Executable::put_less_aside() {
  const std::int64_t limit = plan.limits.stored_bytes;
  std::int64_t taken = counted_own_bytes();
  for (std::size_t p = 0; p < passes_.size(); ++p) {
    ExecutablePass& pass = passes_[p];
    // A result that does not fit at all can only go into memory of the caller.
    if (!pass.is_over_operand() && pass.bytes <= limit - taken) taken += pass.bytes;
    if (!joint_lead(p) && pass.scratch_bytes() > limit - taken) {
      own_bytes_ -= pass.step_bytes();
      make_blocks(p, true);
      own_bytes_ += pass.step_bytes();
    }
    for_each_over_after(p, [&](std::size_t q) { taken -= passes_[q].bytes; });
    if (pass.over != ExecutablePass::none) taken += pass.bytes;
  }
}

void Executable::find_lifetimes() {
  SmallVector<std::size_t, 8> last_reader(passes_.size(), ExecutablePass::none);
  const auto add_reader = [&](std::size_t p, std::size_t source) {
    const std::size_t made_by = plan.sources[source].pass;
    if (made_by == PlanSource::stored) return;
    last_reader[made_by] = p;
    passes_[made_by].is_needed = true;
  };
  for (std::size_t s = 0; s < plan.sources.size(); ++s)
    if (const std::size_t p = plan.sources[s].pass; p != PlanSource::stored)
      passes_[p].sources.push_back(s);
  for (std::size_t p = 0; p < passes_.size(); ++p)
    plan.passes[p].for_each_source([&](std::size_t source) { add_reader(p, source); });
  for (std::size_t k = 0; k < plan.outputs.size(); ++k) {
    ExecutablePass& pass = passes_[plan.outputs[k].pass];
    pass.is_needed |= !plan.outputs[k].is_alias;
    if (pass.output != ExecutablePass::none) continue;
    pass.output = k;
    pass.base = bases_[k];
  }
  for (std::size_t q = 0; q < passes_.size(); ++q) {
    if (last_reader[q] == ExecutablePass::none || passes_[q].output != ExecutablePass::none)
      continue;
    passes_[q].next_over = std::exchange(passes_[last_reader[q]].first_over, q);
    find_over(last_reader[q], q);
  }
}

/// Pass p, the last that reads what pass `made` makes, may take that memory.
void Executable::find_over(std::size_t p, std::size_t made) {
  ExecutablePass& pass = passes_[p];
  const std::int64_t bytes = plan.passes[p].bytes();
  if (pass.base != OutputTarget::no_base || pass.over != ExecutablePass::none ||
      bytes <= near_passes_bytes || bytes != plan.passes[made].bytes())
    return;
  const auto& sources = passes_[made].sources;
  if (std::all_of(sources.begin(), sources.end(),
                  [&](std::size_t source) { return may_write_over(plan.passes[p], source); }))
    pass.over = made;
}

}  // namespace weft

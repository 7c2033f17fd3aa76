// SPDX-License-Identifier: Apache-2.0
// Which passes of an executable go together: row by row, as what they reduce is made, portion by
// portion, or block by block beside one another.
#include <weft/engine/run/executable.h>

#include <algorithm>
#include <memory>
#include <utility>

namespace weft {

/// Those that reduce go with the passes around them, or with the one that makes what they read;
/// those behind one that multiplies with that.
void Executable::find_joint_passes() {
  const auto may_lead = [](const Pass& pass) {
    return pass.is_reduced() || pass.product.is_product;
  };
  if (plan.passes.size() == 1 || std::none_of(plan.passes.begin(), plan.passes.end(), may_lead))
    return;
  std::vector<RowCandidate> candidates(passes_.size());
  for (std::size_t p = 0; p < passes_.size(); ++p) {
    candidates[p].may_join = passes_[p].is_needed && passes_[p].base == OutputTarget::no_base;
    candidates[p].is_kept = passes_[p].output != ExecutablePass::none;
    plan.passes[p].for_each_source([&](std::size_t source) {
      if (const std::size_t made = plan.sources[source].pass; made != PlanSource::stored)
        candidates[made].last_reader = p;
    });
  }
  const BlockLimits limits{.shrink = plan.limits.smaller_blocks};
  for (std::size_t p = 0; p < passes_.size(); ++p)
    if (plan.passes[p].product.is_product && candidates[p].may_join)
      join_behind(p, limits, candidates);
  for (std::size_t p = 0; p < passes_.size(); ++p) {
    if (!plan.passes[p].is_reduced() || !candidates[p].may_join) continue;
    // What is only moved is read where it lies; else rows of what goes together are kept.
    const bool has_own = has_own_operand(p, candidates);
    if (has_own && join_fed(p, limits, true, candidates)) continue;
    if (join_rows(p, limits, candidates)) continue;
    if (has_own) join_fed(p, limits, false, candidates);
  }
}

/// Whether the pass before p makes what that reduces, for nobody else.
bool Executable::has_own_operand(std::size_t p, std::span<const RowCandidate> candidates) const {
  const std::size_t made_by = plan.sources[plan.passes[p].operands[0].source].pass;
  return made_by != PlanSource::stored && made_by + 1 == p && candidates[made_by].may_join &&
         !candidates[made_by].is_kept && candidates[made_by].last_reader == p;
}

bool Executable::join_fed(std::size_t p, const BlockLimits& limits, bool is_found_only,
                          std::span<RowCandidate> candidates) {
  auto fed = make_fed_reduce(plan.passes[p - 1], plan.passes[p], limits, is_found_only);
  if (!fed) return false;
  passes_[p - 1].is_private = true;
  candidates[p - 1].may_join = candidates[p].may_join = false;
  join(p - 1, 2);
  passes_[p - 1].fed = std::make_unique<FedReduce>(std::move(*fed));
  return true;
}

bool Executable::join_rows(std::size_t p, const BlockLimits& limits,
                           std::span<RowCandidate> candidates) {
  auto rows = find_row_group(plan, p, candidates, limits);
  if (!rows) return false;
  const std::size_t lead = rows->members.front().pass;
  for (const RowMember& member : rows->members) {
    passes_[member.pass].is_private = member.aside.has_value();
    candidates[member.pass].may_join = false;
  }
  join(lead, rows->members.size());
  passes_[lead].rows = std::make_unique<RowGroup>(std::move(*rows));
  return true;
}

void Executable::join_behind(std::size_t p, const BlockLimits& limits,
                             std::span<RowCandidate> candidates) {
  if (plan.passes[p].bytes() <= near_passes_bytes >> limits.shrink) return;
  ProductSteps steps = make_product_steps(plan.passes[p]);
  if (steps.manner == ProductSteps::Manner::vector) return;
  // Of what the last reader might write over, this is at hand.
  const std::size_t last = candidates[p].last_reader;
  const std::size_t other = std::exchange(passes_[last].over, ExecutablePass::none);
  if (last > p && !candidates[p].is_kept) find_over(last, p);
  const bool is_taken = passes_[last].over == p;
  candidates[last].is_over_product = is_taken;
  auto rows = find_rows_behind(plan, p, steps, candidates, limits);
  candidates[last].is_over_product = false;
  passes_[last].over = other;
  if (!rows) return;
  candidates[p].may_join = false;
  for (const RowMember& member : rows->members) {
    passes_[member.pass].is_private = member.aside.has_value();
    candidates[member.pass].may_join = false;
  }
  join(p, rows->members.size() + 1);
  if (is_taken && last <= rows->members.back().pass) passes_[last].over = p;
  passes_[p].product = std::move(steps);
  passes_[p].rows = std::make_unique<RowGroup>(std::move(*rows));
}

/// Whether pass p and the one before it are of copies of elements of one size, and pass p alone
/// reads what that makes: enough of it that it matters where it lies.
bool Executable::may_go_by_portions(std::size_t p) const {
  constexpr std::int64_t much = 8;
  const auto is_free = [&](std::size_t q) {
    const Pass& pass = plan.passes[q];
    return passes_[q].is_needed && !joint_lead(q) && passes_[q].base == OutputTarget::no_base &&
           !pass.has_program() && !pass.is_of_whole();
  };
  const Pass &making = plan.passes[p - 1], &moving = plan.passes[p];
  if (!is_free(p - 1) || !is_free(p) || making.element() != moving.element() ||
      moving.bytes() > much * making.bytes() || passes_[p - 1].output != ExecutablePass::none ||
      passes_[p - 1].sources.size() != 1)
    return false;
  const std::size_t made = passes_[p - 1].sources[0];
  return moving.reads(made) &&
         std::none_of(plan.passes.begin() + static_cast<std::ptrdiff_t>(p) + 1, plan.passes.end(),
                      [&](const Pass& pass) { return pass.reads(made); });
}

/// Two passes of copies, the second of which alone reads what the first makes, portion by portion;
/// of what is run but once those that take longer than it takes to find portions.
void Executable::find_portions(bool is_once) {
  const int shrink = plan.limits.smaller_blocks;
  std::int64_t left = std::max<std::int64_t>(0, plan.limits.planning_bytes - own_bytes_);
  for (std::size_t p = 1; p < passes_.size(); ++p) {
    if (plan.passes[p].bytes() < parallel_bytes >> shrink || !may_go_by_portions(p) ||
        (is_once && !is_large(plan.passes[p - 1].bytes() << shrink)))
      continue;
    auto portions = make_portions(
        plan, p, {.is_once = is_once, .may_measure = plan.limits.may_measure, .reads_made = true},
        left, shrink);
    if (!portions) continue;
    left = std::max<std::int64_t>(0, left - portions->bytes());
    passes_[p - 1].is_private = true;
    join(p - 1, 2);
    passes_[p - 1].portions = std::make_unique<Portions>(std::move(*portions));
  }
}

/// What goes together does not write over what it reads.
void Executable::join(std::size_t lead, std::size_t count) {
  passes_[lead].beside = count - 1;
  for (std::size_t p = lead; p < lead + count; ++p) {
    passes_[p].over = ExecutablePass::none;
    if (p != lead) passes_[p].lead = lead;
  }
}

void Executable::find_beside() {
  for (std::size_t lead = 0; lead + 1 < passes_.size(); lead += passes_[lead].beside + 1)
    for (std::size_t p = lead + 1;
         !joint_lead(lead) && p < passes_.size() && may_be_beside(lead, p); ++p) {
      passes_[p].lead = lead;
      ++passes_[lead].beside;
    }
}

/// Whether pass p may be run together with `lead` and all between them: they compute as many
/// elements of the same, and none makes what another one reads.
bool Executable::may_be_beside(std::size_t lead, std::size_t p) const {
  const auto is_one = [&](std::size_t q) {
    return passes_[q].is_needed && plan.passes[q].copies.empty() && passes_[q].blocks.size() == 1 &&
           may_run_beside(passes_[q].blocks[0]);
  };
  const auto is_made_beside = [&](std::size_t source) {
    const std::size_t by = plan.sources[source].pass;
    return by != PlanSource::stored && by >= lead && by < p;
  };
  bool reads_one = false;
  plan.passes[p].for_each_source([&](std::size_t source) { reads_one |= is_made_beside(source); });
  // Memory that is let go of in between would be kept longer.
  return p - lead < most_beside && !reads_one && is_one(lead) && is_one(p) &&
         passes_[p - 1].first_over == ExecutablePass::none &&
         plan.passes[lead].count == plan.passes[p].count &&
         read_in_common(passes_[lead].blocks[0], passes_[p].blocks[0]);
}

}  // namespace weft

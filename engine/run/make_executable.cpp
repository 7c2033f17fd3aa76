// SPDX-License-Identifier: Apache-2.0
// Choosing between one movement of all and several, by what kernels say that they take.
#include <weft/engine/run/make_executable.h>

#include <algorithm>
#include <optional>
#include <utility>

#include <weft/engine/kernels/kernel.h>
#include <weft/engine/run/in_place.h>
#include <weft/graph/kinds.h>
#include <weft/graph/value/error.h>

namespace weft {
namespace {

// Smaller results are made before others have been thought of.
constexpr std::int64_t fewest_bytes = 256 * 1024;
// What takes no more, of a byte, is left as it is: transposes take half of it and more.
constexpr double slow_picoseconds = 80;
// Of what the caches keep, and of more than that, where it is less certain (docs/decisions/0050).
constexpr double less = 0.65, much_less = 0.55;
constexpr std::size_t most_candidates = 8;
constexpr std::size_t most_stored = 2;

/// About what an executable that is ready takes, in picoseconds.
double estimate(const Executable& executable) {
  double all = 0;
  for (std::size_t p = 0; p < executable.passes().size(); ++p) {
    const ExecutablePass& pass = executable.passes()[p];
    const std::int64_t bytes = executable.plan.passes[p].bytes();
    // The second of two that go together has no steps of its own.
    all += pass.portions ? pass.portions->picoseconds
                         : picoseconds_of(pass.steps, is_large(bytes)) +
                               picoseconds_between(bytes, is_large(bytes));
  }
  return all;
}

/// About what it takes to plan and lower so many more like it.
double planning_of(std::size_t count, const Executable& executable) {
  constexpr double plan = 100e6, a_step = 1e6;
  double steps = 0;
  for (const ExecutablePass& pass : executable.passes())
    steps += static_cast<double>(pass.steps.steps.size());
  return static_cast<double>(count) * (plan + a_step * steps);
}

/// Whether copies alone make one result, which is not written over what it is made of.
bool is_movement(const Plan& plan) {
  const auto is_moved = [](const Pass& pass) {
    return !pass.copies.empty() && !pass.has_program();
  };
  return plan.outputs.size() == 1 && !plan.is_alias() && !can_turn(plan) &&
         bases(plan, 0, !plan.limits.may_compute).empty() &&
         std::all_of(plan.passes.begin(), plan.passes.end(), is_moved);
}

/// Those that may be stored on the way, the first ones.
StoredVertices storable(const Expression& expression, const PlanLimits& limits) {
  StoredVertices found;
  for (const std::uint32_t v : expression.order()) {
    if (found.size() == most_candidates) break;
    const Node& node = *expression[v].node;
    const auto* const movement = node.operation().as<Movement>();
    if (v != expression.root() && !expression[v].is_stored && movement &&
        !movement->keeps_order() && limits.may_spend(node.bytes()))
      found.push_back(v);
  }
  return found;
}

/// The executable that stores those on the way; none where that takes more memory than is allowed.
std::optional<Executable> storing(const StoredVertices& stored, const Expression& expression,
                                  const PlanLimits& limits, const Indices& indices,
                                  const PlanningCheck& check, bool is_once) {
  try {
    Executable made(make_plan(expression, limits, indices, check, stored));
    made.make_ready(no_bases, is_once);
    if (made.most_bytes() <= limits.stored_bytes) return made;
  } catch (const MemoryError&) {  // what is stored asks for other values, which may be larger
  }
  return {};
}

}  // namespace

Executable make_executable(const Expression& expression, const PlanLimits& limits,
                           const Indices& indices, const PlanningCheck& check, bool is_once) {
  Executable direct(make_plan(expression, limits, indices, check));
  const std::int64_t bytes = direct.plan.passes[direct.plan.outputs[0].pass].bytes();
  if (bytes < fewest_bytes || !is_movement(direct.plan)) return direct;
  direct.make_ready(no_bases, is_once);
  const double of_direct = estimate(direct);
  const double fast = slow_picoseconds * static_cast<double>(bytes);
  if (of_direct <= fast) return direct;

  StoredVertices candidates = storable(expression, limits), stored;
  if (is_once && planning_of(most_stored * candidates.size(), direct) > of_direct - fast)
    return direct;
  std::optional<Executable> best;
  double of_best = of_direct;
  while (stored.size() < most_stored && of_best > fast) {
    std::size_t next = candidates.size();
    for (std::size_t k = 0; k < candidates.size(); ++k) {
      StoredVertices with = stored;
      with.push_back(candidates[k]);
      auto tried = storing(with, expression, limits, indices, check, is_once);
      const double of_tried = tried ? estimate(*tried) : of_best;
      if (of_tried >= of_best) continue;
      best = std::move(tried);
      of_best = of_tried;
      next = k;
    }
    if (next == candidates.size()) break;
    stored.push_back(candidates[next]);
    candidates.erase(candidates.begin() + next);
  }
  return of_best < (is_large(bytes) ? much_less : less) * of_direct ? std::move(*best)
                                                                    : std::move(direct);
}

}  // namespace weft

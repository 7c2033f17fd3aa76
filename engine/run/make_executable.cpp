// SPDX-License-Identifier: Apache-2.0
// Choosing between one movement of all and several, by what kernels say that they take.
#include <weft/engine/run/make_executable.h>

#include <algorithm>
#include <optional>
#include <utility>

#include <weft/engine/kernels/kernel.h>
#include <weft/engine/run/cut_piece.h>
#include <weft/engine/run/in_place.h>
#include <weft/graph/kinds.h>
#include <weft/graph/value/error.h>

namespace weft {
namespace {

// Smaller results are made before others have been thought of.
constexpr std::int64_t fewest_bytes = 256 * 1024;
// What takes no more, of a byte, is left as it is: transposes take half of it and more.
constexpr double slow_picoseconds = 80, slow_computed = 30;
// Of what the caches keep, and of more than that, where it is less certain (docs/decisions/0050).
constexpr double less = 0.65, much_less = 0.55;
constexpr double less_computed = 0.9;
// What is computed is tried from here on.
constexpr std::int64_t fewest_computed = 1024;
constexpr std::size_t most_candidates = 8;
constexpr std::size_t most_stored = 2;

/// What an executable that is ready takes, as kernels estimate it; where something is computed,
/// a pass of one task as much as keeps two threads busy.
struct Estimate {
  double moved = 0, all = 0;  ///< picoseconds; of that what is moved

  Estimate(const Executable& executable, bool is_computed) {
    for (std::size_t p = 0; p < executable.passes().size(); ++p) {
      const ExecutablePass& pass = executable.passes()[p];
      const Estimate own(executable.plan.passes[p], pass);
      const double threads = is_computed && pass.is_of_one_task() ? 2 : 1;
      moved += threads * own.moved;
      all += threads * own.all;
    }
  }

 private:
  Estimate(const Pass& planned, const ExecutablePass& pass) {
    const std::int64_t bytes = planned.bytes();
    // The second of two that go together has no steps of its own.
    if (pass.portions) {
      moved = all = pass.portions->picoseconds;
      return;
    }
    moved = picoseconds_of(pass.steps, is_large(bytes));
    for (std::size_t k = 0; k < pass.blocks.size(); ++k)
      add(planned, pass.blocks[k], planned.programs[k]);
    all += moved + picoseconds_between(bytes, is_large(bytes));
  }
  void add(const Pass& planned, const BlockSteps& blocks, const PassProgram& program) {
    constexpr double a_block = 200'000, in_nanosecond = 1000;
    const bool is_far = is_large(planned.bytes());
    for_each_move(blocks, [&](const Bound& move, std::int64_t count, bool reads_source) {
      moved += static_cast<double>(count) * move.picoseconds(reads_source && is_far);
    });
    const double element = in_nanosecond * program_cost(program);
    for (std::size_t k = 0; k < blocks.pieces.size(); ++k)
      all += element * static_cast<double>(planned.pieces[blocks.first_piece + k].count());
    all += a_block * static_cast<double>(blocks.blocks());
  }
};

/// About what it takes to plan and lower so many more like it.
double planning_of(std::size_t count, const Executable& executable) {
  constexpr double plan = 100e6, a_step = 1e6;
  double steps = 0;
  for (const ExecutablePass& pass : executable.passes())
    steps += static_cast<double>(pass.steps.steps.size());
  return static_cast<double>(count) * (plan + a_step * steps);
}

/// Whether copies and programs alone make one result, which is not written over what it is made of.
bool is_of_elements(const Plan& plan) {
  const auto is_of_whole = [](const Pass& pass) { return pass.is_of_whole(); };
  return plan.outputs.size() == 1 && !plan.is_alias() && !can_turn(plan) &&
         bases(plan, 0, !plan.limits.may_compute).empty() &&
         std::none_of(plan.passes.begin(), plan.passes.end(), is_of_whole);
}
bool computes(const Plan& plan) {
  return std::any_of(plan.passes.begin(), plan.passes.end(),
                     [](const Pass& pass) { return pass.has_program(); });
}

bool has_large_pass(const Plan& plan) {
  return std::any_of(plan.passes.begin(), plan.passes.end(),
                     [](const Pass& pass) { return is_large(pass.bytes()); });
}

StoredVertices few_storable(const Expression& expression, const PlanLimits& limits) {
  StoredVertices few = storable(expression, limits);
  if (few.size() > most_candidates) few.resize(most_candidates);
  return few;
}

/// Plans of an expression that store values on the way.
struct Storing {
  const Expression& expression;
  const PlanLimits& limits;
  const Indices& indices;
  const PlanningCheck& check;
  bool is_once, is_computed;

  /// Ready; none where it takes more memory than is allowed.
  std::optional<Executable> make(const StoredVertices& stored) const {
    try {
      Executable made(make_plan(expression, limits, indices, check, stored));
      made.make_ready(no_bases, is_once);
      if (made.most_bytes() <= limits.stored_bytes) return made;
    } catch (const MemoryError&) {  // what is stored asks for other values, which may be larger
    }
    return {};
  }

  struct Best {
    std::optional<Executable> executable;
    double taken;
  };
  /// One or two values more, which `stored` has then, too, as long as it takes less than `taken`
  /// and more than `fast`; none where nothing does.
  Best make_more(StoredVertices& stored, double taken, double fast) const {
    Best best{{}, taken};
    StoredVertices left = few_storable(expression, limits);
    for (std::size_t n = 0; n < most_stored && (is_computed || best.taken > fast); ++n) {
      std::size_t next = left.size();
      for (std::size_t k = 0; k < left.size(); ++k) {
        if (std::find(stored.begin(), stored.end(), left[k]) != stored.end()) continue;
        StoredVertices with = stored;
        with.push_back(left[k]);
        auto tried = make(with);
        const double of_tried = tried ? Estimate(*tried, is_computed).all : best.taken;
        if (of_tried >= best.taken) continue;
        best = {std::move(tried), of_tried};
        next = k;
      }
      if (next == left.size()) break;
      stored.push_back(left[next]);
    }
    return best;
  }
};

std::int64_t result_bytes(const Plan& plan) { return plan.passes[plan.outputs[0].pass].bytes(); }

/// What so many bytes take where they are moved well.
double fast_of(std::int64_t bytes, bool is_computed) {
  return (is_computed ? slow_computed : slow_picoseconds) * static_cast<double>(bytes);
}

}  // namespace

bool computes_enough(const Plan& plan) {
  return plan.outputs.size() == 1 && !plan.is_alias() && result_bytes(plan) >= fewest_computed &&
         computes(plan);
}

StoredVertices storable(const Expression& expression, const PlanLimits& limits) {
  StoredVertices found;
  const auto add = [&](std::uint32_t v) {
    const bool is_found = std::find(found.begin(), found.end(), v) != found.end();
    if (v != expression.root() && !expression[v].is_stored && !is_found &&
        limits.may_spend(expression[v].node->bytes()))
      found.push_back(v);
  };
  for (const std::uint32_t v : expression.order()) {
    const auto* const movement = expression[v].node->operation().as<Movement>();
    if (!movement || movement->keeps_order()) continue;
    for (std::size_t k = 0; k < expression[v].operand_count; ++k)
      if (const std::uint32_t operand = expression.operand(v, k);
          expression[operand].node->operation().as<Elementwise>())
        add(operand);
    add(v);
  }
  return found;
}

namespace {

/// Exchanges it for one that takes less, where it is slow and that pays.
void choose(Executable& direct, const Expression& expression, const Indices& indices,
            const PlanningCheck& check, bool is_once, double evaluations) {
  const std::int64_t bytes = result_bytes(direct.plan);
  if (bytes < fewest_computed || !is_of_elements(direct.plan)) return;
  const bool is_computed = computes(direct.plan);
  if (!is_computed && bytes < fewest_bytes) return;
  direct.make_ready(no_bases, is_once);
  const Estimate of_direct(direct, is_computed);
  const double fast = fast_of(bytes, is_computed);
  const double saved = (is_computed ? of_direct.moved : of_direct.all) - fast;
  if (saved <= 0) return;
  const double planning = planning_of(few_storable(expression, direct.plan.limits).size(), direct);
  if (is_once ? most_stored * planning > saved : is_computed && planning > evaluations * saved)
    return;
  const Storing storing{expression, direct.plan.limits, indices, check, is_once, is_computed};
  StoredVertices stored;
  auto best = storing.make_more(stored, of_direct.all, fast);
  if (!best.executable) return;
  const bool is_uncertain = is_computed ? has_large_pass(best.executable->plan) : is_large(bytes);
  const double enough = is_uncertain ? much_less : is_computed ? less_computed : less;
  if (best.taken < enough * of_direct.all) direct = std::move(*best.executable);
}

}  // namespace

Executable make_executable(const Expression& expression, const PlanLimits& limits,
                           const Indices& indices, const PlanningCheck& check, bool is_once,
                           double evaluations) {
  Executable made(make_plan(expression, limits, indices, check));
  choose(made, expression, indices, check, is_once, evaluations);
  return made;
}

std::optional<Executable> make_executable_storing(StoredVertices& stored, bool may_store_more,
                                                  const Expression& expression,
                                                  const PlanLimits& limits, const Indices& indices,
                                                  const PlanningCheck& check) {
  const Storing storing{expression, limits, indices, check, false, true};
  auto made = storing.make(stored);
  if (!made || !may_store_more) return made;
  const Estimate estimate(*made, true);
  const double fast = fast_of(result_bytes(made->plan), true);
  if (estimate.moved <= fast) return made;
  auto best = storing.make_more(stored, estimate.all, fast);
  return best.executable ? std::move(best.executable) : std::move(made);
}

}  // namespace weft

// SPDX-License-Identifier: Apache-2.0
// Trying plans: some runs of one, some of the other, in turn, as neither finds the caches as it
// left them at first. Of each the least counts.
#include <weft/engine/run/plan_search.h>

#include <algorithm>
#include <cmath>
#include <new>
#include <utility>

#include <weft/engine/run/executable.h>
#include <weft/engine/run/make_executable.h>
#include <weft/engine/run/workers.h>
#include <weft/graph/elementwise.h>
#include <weft/graph/value/error.h>

namespace weft {
namespace {

constexpr std::size_t most_single = 8;
// Of what the best takes, or so many bytes.
constexpr std::int64_t most_times = 4, little_memory = 16 * 1024 * 1024;
// What takes so much more at first is not run again, what takes so much less is taken at once, and
// what is not faster by the last is left.
constexpr double hopeless = 1.15, clearly = 0.85, enough = 0.97;
// What takes longer gains by other threads, however long they wait for one another; and one thread
// has to take clearly less than all, as how long they wait may change.
constexpr PlanSearch::Seconds most_of_threads = 2e-3;
constexpr double enough_of_threads = 0.9;
constexpr PlanSearch::Seconds between_threads = 0.5;  // of evaluations, while it stays on one
constexpr int fewest_rounds = 2, most_rounds = 4;
constexpr PlanSearch::Seconds long_enough = 2e-3;
// What is short leaves most of what it reads and writes in the caches, and takes some runs until
// all lies where it does for good; of its turns the second half counts.
constexpr PlanSearch::Seconds short_enough = 2e-4;
constexpr int short_turn = 4, long_turn = 2;

bool has(const StoredVertices& vertices, std::uint32_t v) {
  return std::find(vertices.begin(), vertices.end(), v) != vertices.end();
}

/// Whether passes make and do as much as others, one by one: those that compute first and move then
/// may take as much memory as those that move first.
bool are_alike(const std::vector<Pass>& passes, const std::vector<Pass>& others) {
  return std::equal(
      passes.begin(), passes.end(), others.begin(), others.end(), [](const Pass& a, const Pass& b) {
        return a.type == b.type && a.copies.size() == b.copies.size() &&
               a.programs.size() == b.programs.size() && a.pieces.size() == b.pieces.size();
      });
}

/// Whether a pass has several tasks.
bool is_by_several(const ExecutablePass& pass) {
  return !pass.is_of_one_task() || (pass.reduce && pass.reduce->tasks() > 1) ||
         (pass.product && pass.product->tasks() > 1);
}

/// Whether there was for the work.
template <class Work>
bool has_memory(const Work& work) {
  try {
    work();
    return true;
  } catch (const MemoryError&) {
  } catch (const std::bad_alloc&) {
  }
  return false;
}

}  // namespace

std::unique_ptr<PlanSearch> PlanSearch::of(const Executable& executable,
                                           const Expression& expression, Seconds planning) {
  const Plan& plan = executable.plan;
  if (!plan.limits.may_measure || !computes_enough(plan)) return nullptr;
  StoredVertices single = storable(expression, plan.limits), computed, moved;
  const auto is_computed = [&](std::uint32_t v) {
    return expression[v].node->operation().as<Elementwise>() != nullptr;
  };
  for (const std::uint32_t v : single)
    if (is_computed(v)) computed.push_back(v);
  for (const std::uint32_t v : expression.order())
    for (std::size_t k = 0; is_computed(v) && k < expression[v].operand_count; ++k)
      if (const std::uint32_t operand = expression.operand(v, k);
          has(single, operand) && !is_computed(operand) && !has(moved, operand))
        moved.push_back(operand);
  // None of these, but what kernels find, first.
  std::vector<StoredVertices> sets;
  if (!computed.empty()) sets.push_back(computed);
  if (!moved.empty() && !computed.empty()) {
    StoredVertices both = moved;
    for (const std::uint32_t v : computed) both.push_back(v);
    sets.push_back(both);
  }
  if (!moved.empty()) sets.push_back(moved);
  sets.emplace_back();
  if (single.size() > most_single) single.resize(most_single);
  if (single.empty()) return nullptr;
  return std::unique_ptr<PlanSearch>(new PlanSearch(std::move(sets), std::move(single), planning));
}

PlanSearch::PlanSearch(std::vector<StoredVertices> sets, StoredVertices single, Seconds planning)
    : sets_(std::move(sets)), single_(std::move(single)), planning_(planning) {}
PlanSearch::~PlanSearch() = default;

void PlanSearch::leave() { tried_.reset(); }

void PlanSearch::run(Executable& best, const Make& make, const Work& work) {
  const bool is_known = of_best_ < never;
  if (is_known && !is_trying() && !is_over() && spent_ >= planning_) try_next(best, make);
  if (is_turn_of_tried()) {
    if (has_memory([&] { tell(seconds_of([&] { run_tried(best, work); }), best); })) return;
    stop_trying(best);
  }
  tell(seconds_of([&] { work(best, best.is_by_one); }), best);
}

void PlanSearch::run_tried(Executable& best, const Work& work) const {
  if (tried_) work(*tried_, tried_->is_by_one);
  else work(best, !best.is_by_one);
}

void PlanSearch::try_next(const Executable& best, const Make& make) {
  const bool is_first = turns_of_threads_ == 2;
  if ((is_first || !are_plans_left()) && try_threads(best)) return;
  if (!are_plans_left()) return;
  planning_ = seconds_of([&] {
    has_memory([&] {
      const bool may_store_more = choose();
      begin(make(stored_, may_store_more), best);
    });
  });
}

/// Whether that is worth it.
bool PlanSearch::try_threads(const Executable& best) {
  --turns_of_threads_;
  const auto& passes = best.passes();
  const bool is_divided = std::any_of(passes.begin(), passes.end(), is_by_several);
  tries_threads_ = is_divided && of_best_ < most_of_threads && has_other_threads();
  if (tries_threads_) begin_turns();
  return tries_threads_;
}

/// Whether kernels are asked what else to store.
bool PlanSearch::choose() {
  spent_ = 0;
  if (!sets_.empty()) {
    stored_ = std::move(sets_.back());
    sets_.pop_back();
    return true;
  }
  // One that the best stores is not stored then.
  const std::uint32_t v = single_[0];
  single_.erase(single_.begin());
  stored_ = stored_by_best_;
  if (const auto at = std::find(stored_.begin(), stored_.end(), v); at != stored_.end())
    stored_.erase(at);
  else stored_.push_back(v);
  return false;
}

void PlanSearch::begin(std::optional<Executable> made, const Executable& best) {
  const auto is_same = [&] {
    return made->own_bytes() == best.own_bytes() && made->most_bytes() == best.most_bytes() &&
           are_alike(made->plan.passes, best.plan.passes);
  };
  if (!made || is_same() ||
      made->most_bytes() > std::max(little_memory, most_times * best.most_bytes()))
    return;
  tried_ = std::make_unique<Executable>(std::move(*made));
  tried_->is_by_one = best.is_by_one;
  begin_turns();
}

void PlanSearch::begin_turns() {
  of_tried_ = never;
  turn_ = of_best_ < short_enough ? short_turn : long_turn;
  runs_ = 0;
}

void PlanSearch::tell(Seconds taken, Executable& best) {
  const bool is_settled = !is_trying() || turn_ == long_turn || runs_ % turn_ >= turn_ / 2;
  if (Seconds& least = is_turn_of_tried() ? of_tried_ : of_best_; is_settled)
    least = std::min(least, taken);
  if (!is_trying()) {
    spent_ += taken;
    return;
  }
  ++runs_;
  if (runs_ == turn_) {
    if (of_tried_ > hopeless * of_best_) return stop_trying(best);
    if (of_tried_ < clearly * of_best_) return decide(best);
    of_best_ = never;  // the machine may have become slower
  }
  const double rounds = std::ceil(long_enough / of_tried_);
  if (runs_ >= 2 * turn_ * std::clamp<double>(rounds, fewest_rounds, most_rounds)) decide(best);
}

void PlanSearch::decide(Executable& best) {
  if (of_tried_ < (tried_ ? enough : enough_of_threads) * of_best_) take(best);
  stop_trying(best);
}

void PlanSearch::take(Executable& best) {
  of_best_ = of_tried_;
  if (!tried_) {
    best.is_by_one = !best.is_by_one;
    return;
  }
  const std::uint64_t kept_at = best.kept_at;
  std::unique_ptr<PlanSearch> own = std::move(best.search);  // this one
  best = std::move(*tried_);
  best.search = std::move(own);
  best.kept_at = kept_at;
  stored_by_best_ = std::move(stored_);
}

void PlanSearch::stop_trying(const Executable& best) {
  tried_.reset();
  tries_threads_ = false;
  if (are_plans_left() || turns_of_threads_ > 0) return;
  is_settled_ = true;
  if (!best.is_by_one) return;
  turns_of_threads_ = 1;
  planning_ = between_threads;
  spent_ = 0;
}

}  // namespace weft

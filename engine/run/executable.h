// SPDX-License-Identifier: Apache-2.0
// What carries an expression out, made once: a plan whose passes are lowered to steps.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <weft/engine/run/blocks.h>
#include <weft/engine/run/fed_reduce.h>
#include <weft/engine/run/options.h>
#include <weft/engine/run/pass_steps.h>
#include <weft/engine/run/plan_search.h>
#include <weft/engine/run/portions.h>
#include <weft/engine/run/product_steps.h>
#include <weft/engine/run/reduce_steps.h>
#include <weft/engine/run/row_group.h>
#include <weft/graph/plan/plan.h>

namespace weft {

/// Where an output goes: into memory of the caller, which no source may overlap; over one of the
/// plan's bases(), which nobody else may read; or, unless said otherwise, into memory of its own.
struct OutputTarget {
  static constexpr std::size_t no_base = static_cast<std::size_t>(-1);
  std::byte* out = nullptr;
  std::size_t base = no_base;
};

/// Which base each output goes over: what steps depend on beside the plan.
using Bases = SmallVector<std::size_t, 2>;
/// One output, over none.
inline const Bases no_bases{OutputTarget::no_base};

/// Temporaries of so many bytes lie within the run itself, and nothing is written over them.
inline constexpr std::int64_t near_passes_bytes = 8 * 1024;

/// One pass, ready to run.
struct ExecutablePass {
  static constexpr std::size_t none = static_cast<std::size_t>(-1);
  std::int64_t bytes = 0;
  std::size_t output = none;  ///< the first output that it makes
  std::size_t base = OutputTarget::no_base;
  std::size_t over = none;   ///< the pass whose memory it writes over, where it has none of its own
  std::size_t under = none;  ///< the pass that is over it, where both may be in the caller's memory
  bool is_needed = false;    ///< whether it runs wherever the outputs go
  SmallVector<std::size_t, 2> sources{};  ///< of the plan, that it makes
  PassSteps steps{};                      ///< of a pass with copies
  std::vector<BlockSteps> blocks{};     ///< of one that computes element by element, a program each
  std::optional<ReduceSteps> reduce{};  ///< of one that reduces
  std::optional<ProductSteps> product{};  ///< of one that multiplies
  /// What is put aside before a base is written over, and becomes the source behind those of the
  /// plan.
  struct Moved {
    Pass pass;
    PassSteps steps;
  };
  std::optional<Moved> moved{};
  /// The first pass that is not needed any more once this has run, and the next beside this one.
  std::size_t first_over = none, next_over = none;
  std::size_t beside = 0;   ///< so many passes behind this one are run together with it
  std::size_t lead = none;  ///< the one that this is run together with
  /// How those go together, of the lead: row by row, the others as the rows of this one are made if
  /// that multiplies, or the next one reduces what this one makes, or moves that on.
  std::unique_ptr<RowGroup> rows{};
  std::unique_ptr<FedReduce> fed{};
  std::unique_ptr<Portions> portions{};
  bool is_private = false;  ///< what it makes lies in memory of tasks

  ExecutablePass() noexcept {}  // an aggregate would be cleared whole first

  /// Whether it writes over something that it reads, and takes no memory of its own.
  bool is_over_operand() const { return base != OutputTarget::no_base || over != none; }
  /// Whether one thread makes all of it.
  bool is_of_one_task() const {
    return !rows && !fed && !portions && steps.tasks() <= 1 &&
           std::all_of(blocks.begin(), blocks.end(),
                       [](const BlockSteps& each) { return each.tasks() <= 1; });
  }
  /// What its steps take themselves.
  std::int64_t step_bytes() const {
    std::int64_t all = steps.bytes() + (moved ? moved->steps.bytes() : 0);
    for (const BlockSteps& each : blocks) all += each.bytes();
    return all + (rows ? rows->bytes() : 0) + (fed ? fed->bytes() : 0) +
           (portions ? portions->bytes() : 0);
  }
  /// Memory that a task of blocks, rows or portions needs beside its stack.
  std::int64_t scratch_bytes() const {
    std::int64_t most = rows       ? rows->task_bytes()
                        : fed      ? fed->reduce.parts_bytes() + fed->task_bytes()
                        : portions ? portions->task_bytes()
                                   : 0;
    if (product) most += product->scratch_bytes();
    for (const BlockSteps& each : blocks) most = std::max(most, each.scratch_bytes());
    return most;
  }
  /// Memory that its tasks put things aside in, if all of them run at once.
  std::int64_t most_aside() const {
    std::int64_t of_blocks = 0;
    for (const BlockSteps& each : blocks)
      of_blocks = std::max(of_blocks, each.tasks() * each.scratch_bytes());
    const std::int64_t of_stretches =
        steps.scratch_bytes() * steps.stretches.count +
        (moved ? moved->steps.scratch_bytes() * moved->steps.stretches.count : 0);
    return of_stretches + of_blocks + (reduce ? reduce->scratch_bytes() : 0) +
           (product ? product->scratch_bytes() : 0) +
           (rows ? rows->tasks() * rows->task_bytes() : 0) + (fed ? fed->aside_bytes() : 0) +
           (portions ? portions->aside_bytes() : 0);
  }
};

class Executable final : public AnyExecutable {
 public:
  /// Not yet ready.
  explicit Executable(Plan made) : plan(std::move(made)) {}

  /// Makes it ready for outputs over those bases, or does nothing where it is. One that is to run
  /// but once, and into no memory of the caller, is made with no more than that takes.
  void make_ready(const Bases& bases, bool is_once = false);

  const std::vector<ExecutablePass>& passes() const { return passes_; }
  /// The first of those that pass p goes together with, row by row or as what it reduces is made;
  /// none where it goes alone.
  const ExecutablePass* joint_lead(std::size_t p) const {
    const std::size_t lead = passes_[p].lead;
    const ExecutablePass& first = passes_[lead == ExecutablePass::none ? p : lead];
    return first.rows || first.fed || first.portions ? &first : nullptr;
  }
  /// What it takes itself: its plan, and steps.
  std::int64_t own_bytes() const { return own_bytes_; }
  /// The same beyond what is not counted.
  std::int64_t counted_own_bytes() const {
    return std::max<std::int64_t>(0, own_bytes_ - planning_allowance);
  }
  /// That, and the memory of all passes, with what their tasks put aside.
  std::int64_t most_bytes() const { return most_bytes_; }
  /// Whether it is one pass of steps, which are all that it runs, over no base.
  bool is_of_steps_alone() const;
  /// The same of one that is ready, and made within the limits of options that set none: such an
  /// evaluation into memory of the caller needs to be set up in no way.
  bool is_quick() const { return is_quick_; }
  /// Calls over(q) for each pass q for whose memory nobody asks once pass p has run.
  template <class Over>
  void for_each_over_after(std::size_t p, const Over& over) const {
    for (std::size_t q = passes_[p].first_over; q != ExecutablePass::none; q = passes_[q].next_over)
      over(q);
  }

  /// Its stored sources may be exchanged for others of the same sizes between two runs.
  Plan plan;
  std::unique_ptr<PlanSearch> search{};  ///< of one that is kept, while others are tried
  bool is_by_one = false;                ///< on one thread, which was found to take less than all

 private:
  /// The passes that make what pass p reads, in their order.
  std::vector<std::size_t> makers_of(std::size_t p) const;
  /// From how many bytes on pass p is divided among threads: later where much of what it reads is
  /// in the caches of the core that made it.
  std::int64_t fewest_divided(std::size_t p, std::span<const std::size_t> makers) const;
  /// Whether two threads would take longer for pass p, and those that make what it reads, than one,
  /// as each reads so much that the other one has made.
  bool waits_too_long(std::size_t p, std::span<const std::size_t> makers,
                      double strange_bytes) const;
  void find_lifetimes();
  void find_over(std::size_t p, std::size_t made);
  void make_blocks(std::size_t p, bool is_tight);
  void find_joint_passes();
  bool has_own_operand(std::size_t p, std::span<const RowCandidate> candidates) const;
  bool join_fed(std::size_t p, const BlockLimits& limits, bool is_found_only,
                std::span<RowCandidate> candidates);
  bool join_rows(std::size_t p, const BlockLimits& limits, std::span<RowCandidate> candidates);
  void join_behind(std::size_t p, const BlockLimits& limits, std::span<RowCandidate> candidates);
  void join(std::size_t lead, std::size_t count);
  bool may_go_by_portions(std::size_t p) const;
  void find_portions(bool is_once);
  void put_less_aside();
  void find_beside();
  bool may_be_beside(std::size_t lead, std::size_t p) const;

  std::vector<ExecutablePass> passes_;
  Bases bases_;
  std::int64_t own_bytes_ = 0, most_bytes_ = 0;
  bool is_ready_ = false, is_quick_ = false;
};

/// Runs one that is ready: the elements of each output that is not the caller's memory, those that
/// were made, or found to lie somewhere already. A target for each output, over the bases that it
/// is ready for. Throws MemoryError.
std::vector<Storage> run(const Executable& executable, std::span<const OutputTarget> targets,
                         const EvalOptions& options);

/// The same for one that is_of_steps_alone(), into memory of the caller, where nothing is asked of
/// the evaluation and nothing told.
void run_steps(const Executable& executable, std::byte* out, int threads);

/// The same for a plan with one output.
Storage run(const Executable& executable, const OutputTarget& target, const EvalOptions& options);

/// The one that an expression keeps, if any.
inline std::unique_ptr<Executable> take_executable(const Node& root) {
  return std::unique_ptr<Executable>(static_cast<Executable*>(root.take_executable().release()));
}

}  // namespace weft

// SPDX-License-Identifier: Apache-2.0
// How an evaluation is carried out. All of it comes in here: what is global
// is only memory that is kept for reuse (buffer.h), and changes no value.
#pragma once

#include <cstdint>
#include <functional>
#include <stop_token>

#include <weft/graph/value/error.h>

namespace weft {

class PlanCache;
class Trace;

/// stopped: who asked for a value has changed their mind (EvalOptions::stop, should_stop).
class Cancelled : public Error {
 public:
  explicit Cancelled(const std::string& message) : Error("stopped", message) {}
};

/// What a plan may take however low the limit is, in bytes.
inline constexpr std::int64_t planning_allowance = std::int64_t{16} << 20;

struct EvalOptions {
  /// Threads to use at most; 0: as many as TBB would.
  int threads = 0;
  /// Bytes that the result and what is stored on the way may take together, with what tasks put
  /// aside beyond 16 KiB each on their stacks, and, beforehand, the parameters and indices that are
  /// evaluated for it; 0: the machine's memory. Where little is left, tasks put less aside, or
  /// fewer run at the same time. Planning takes no more than that either, but 16 MiB it may always
  /// take (planning_allowance), which are not counted: beyond them count the boxes and tables of
  /// the plan and the copies of indices. Memory that the caller brings (eval_into, run_into) does
  /// not count.
  std::int64_t memory_limit = 0;
  /// Where plans of expressions of the same structure are looked for and kept; none: nowhere. It
  /// pays where small expressions are built anew again and again.
  PlanCache* plans = nullptr;
  /// Whether the value must be written over data that was given up, with what has to move put aside
  /// meanwhile: an InPlaceError says why where it cannot.
  bool in_place = false;
  /// Whether the first large evaluation of the process may measure the machine, for some four
  /// milliseconds: whether its caches keep what is copied, which decides how results of 4 MiB and
  /// more are stored. And whether what eval_into() computes again and again may be run by other
  /// plans, until it is known which takes least. Values never depend on it.
  bool may_measure = true;
  /// Where a stop is requested the evaluation ends with Cancelled between one share of its tasks
  /// and the next, and the tensor keeps no value. What writes over data that was given up is not
  /// stopped half-way. What the caller's memory holds then is not specified.
  std::stop_token stop{};
  /// Asked now and then, by the thread that evaluates alone: yes is a request to stop. It may take
  /// its time, and must not throw; it outlives the evaluation.
  const std::function<bool()>* should_stop = nullptr;
  /// Told now and then, by the thread that evaluates alone, about how much is done: from 0 on,
  /// never less than before, and 1 at the end. What it throws ends the evaluation as a stop does.
  /// It outlives the evaluation.
  const std::function<void(double)>* progress = nullptr;
  /// Where what is done when is written down (trace.h), by any number of evaluations.
  Trace* trace = nullptr;
};

}  // namespace weft

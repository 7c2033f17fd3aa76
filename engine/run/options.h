// SPDX-License-Identifier: Apache-2.0
// How an evaluation is carried out. All of it comes in here: what is global
// is only memory that is kept for reuse (buffer.h), and changes no value.
#pragma once

#include <cstdint>

namespace weft {

class PlanCache;

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
};

}  // namespace weft

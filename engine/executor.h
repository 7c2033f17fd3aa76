// The executor: carries a plan out, in parallel where that pays.
#pragma once

#include <weft/engine/options.h>
#include <weft/graph/plan.h>

namespace weft {

/// What the options leave the planner and an evaluation to store.
PlanLimits limits_of(const EvalOptions& options);

/// The elements that the plan makes, or those it found to lie somewhere already. Throws
/// MemoryError.
Storage execute(const Plan& plan, const EvalOptions& options);

/// The same as execute(), written over one of the plan's bases(), which nobody else may read: only
/// what differs is written.
Storage execute_over(const Plan& plan, std::size_t base, const EvalOptions& options);

/// The same into memory of the caller, which no source may overlap.
void execute_into(const Plan& plan, std::byte* out, const EvalOptions& options);

}  // namespace weft

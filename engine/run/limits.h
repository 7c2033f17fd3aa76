// SPDX-License-Identifier: Apache-2.0
// What options allow: checked, and as limits of planning.
#pragma once

#include <string_view>

#include <weft/engine/run/options.h>
#include <weft/graph/plan/plan.h>

namespace weft {

/// Refuses options that mean nothing.
void check_options(const EvalOptions& options);

/// Refuses options that ask `what` to write in place.
void refuse_in_place(std::string_view what, const EvalOptions& options);

/// Whether options set no limit, and ask for nothing that is to be heeded on the way.
inline bool set_nothing(const EvalOptions& options) {
  return options.memory_limit == 0 && options.threads >= 0 && !options.plans && !options.in_place &&
         options.may_measure;
}

/// The bytes that an evaluation may take.
std::int64_t stored_limit(const EvalOptions& options);

/// What the options leave the planner and an evaluation to store.
PlanLimits limits_of(const EvalOptions& options);

}  // namespace weft

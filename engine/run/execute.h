// SPDX-License-Identifier: Apache-2.0
// Carries a plan out: its passes one after another, into memory of its own or of the caller.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include <weft/engine/run/options.h>
#include <weft/graph/plan/plan.h>

namespace weft {

/// Refuses options that mean nothing.
void check_options(const EvalOptions& options);

/// Refuses options that ask `what` to write in place.
void refuse_in_place(std::string_view what, const EvalOptions& options);

/// What the options leave the planner and an evaluation to store.
PlanLimits limits_of(const EvalOptions& options);

/// Where an output goes: into memory of the caller, which no source may overlap; over one of the
/// plan's bases(), which nobody else may read; or, unless said otherwise, into memory of its own.
struct OutputTarget {
  static constexpr std::size_t no_base = static_cast<std::size_t>(-1);
  std::byte* out = nullptr;
  std::size_t base = no_base;
};

/// The elements of each output that is not the caller's memory: those that were made, or found to
/// lie somewhere already. A target for each output. Throws MemoryError.
std::vector<Storage> execute(const Plan& plan, std::span<const OutputTarget> targets,
                             const EvalOptions& options);

/// The same for a plan with one output.
Storage execute(const Plan& plan, const OutputTarget& target, const EvalOptions& options);

}  // namespace weft

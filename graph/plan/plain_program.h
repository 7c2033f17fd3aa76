// SPDX-License-Identifier: Apache-2.0
// Plans of expressions that compute and move nothing.
#pragma once

#include <optional>

#include <weft/graph/plan/plan.h>

namespace weft {

/// The plan of elementwise ops of one shape over stored tensors: one piece, found without boxes,
/// for planning is most of what small ones cost. None for other expressions.
std::optional<Plan> plan_plain_program(const Expression& expression, const PlanLimits& limits);

}  // namespace weft

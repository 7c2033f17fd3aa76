// SPDX-License-Identifier: Apache-2.0
// Plans of expressions that compute and move nothing.
#pragma once

#include <weft/graph/plan/plan.h>

namespace weft {

/// Makes an empty plan that of elementwise ops of one shape over stored tensors: one piece, found
/// without boxes, for planning is most of what small ones cost. False for other expressions.
bool plan_plain_program(const Expression& expression, const PlanLimits& limits, Plan& plan);

}  // namespace weft

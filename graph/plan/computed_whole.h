// SPDX-License-Identifier: Apache-2.0
// Whether what moves by an index is computed as a whole, in place of cut into boxes.
#pragma once

#include <weft/graph/expression.h>
#include <weft/graph/kinds.h>
#include <weft/graph/plan/demand.h>
#include <weft/graph/plan/plan.h>

namespace weft {

/// Through reshapes and the like: the first vertex whose elements v lists in the same order.
std::size_t order_base(const Expression& expression, std::size_t v);

/// Whether most of v is asked for and would be cut into too many boxes, where it may be computed;
/// or whether it is carried out alone, where its operation is then best computed. Operands must be
/// stored whole for that, as they are for so many boxes. `asked`: how many of its elements are
/// asked for.
bool is_better_computed(const Expression& expression, std::size_t v,
                        const IndexedMovement& operation, const Demand& demand, std::int64_t asked,
                        const PlanLimits& limits);

}  // namespace weft

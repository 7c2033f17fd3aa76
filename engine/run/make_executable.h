// SPDX-License-Identifier: Apache-2.0
// From an expression to what carries it out.
#pragma once

#include <weft/engine/run/executable.h>
#include <weft/graph/indexed.h>
#include <weft/graph/plan/plan.h>

namespace weft {

/// What is kept is evaluated about so often. Planning is reckoned as it is with cold caches, so a
/// fifth of these make up for it.
inline constexpr double often = 64;

/// The executable of an expression. Where what is moved would be slow, as kernels estimate it,
/// plans are tried that store a value or two on the way, and the one that takes least is chosen if
/// it takes much less: of movement alone for results from 256 KiB up, of which one random chain in
/// forty-five changes; of what is computed, too, where so many evaluations, or the one of what
/// is_once, make up for the planning: one random expression in twenty changes. Others are planned
/// once. `is_once` as of Executable::make_ready(). Throws what make_plan() throws.
Executable make_executable(const Expression& expression, const PlanLimits& limits,
                           const Indices& indices, const PlanningCheck& check = {},
                           bool is_once = false, double evaluations = often);

/// Whether it makes one result, of some bytes, for which something is computed.
bool computes_enough(const Plan& plan);

/// What may be stored on the way: what moves, and what is moved once it is computed.
StoredVertices storable(const Expression& expression, const PlanLimits& limits);

/// The one that stores those on the way, ready, and, where it may and kernels say that this takes
/// less, one or two values more, which `stored` has then, too. None where that takes more memory
/// than is allowed.
std::optional<Executable> make_executable_storing(StoredVertices& stored, bool may_store_more,
                                                  const Expression& expression,
                                                  const PlanLimits& limits, const Indices& indices,
                                                  const PlanningCheck& check);

}  // namespace weft

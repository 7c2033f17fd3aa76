// SPDX-License-Identifier: Apache-2.0
// Which core makes what: what a pass makes lies in the caches of the cores that made it, and to
// take a line out of another core's takes 10 ns and more (docs/decisions/0041).
#pragma once

#include <weft/engine/run/blocks.h>
#include <weft/engine/run/pass_steps.h>
#include <weft/graph/plan/plan.h>

namespace weft {

/// Puts the tasks of a pass into the order in which what they read lies in what passes before it
/// made: threads take tasks by their number, so that each reads most of what it has made itself.
/// About how many bytes one of two threads then reads that the other one has made.
double order_tasks(PassSteps& steps, const Plan& plan);
/// The same of blocks that were just made.
void order_tasks(BlockSteps& steps, const Plan& plan);

}  // namespace weft

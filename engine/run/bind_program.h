// SPDX-License-Identifier: Apache-2.0
// From the program of a pass to links.
#pragma once

#include <weft/engine/kernels/compute/run_program.h>
#include <weft/graph/plan/plan.h>

namespace weft {

/// Links that carry a program out, of the best instruction set that there is; those that ask ahead
/// only where results may go past the caches.
BoundProgram bind_program(const PassProgram& program, bool asks);

}  // namespace weft

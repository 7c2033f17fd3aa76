// SPDX-License-Identifier: Apache-2.0
// What the kernels of an executable read and write, kernel by kernel, before they do.
#pragma once

#include <vector>

#include <weft/engine/kernels/counters.h>
#include <weft/engine/run/executable.h>

namespace weft {

/// Of one run of all passes that are needed wherever the outputs go, by name; none of computations
/// and reductions, which have no kernels.
std::vector<KernelCount> kernel_counts_of(const Executable& executable);

/// Of one run of the steps of a pass, or, of a computation, its operands and what it makes.
Traffic traffic_of(const Executable& executable, std::size_t pass);
/// Of one run of all passes.
Traffic traffic_of(const Executable& executable);

/// How much of what kernels write goes past the caches.
enum class Streaming { nothing, part, all };
Streaming streaming_of(const PassSteps& steps);

}  // namespace weft

// SPDX-License-Identifier: Apache-2.0
// Operator new that fails when it is told to, and counts what is alive.
#pragma once

namespace weft::testing {

/// Lets the allocation after the next `position` fail, or that and all later ones, on any thread.
void fail_allocation(long position, bool and_all_later);
/// Lets all succeed; whether one has failed.
bool stop_failing();
/// Blocks that were allocated and not freed.
long live_blocks();
/// Blocks that were ever allocated.
long allocations();
/// The bytes that are allocated, and the most that were since begin_counting().
long live_bytes();
long most_live_bytes();
void begin_counting();

}  // namespace weft::testing

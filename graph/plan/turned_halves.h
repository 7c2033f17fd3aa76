// SPDX-License-Identifier: Apache-2.0
// Halves: copies that write every second element of rows that are turned, as one kernel writes the
// rows whole.
#pragma once

#include <cstdint>

#include <weft/graph/plan/plan.h>

namespace weft {

/// How long the rows are of which a copy writes every second element, where neighbours in a row lie
/// apart in the source and those beside them are in other rows, of a pass of so many bytes. 0 where
/// it writes no such half.
std::int64_t turned_row_of_half(const Copy& copy, std::int64_t element, std::int64_t bytes);
/// Whether most of what a pass writes is both halves of such rows, from one source: a kernel turns
/// them as one.
bool are_turned_halves(const Pass& pass);

}  // namespace weft

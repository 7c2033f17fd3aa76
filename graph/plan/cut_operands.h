// SPDX-License-Identifier: Apache-2.0
// Values whose movement would cut all that they are computed of.
#pragma once

#include <cstddef>
#include <cstdint>

#include <weft/graph/expression.h>
#include <weft/graph/plan/demand.h>

namespace weft {

/// Runs shorter than so many bytes are worth storing what is cut. Of programs, runs of fewer bytes
/// than the second, or elements where caches keep the pass (one thread, of 24 movements of four
/// types and 14 shapes, the moved added to others: 94 of 1,344 took over 1.08 of storing first
/// where 128 elements were long, now 50).
inline constexpr std::int64_t run_bytes = 64, program_run = 1024, cached_bytes = 1024 * 1024;

/// Below so many bytes runs are short, in a pass of so many bytes of such elements.
std::int64_t shortest_run(std::int64_t bytes, std::int64_t element);

/// Whether so many runs, of so many bytes together, are shorter than that. Of a few it does not
/// matter.
bool are_short(std::int64_t runs, std::int64_t bytes, std::int64_t shortest);

/// Whether an elementwise vertex is asked for in short runs, by which several operands would have
/// to be moved, and for most of the `stored` elements that it would be stored as: it is better
/// computed in order, and moved once.
bool cuts_operands(const Expression& expression, std::size_t v, const TargetBoxes& asked,
                   std::int64_t stored);

}  // namespace weft

// SPDX-License-Identifier: Apache-2.0
// Carries one pass out, in parallel where that pays.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

#include <weft/graph/plan.h>

namespace weft {

/// Where a pass writes.
struct PassTarget {
  std::byte* out;
  /// Whether all that no copy writes is there already.
  bool is_over_base = false;
};

/// Runs the copies of a pass over elements of `element` bytes; `sources` are those of its plan.
/// `threads` at most, or 0 for as many as there are.
void run_pass(const Pass& pass, std::int64_t element, const PassTarget& target,
              std::span<const std::byte* const> sources, int threads);

/// Calls task(t) for every t below `tasks`, in any order, on `threads` at most, or 0 for as many
/// as there are.
void run_tasks(std::int64_t tasks, int threads, const std::function<void(std::int64_t)>& task);

/// Calls work(begin, end) for parts of [0, count), of which all make so many bytes.
void run_parts(std::int64_t count, std::int64_t bytes, int threads,
               const std::function<void(std::int64_t, std::int64_t)>& work);

}  // namespace weft

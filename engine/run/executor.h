// SPDX-License-Identifier: Apache-2.0
// Carries one pass out, in parallel where that pays.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

#include <weft/graph/plan/plan.h>

namespace weft {

/// Where a pass writes.
struct PassTarget {
  std::byte* out;
  /// Whether all that no copy writes is there already.
  bool is_over_base = false;
  /// Whether what is overwritten is lost if the pass ends half-way: it then throws before it
  /// writes, or not at all.
  bool is_lost_otherwise = false;
};

/// Runs the copies of a pass; `sources` are those of its plan. `threads` at most, or 0 for as many
/// as there are.
void run_pass(const Pass& pass, const PassTarget& target, std::span<const std::byte* const> sources,
              int threads);

/// Calls task(t) once for every t below done.size(), in any order, on `threads` at most, or 0 for
/// as many as there are. For tasks that must not end half-way and do not throw; `done` has a 0 for
/// each. Nothing fails: what no other thread can take runs on this one.
void finish_tasks(std::span<unsigned char> done, int threads,
                  const std::function<void(std::int64_t)>& task) noexcept;

/// Calls `work`, which may wait for tasks of its own: its thread takes up no others meanwhile.
void run_isolated(const std::function<void()>& work);

/// Calls work(begin, end) for parts of [0, count), of which all make so many bytes.
void run_parts(std::int64_t count, std::int64_t bytes, int threads,
               const std::function<void(std::int64_t, std::int64_t)>& work);

}  // namespace weft

// SPDX-License-Identifier: Apache-2.0
// Two passes that go together, a portion at a time: what the first one makes lies in memory of the
// task, and in the caches of its core, until the second one has moved it on.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <weft/engine/memory/buffer.h>
#include <weft/engine/run/pass_steps.h>
#include <weft/graph/plan/plan.h>

namespace weft {

/// Of a pass and the one before it, both of copies. Only read once it is made.
struct Portions {
  /// In elements.
  struct Portion {
    std::int64_t begin, end;  ///< of the result, or, by source, of what is read for it
    std::int64_t low, high;   ///< of what the first pass makes, what this portion reads
  };
  /// What of each pass belongs to a portion.
  struct Parts {
    Pass made, moved;
  };
  struct Steps {
    PassSteps made, moved;

    std::int64_t bytes() const {
      return static_cast<std::int64_t>(sizeof(Steps)) + made.bytes() + moved.bytes();
    }
  };

  std::size_t source = 0;  ///< of the plan, that the first pass makes
  bool is_by_source = false;
  std::vector<Portion> portions{};
  std::vector<Steps> steps{};    ///< of each portion, where they are kept
  PassTarget target{};           ///< of the second pass
  std::int64_t made_bytes = 0;   ///< of the largest portion
  std::int64_t whole_bytes = 0;  ///< of what the first pass makes
  double picoseconds = 0;        ///< about what all of them take on one thread

  std::int64_t count() const { return std::ssize(portions); }
  /// Whole pages, or two tasks would write to one.
  std::int64_t task_bytes() const {
    constexpr std::int64_t page = 4096;
    return (made_bytes + page - 1) / page * page + cache_line;
  }
  /// Where all tasks run at once that do: they take no more than what is made takes whole.
  std::int64_t aside_bytes() const {
    return std::max(task_bytes(), std::min(count() * task_bytes(), whole_bytes));
  }
  /// What it takes itself.
  std::int64_t bytes() const;
};

/// Of pass `p` and the one before it, where nothing else reads what that makes; none where it is
/// not read portion by portion, or where that does not pay; 2^shrink times smaller ones in any
/// case. Steps are kept that take so many bytes at most.
std::optional<Portions> make_portions(const Plan& plan, std::size_t p, const PassTarget& target,
                                      std::int64_t most_kept, int shrink);

Portions::Parts parts_of(const Portions& portions, const Plan& plan, std::size_t p, std::int64_t k);
/// Of pass `p`.
Portions::Steps steps_of(const Portions& portions, const Plan& plan, std::size_t p,
                         const Portions::Parts& parts);

/// Calls visit(steps) for portion k of pass `p`.
template <class Visit>
void with_steps(const Portions& portions, const Plan& plan, std::size_t p, std::int64_t k,
                const Visit& visit) {
  if (portions.steps.empty()) visit(steps_of(portions, plan, p, parts_of(portions, plan, p, k)));
  else visit(portions.steps[static_cast<std::size_t>(k)]);
}

/// About what all of them take on one thread, in picoseconds, and both passes whole, one after the
/// other.
struct PortionCost {
  double portions, whole;
};
PortionCost cost_of(const Portions& portions, const Plan& plan, std::size_t p);

/// Makes the result, on `threads` at most, or 0 for as many as there are, and on no more than
/// `most_aside` bytes have room for, but one. Throws MemoryError before anything is written.
void run(const Portions& portions, const Plan& plan, std::size_t p, std::byte* out,
         std::span<const std::byte* const> sources, int threads, std::int64_t most_aside);

}  // namespace weft

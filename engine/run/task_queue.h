// SPDX-License-Identifier: Apache-2.0
// Tasks that workers take until none is left.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include <weft/engine/memory/buffer.h>

namespace weft {

/// Each worker takes those of a range of its own first, then what others have left: what a core's
/// cache kept of one evaluation is there for the next.
class TaskQueue {
 public:
  TaskQueue(std::int64_t tasks, std::int64_t workers)
      : tasks_(tasks), ranges_(std::clamp<std::int64_t>(workers, 1, most_ranges)) {
    for (std::int64_t r = 0; r < ranges_; ++r) next(r).store(begin(r), std::memory_order_relaxed);
  }

  /// Whether there was one left for a worker, and which.
  bool take(std::int64_t worker, std::int64_t& task) {
    for (std::int64_t k = 0; k < ranges_; ++k) {
      const std::int64_t range = (worker + k) % ranges_, end = begin(range + 1);
      if (next(range).load(std::memory_order_relaxed) >= end) continue;
      task = next(range).fetch_add(1, std::memory_order_relaxed);
      if (task < end) return true;
    }
    return false;
  }

 private:
  static constexpr std::int64_t most_ranges = 16;
  struct alignas(cache_line) Next {
    std::atomic<std::int64_t> task;
  };

  std::int64_t begin(std::int64_t range) const {
    return tasks_ / ranges_ * range + std::min(range, tasks_ % ranges_);
  }
  std::atomic<std::int64_t>& next(std::int64_t range) {
    return next_[static_cast<std::size_t>(range)].task;
  }

  const std::int64_t tasks_, ranges_;
  std::array<Next, most_ranges> next_;
};

}  // namespace weft

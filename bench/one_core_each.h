// SPDX-License-Identifier: Apache-2.0
// Threads that stay where they are.
#pragma once

#include <vector>

#include <tbb/task_scheduler_observer.h>

namespace weft::bench {

/// While it lives, threads that take tasks stay on a core each, if the system can bind them. Linux
/// leaves a thread that it wakes on the core where it was, though that is at work and another is
/// not, for tens of milliseconds where there are two: then two threads take as long as one.
class OneCoreEach : private tbb::task_scheduler_observer {
 public:
  OneCoreEach();
  ~OneCoreEach() override;

 private:
  void on_scheduler_entry(bool is_worker) override;

  std::vector<int> cores_{};
};

}  // namespace weft::bench

// SPDX-License-Identifier: Apache-2.0
// Binding threads to cores.
#include "one_core_each.h"

#include <tbb/task_arena.h>
#ifdef __linux__
#include <sched.h>
#endif

namespace weft::bench {

#ifdef __linux__

OneCoreEach::OneCoreEach() {
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return;
  for (int core = 0; core < CPU_SETSIZE; ++core)
    if (CPU_ISSET(core, &allowed)) cores_.push_back(core);
  observe(true);
}

void OneCoreEach::on_scheduler_entry(bool) {
  const auto slot = static_cast<std::size_t>(tbb::this_task_arena::current_thread_index());
  cpu_set_t own;
  CPU_ZERO(&own);
  CPU_SET(cores_[slot % cores_.size()], &own);
  sched_setaffinity(0, sizeof own, &own);
}

#else

OneCoreEach::OneCoreEach() = default;
void OneCoreEach::on_scheduler_entry(bool) {}

#endif

OneCoreEach::~OneCoreEach() { observe(false); }

}  // namespace weft::bench

// SPDX-License-Identifier: Apache-2.0
// The counters: a tally for each thread, added up under a lock after every run.
#include <weft/engine/kernels/counters.h>

#include <algorithm>

#include <weft/engine/kernels/counting.h>

#ifdef WEFT_CHECK_INVARIANTS
#include <array>
#include <mutex>
#endif

namespace weft {

#ifdef WEFT_CHECK_INVARIANTS

namespace {

// Nothing but tests reads them, and release builds have none. Nothing may be allocated here.
std::mutex mutex;
std::array<KernelCount, most_kernels> counts;
thread_local Traffic moved;

/// The count of that name, or the first that has none.
KernelCount& count_of(std::string_view name) {
  return *std::find_if(counts.begin(), counts.end(), [&](const KernelCount& count) {
    return count.name.empty() || count.name == name;
  });
}

}  // namespace

CountedRun::CountedRun(std::string_view name) : name_(name) { moved = {}; }

CountedRun::~CountedRun() {
  const std::lock_guard lock(mutex);
  KernelCount& count = count_of(name_);
  count.name = name_;
  ++count.calls;
  count.traffic.read += moved.read;
  count.traffic.written += moved.written;
}

void count_moved(std::int64_t read, std::int64_t written) {
  moved.read += read;
  moved.written += written;
}

bool counts_kernels() { return true; }

std::vector<KernelCount> kernel_counts() {
  const std::lock_guard lock(mutex);
  std::vector<KernelCount> all;
  for (const KernelCount& count : counts)
    if (count.calls > 0) all.push_back(count);
  std::sort(all.begin(), all.end(),
            [](const KernelCount& a, const KernelCount& b) { return a.name < b.name; });
  return all;
}

void reset_kernel_counts() {
  const std::lock_guard lock(mutex);
  counts.fill({});
}

#else

bool counts_kernels() { return false; }
std::vector<KernelCount> kernel_counts() { return {}; }
void reset_kernel_counts() {}

#endif

}  // namespace weft

// SPDX-License-Identifier: Apache-2.0
// Measuring the machine: one copy, stored in two ways.
#include <weft/engine/run/machine.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <memory>
#include <thread>

#include <weft/engine/kernels/kernel.h>
#include <weft/engine/memory/buffer.h>
#include <weft/engine/memory/caches.h>
#include <weft/engine/run/workers.h>

namespace weft {
namespace {

constexpr std::int64_t measured_bytes = 4 * 1024 * 1024;
constexpr std::int64_t measured_tasks = measured_bytes / task_bytes;
constexpr int rounds = 3;
constexpr std::chrono::milliseconds most_waited{2};
// Streaming must be that much faster before it is taken to be: the two are alike where a third of
// the last cache is copied, and one process of six took them the wrong way round (AMD EPYC, family
// 25, model 17; results of 4 to 7 MiB up to twice as slow).
constexpr double clearly_faster = 1.1;

class CopiedTwoWays {
  using Clock = std::chrono::steady_clock;

 public:
  CopiedTwoWays() : from_(allocate(measured_bytes)), to_(allocate(measured_bytes)) {
    std::memset(from_.get(), 0, static_cast<std::size_t>(measured_bytes));
    wake();
    copy(false);
  }

  Machine measure() const {
    double copied = 0, streamed = 0;  // the fastest: what disturbs a copy makes it slower
    for (int k = 0; k < rounds; ++k) {
      copied = std::max(copied, speed(false));
      streamed = std::max(streamed, speed(true));
    }
    Machine machine{copied, streamed};
    // Not all of them, for something else lives there, too. (32 MiB, f32 [8, 56, 56, 96] in
    // windows, 19.3 MB with its source: one time after the other 0.36 ms past the caches, 0.17
    // otherwise; after copies of as much 0.42 and 0.51.)
    if (streamed < clearly_faster * copied)
      machine.kept_bytes = std::max(machine.kept_bytes, last_cache_bytes() / 8 * 5);
    return machine;
  }

 private:
  /// Waits until all threads that will copy are there: one that is only begun, or that a busy
  /// machine lets wait, may come after all copies are made, and those of one thread compare
  /// otherwise.
  void wake() const {
    const std::int64_t threads = std::min(workers_.count(), measured_tasks);
    const Clock::time_point end = Clock::now() + most_waited;
    std::atomic<std::int64_t> awake = 0;
    workers_.run(threads, [&](std::int64_t) {
      ++awake;
      while (awake < threads && Clock::now() < end) std::this_thread::yield();
    });
  }

  void copy(bool streams) const {
    workers_.run(measured_tasks, [&](std::int64_t t) {
      copy_run(to_.get() + t * task_bytes, from_.get() + t * task_bytes, task_bytes, streams);
      if (streams) finish_streams();
    });
  }

  /// The second of two copies, which finds the caches as the first one left them.
  double speed(bool streams) const {
    copy(streams);
    const Clock::time_point start = Clock::now();
    copy(streams);
    const std::chrono::duration<double, std::nano> taken = Clock::now() - start;
    return static_cast<double>(measured_bytes) / std::max(taken.count(), 1.0);
  }

  const std::shared_ptr<std::byte> from_, to_;
  const Workers workers_{0};
};

}  // namespace

const Machine& machine(bool may_measure) {
  static const Machine unmeasured{};
  if (!may_measure) return unmeasured;
  static const Machine measured = [] {
    try {
      return CopiedTwoWays().measure();
    } catch (const std::exception&) {  // no memory, or TBB has none
      return Machine{};
    }
  }();
  return measured;
}

}  // namespace weft

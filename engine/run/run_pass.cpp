// SPDX-License-Identifier: Apache-2.0
// Running the steps of a pass, in parallel where it is divided.
#include <atomic>
#include <functional>
#include <memory>
#include <vector>

#include <weft/engine/kernels/kernel.h>
#include <weft/engine/memory/buffer.h>
#include <weft/engine/run/pass_steps.h>
#include <weft/engine/run/trace.h>
#include <weft/engine/run/workers.h>

namespace weft {
namespace {

using Sources = std::span<const std::byte* const>;

/// All of it is lowered and allocated, so that nothing is left to fail.
void finish(const PassSteps& steps, std::byte* out, Sources sources, int threads) {
  std::vector<unsigned char> done(static_cast<std::size_t>(steps.tasks()));
  const auto task = [&](std::int64_t t) {
    for_each_step_of_task(steps, t, [&](const Step& step) { run(step, out, sources); });
  };
  finish_tasks(done, threads, std::ref(task));
}

/// Stretches are put together aside: in memory of the task, for how many threads an arena lets in,
/// and under which numbers, is not for us to know. Where not one fits into `most_aside`, where they
/// belong.
void run_aside(const PassSteps& steps, const Pass& pass, std::byte* out, Sources sources,
               const Workers& workers, std::int64_t most_aside) {
  const std::int64_t count = steps.stretches.count, bytes = steps.scratch_bytes();
  const std::int64_t fitting = most_aside / bytes;
  std::int64_t tasks = std::min(workers.count(), count);
  if (fitting > 0) tasks = std::min(tasks, fitting);
  // Some neighbours at once: two threads that write to one new page wait for each other.
  const std::int64_t at_once = std::clamp<std::int64_t>(count / (4 * tasks), 1, 16);
  const std::shared_ptr<std::byte> memory =
      fitting > 0 ? allocate(tasks * bytes, pass.what, pass.type.shape) : nullptr;
  std::atomic<std::int64_t> next = 0;
  workers.begin_shares((count + at_once - 1) / at_once);
  const auto task = [&](std::int64_t t) {
    for (std::int64_t first; (first = next.fetch_add(at_once)) < steps.stretches.count;) {
      workers.next_share();
      for (std::int64_t k = first; k < std::min(steps.stretches.count, first + at_once); ++k) {
        const std::int64_t begin = steps.stretches.begin(k), end = steps.stretches.end(k);
        std::byte* const to = out + begin * steps.element;
        std::byte* const aside = memory ? memory.get() + t * bytes : to;
        for_each_step_of_task(steps, k, [&](const Step& step) {
          const TraceScope scope(workers.trace(), "kernel", step.bound.name());
          run(step, aside, sources);
        });
        if (memory) copy_run(to, aside, (end - begin) * steps.element, true);
      }
    }
    finish_streams();
  };
  workers.run(tasks, std::ref(task));
}

}  // namespace

void run(const PassSteps& steps, const Pass& pass, std::byte* out, Sources sources, int threads,
         std::int64_t most_aside) {
  if (steps.is_lost_otherwise) return finish(steps, out, sources, threads);
  if (steps.manner == PassSteps::Manner::here) {
    for (const Step& step : steps.steps) run(step, out, sources);
    return;
  }
  constexpr std::int64_t few = 3;
  const bool is_by_one = steps.is_by_one_of_few && Workers(threads).count() <= few;
  const Workers workers(is_by_one ? 1 : threads);
  if (steps.manner == PassSteps::Manner::aside)
    return run_aside(steps, pass, out, sources, workers, most_aside);
  workers.begin_shares(steps.tasks());
  const auto task = [&](std::int64_t t) {
    workers.next_share();
    for_each_step_of_task(steps, t, [&](const Step& step) {
      const TraceScope scope(workers.trace(), "kernel", step.bound.name());
      run(step, out, sources);
    });
    if (steps.streams && steps.manner == PassSteps::Manner::pieces) finish_streams();
  };
  workers.run(steps.tasks(), std::ref(task));
}

}  // namespace weft

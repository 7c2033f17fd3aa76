// SPDX-License-Identifier: Apache-2.0
// Running the steps of a pass, in parallel where it is divided.
#include <atomic>
#include <functional>
#include <memory>
#include <vector>

#include <weft/engine/kernels/kernel.h>
#include <weft/engine/memory/buffer.h>
#include <weft/engine/run/pass_steps.h>
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
/// and under which numbers, is not for us to know.
void run_aside(const PassSteps& steps, const Pass& pass, std::byte* out, Sources sources,
               const Workers& workers) {
  const auto& [all, share, count] = steps.stretches;
  const std::int64_t tasks = std::min(workers.count(), count);
  // Some neighbours at once: two threads that write to one new page wait for each other.
  const std::int64_t at_once = std::clamp<std::int64_t>(count / (4 * tasks), 1, 16);
  const std::int64_t bytes = share * steps.element;
  const std::shared_ptr<std::byte> memory = allocate(tasks * bytes, pass.what, pass.type.shape);
  std::atomic<std::int64_t> next = 0;
  const auto task = [&](std::int64_t t) {
    std::byte* const aside = memory.get() + t * bytes;
    for (std::int64_t first; (first = next.fetch_add(at_once)) < steps.stretches.count;)
      for (std::int64_t k = first; k < std::min(steps.stretches.count, first + at_once); ++k) {
        for_each_step_of_task(steps, k, [&](const Step& step) { run(step, aside, sources); });
        const std::int64_t begin = steps.stretches.begin(k), end = steps.stretches.end(k);
        copy_run(out + begin * steps.element, aside, (end - begin) * steps.element, true);
      }
    finish_streams();
  };
  workers.run(tasks, std::ref(task));
}

}  // namespace

void run(const PassSteps& steps, const Pass& pass, std::byte* out, Sources sources, int threads) {
  if (steps.is_lost_otherwise) return finish(steps, out, sources, threads);
  if (steps.manner == PassSteps::Manner::here) {
    for (const Step& step : steps.steps) run(step, out, sources);
    return;
  }
  const Workers workers(threads);
  if (steps.manner == PassSteps::Manner::aside)
    return run_aside(steps, pass, out, sources, workers);
  const auto task = [&](std::int64_t t) {
    for_each_step_of_task(steps, t, [&](const Step& step) { run(step, out, sources); });
    if (steps.streams_early && steps.manner == PassSteps::Manner::pieces) finish_streams();
  };
  workers.run(steps.tasks(), std::ref(task));
}

}  // namespace weft

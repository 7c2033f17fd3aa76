// SPDX-License-Identifier: Apache-2.0
// Running two passes that go together, portion by portion.
#include <functional>
#include <memory>

#include <weft/engine/kernels/kernel.h>
#include <weft/engine/run/portions.h>
#include <weft/engine/run/task_queue.h>
#include <weft/engine/run/trace.h>
#include <weft/engine/run/workers.h>

namespace weft {

void run(const Portions& portions, const Plan& plan, std::size_t p, std::byte* out,
         std::span<const std::byte* const> sources, int threads, std::int64_t most_aside) {
  const Workers workers(threads);
  const std::int64_t each = portions.task_bytes();
  const std::int64_t most = std::min(most_aside, portions.aside_bytes()) / each;
  const std::int64_t at_once =
      std::clamp<std::int64_t>(most, 1, std::min(workers.count(), portions.count()));
  const Pass& moving = plan.passes[p];
  const std::shared_ptr<std::byte> memory =
      allocate(at_once * each, moving.what, moving.type.shape);
  std::vector<std::vector<const std::byte*>> from(static_cast<std::size_t>(at_once),
                                                  {sources.begin(), sources.end()});
  TaskQueue queue(portions.count(), at_once);
  workers.begin_shares(portions.count());
  const auto task = [&](std::int64_t t) {
    std::vector<const std::byte*>& own = from[static_cast<std::size_t>(t)];
    std::byte* const made = memory.get() + t * each;
    own[portions.source] = made;
    const auto run_steps = [&](const PassSteps& steps, std::byte* to) {
      for (const Step& step : steps.steps) {
        const TraceScope scope(workers.trace(), "kernel", step.bound.name());
        run(step, to, own);
      }
    };
    for (std::int64_t k; queue.take(t, k);) {
      workers.next_share();
      with_steps(portions, plan, p, k, [&](const Portions::Steps& steps) {
        run_steps(steps.made, made);
        run_steps(steps.moved, out);
      });
    }
    finish_streams();
  };
  if (at_once > 1) workers.run(at_once, std::ref(task));
  else task(0);
}

}  // namespace weft

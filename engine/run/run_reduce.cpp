// SPDX-License-Identifier: Apache-2.0
// Reducing, unit by unit, and then what the chunks of a result have made.
#include <algorithm>
#include <cstring>
#include <functional>
#include <memory>

#include <weft/engine/memory/buffer.h>
#include <weft/engine/run/reduce_steps.h>
#include <weft/engine/run/reduce_task.h>
#include <weft/engine/run/task_queue.h>
#include <weft/engine/run/trace.h>
#include <weft/engine/run/workers.h>

namespace weft {

void run(const ReduceSteps& steps, const Pass& pass, std::byte* out,
         std::span<const std::byte* const> sources, int threads) {
  const std::byte* const operand = sources[steps.source] + steps.offset;
  const std::int64_t units = steps.units(), tasks = steps.tasks(), parts = steps.parts_bytes();
  const Workers workers(tasks == 1 ? 1 : threads);
  const std::int64_t at_once = std::min(workers.count(), tasks), each = steps.task_bytes();
  const bool is_near = each <= near_bytes;
  std::shared_ptr<std::byte> memory;
  if (const std::int64_t bytes = parts + (is_near ? 0 : at_once * each); bytes > 0)
    memory = allocate(bytes, pass.what, pass.type.shape);
  std::byte* const to = parts > 0 ? memory.get() : out;
  TaskQueue queue(tasks, at_once);
  workers.begin_shares(tasks);
  const auto task = [&](std::int64_t t) {
    alignas(cache_line) std::byte near[near_bytes];
    ReduceTask own(steps, operand, to, is_near ? near : memory.get() + parts + t * each);
    for (std::int64_t k; queue.take(t, k);) {
      workers.next_share();
      const TraceScope scope(workers.trace(), "kernel", "reduce");
      own.run(k * steps.share, std::min(units, (k + 1) * steps.share));
    }
  };
  if (at_once > 1) workers.run(at_once, std::ref(task));
  else task(0);
  if (parts > 0) join_chunks(steps, to, out);
}

void run_alone(const ReduceSteps& steps, std::byte* out, std::span<const std::byte* const> sources,
               std::byte* aside) noexcept {
  const std::int64_t parts = steps.parts_bytes(), units = steps.units();
  ReduceTask own(steps, sources[steps.source] + steps.offset, parts > 0 ? aside : out,
                 aside + parts);
  own.run(0, units);
  if (parts > 0) join_chunks(steps, aside, out);
}

}  // namespace weft
